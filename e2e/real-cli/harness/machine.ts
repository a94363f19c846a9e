import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import {
  startModelServer,
  type ModelScriptsInput,
  type RecordedRequest,
} from "../../../src/testing/index.ts";
import type { AgentCli } from "./clis.ts";
import { patience } from "./patience.ts";
import { binFolder, cliProgram, runsFolder } from "./places.ts";
import { processesMentioning } from "./processes.ts";
import { removeFolder } from "../../../test/e2e/remove-folder.ts";

export interface MachineOrder {
  /** A short name: sockets lie below, and their paths may not be long. */
  readonly name: string;
  readonly clis: readonly AgentCli[];
  readonly scripts: ModelScriptsInput;
  /** Lines of ambit.yaml beside the usual ones. */
  readonly config?: string;
  /** More agents: name and front matter. */
  readonly agents?: Readonly<Record<string, string>>;
  /** Folders that stand on PATH instead of the one with the agent CLIs. */
  readonly programs?: readonly string[];
}

export interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A person's machine with a project, agents that have a model, and nothing else. */
export interface Machine {
  readonly folder: string;
  readonly project: string;
  readonly ambit: (...words: string[]) => Promise<Answer>;
  /** The document of a command, with its exit status. */
  readonly json: (
    ...words: string[]
  ) => Promise<{ readonly status: number | null; readonly document: Document }>;
  readonly git: (...words: string[]) => string;
  /** Any other program, in the project. */
  readonly run: (program: string, ...words: string[]) => Promise<Answer>;
  readonly requests: () => readonly RecordedRequest[];
  readonly close: () => Promise<void>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a command prints is looked at field by field
export type Document = Record<string, any>;

const COMMAND_LIMIT_SECONDS = 120;
const SUPERVISOR_IDLE_MS = 2000;

export async function openMachine(order: MachineOrder): Promise<Machine> {
  const folder = join(runsFolder, order.name);
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  removeFolder(folder);
  for (const place of [home, project]) mkdirSync(place, { recursive: true, mode: 0o700 });
  const model = await startModelServer({
    scripts: order.scripts,
    log: join(folder, "model.jsonl"),
    keepBodies: true,
  });
  const environment = environmentOf(order, home, model.url);
  for (const cli of order.clis) writeAll(home, cli.files(model.url));
  const git = (...words: string[]): string =>
    execFileSync("git", words, {
      cwd: project,
      env: environment,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  furnishProject(project, order, git);
  const run = (program: string, ...words: string[]): Promise<Answer> =>
    runProgram([program, ...words], { folder, project, environment });
  const ambit = (...words: string[]): Promise<Answer> => run(process.execPath, cliProgram, ...words);
  return {
    folder,
    project,
    ambit,
    json: async (...words) => {
      const { status, stdout, stderr } = await ambit(...words, "--json");
      return { status, document: parseDocument(words, stdout, stderr) };
    },
    git,
    run,
    requests: () => model.requests(),
    close: async () => {
      await ambit("supervisor", "stop");
      await model.close();
      for (const { pid } of processesMentioning(`${folder}/`)) process.kill(pid, "SIGKILL");
    },
  };
}

/** As `env -i`: nothing of whoever runs this reaches an agent. */
function environmentOf(order: MachineOrder, home: string, url: string): Readonly<Record<string, string>> {
  const path = [
    ...(order.programs ?? [binFolder]),
    dirname(process.execPath),
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
  ];
  return {
    PATH: path.join(":"),
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    AMBIT_IDLE_MS: String(SUPERVISOR_IDLE_MS),
    AMBIT_TRUST: "1",
    GIT_AUTHOR_NAME: "P",
    GIT_AUTHOR_EMAIL: "p@example.org",
    GIT_COMMITTER_NAME: "P",
    GIT_COMMITTER_EMAIL: "p@example.org",
    ...Object.assign({}, ...order.clis.map((cli) => cli.environment(url))),
  };
}

function furnishProject(project: string, order: MachineOrder, git: Machine["git"]): void {
  const definitions = order.clis
    .filter(({ acpCommand }) => acpCommand?.length !== 0)
    .map((cli) => [cli.name, describeDriver(cli)]);
  const agents = [...definitions, ...Object.entries(order.agents ?? {})];
  writeAll(project, {
    "readme.txt": "A project.\n",
    "ambit.yaml": `${order.config ?? ""}\n`,
    ...Object.fromEntries(
      agents.map(([name, head]) => [`.ambit/agents/${name}.md`, `---\n${head}\n---\nWork with care.\n`]),
    ),
  });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "-A");
  git("commit", "--quiet", "-m", "start");
}

function describeDriver({ name, model, acpCommand }: AgentCli): string {
  if (acpCommand === undefined) return `adapter: ${name}\nmodel: ${model}`;
  return `adapter: acp\ncommand: ${JSON.stringify(acpCommand)}`;
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, path), content);
  }
}

interface Surroundings {
  readonly folder: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Also written down: what a failed scenario printed is the first thing to look at. */
async function runProgram(
  [program = "", ...words]: readonly string[],
  { folder, project, environment }: Surroundings,
): Promise<Answer> {
  const child = spawn(program, words, {
    cwd: project,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: patience(COMMAND_LIMIT_SECONDS) * 1000,
  });
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  const shown = [program, ...words].join(" ").replace(`${process.execPath} ${cliProgram}`, "ambit");
  const lines = [`$ ${shown}`, stderr, stdout, `(${child.exitCode ?? child.signalCode})`, ""];
  writeFileSync(join(folder, "commands.txt"), lines.join("\n"), { flag: "a" });
  return { status: child.exitCode, stdout, stderr };
}

function parseDocument(words: readonly string[], stdout: string, stderr: string): Document {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(
      `ambit ${words.join(" ")} printed no document: ${(stdout + stderr).trim().slice(0, 300)}`,
    );
  }
}
