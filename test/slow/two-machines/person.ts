import { execFileSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { AgentCli } from "../../../e2e/real-cli/harness/clis.ts";
import { binFolder, cliProgram } from "../../../e2e/real-cli/harness/places.ts";
import type { Answer, Machine, RunPlace } from "./network.ts";

export interface PersonOptions {
  readonly folder: string;
  readonly clis: readonly AgentCli[];
  readonly databaseUrl: string;
}

const MODEL_URL = "http://127.0.0.1:8765";
const READY_MS = 60_000;

/** Who works on a machine: types commands in its clone, with a home and agent programs there. */
export class Person {
  readonly machine: Machine;
  readonly #project: string;
  readonly #folder: string;
  readonly #place: RunPlace;
  #worker: ChildProcess | undefined;
  #told = "";

  constructor(machine: Machine, { folder, clis, databaseUrl }: PersonOptions) {
    this.machine = machine;
    this.#folder = folder;
    this.#project = join(folder, "project");
    const [home, bin, temporary] = [join(folder, "home"), join(folder, "bin"), join(folder, "tmp")];
    for (const place of [home, bin, temporary, this.#project]) mkdirSync(place, { mode: 0o700 });
    symlinkSync(cliProgram, join(bin, "ambit"));
    for (const { files } of clis)
      for (const [path, text] of Object.entries(files(MODEL_URL))) write(join(home, path), text);
    this.#place = {
      directory: this.#project,
      environment: {
        PATH: [bin, binFolder, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
        HOME: home,
        // Machines do not share it; what ended processes left there is known by their numbers.
        TMPDIR: temporary,
        LANG: "C.UTF-8",
        TERM: "dumb",
        GIT_AUTHOR_NAME: "P",
        GIT_AUTHOR_EMAIL: "p@example.org",
        GIT_COMMITTER_NAME: "P",
        GIT_COMMITTER_EMAIL: "p@example.org",
        AMBIT_CLUSTER_URL: databaseUrl,
        ...Object.assign({}, ...clis.map((cli) => cli.environment(MODEL_URL))),
      },
    };
  }

  get name(): string {
    return this.machine.name;
  }

  run(...words: string[]): Promise<Answer> {
    return this.machine.run(words, this.#place);
  }

  async must(...words: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(...words);
    if (status !== 0) throw new Error(`${this.name}: ${words.join(" ")} (${status}): ${stdout}${stderr}`);
    return stdout;
  }

  /** From outside of its machine. */
  git(...words: string[]): string {
    return execFileSync("git", words, { cwd: this.#project, encoding: "utf8" });
  }

  makeProject(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) write(join(this.#project, path), text);
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("add", "-A");
    this.git("-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "--quiet", "-m", "start");
  }

  async clone(url: string): Promise<void> {
    await this.must("git", "clone", "--quiet", "--branch", "main", url, ".");
  }

  /** A scripted model on the machine's own loopback, as the library gives it to everybody. */
  async startModel(scripts: object): Promise<void> {
    const file = join(this.#folder, "model.mjs");
    const library = resolve("dist/lib/testing.js");
    const options = `{ scripts: ${JSON.stringify(scripts)}, port: ${new URL(MODEL_URL).port}, log: ${JSON.stringify(this.#modelLog)}, keepBodies: true }`;
    write(
      file,
      `import { startModelServer } from ${JSON.stringify(library)};\nimport { writeFileSync } from "node:fs";\nawait startModelServer(${options});\nwriteFileSync(${JSON.stringify(`${file}.ready`)}, "");\n`,
    );
    this.machine.start([process.execPath, file], this.#place);
    for (const end = Date.now() + READY_MS; !existsSync(`${file}.ready`); await delay(50))
      if (Date.now() > end) throw new Error(`the model on ${this.name} did not start`);
  }

  /** Whose prompts the model has seen, and whether Ambit's tools came with them. */
  readModel(): { readonly asked: readonly string[]; readonly tools: boolean } {
    const text = existsSync(this.#modelLog) ? readFileSync(this.#modelLog, "utf8") : "";
    const requests: readonly { script?: string; kind?: string }[] = text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const asked = requests.flatMap(({ kind, script }) =>
      kind === "scripted" && script !== undefined ? [script] : [],
    );
    return { asked: [...new Set(asked)].toSorted(), tools: text.includes("delegate") };
  }

  async startWorker(...flags: string[]): Promise<void> {
    const child = this.machine.start(["ambit", "worker", "--name", this.name, ...flags], this.#place);
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (bytes) => (this.#told += String(bytes)));
    this.#worker = child;
    for (const end = Date.now() + READY_MS; !this.#told.includes("is ready"); await delay(50))
      if (Date.now() > end || child.exitCode !== null)
        throw new Error(`${this.name} did not become ready: ${this.#told}`);
  }

  /** As a service manager asks it to. */
  async leave(): Promise<number | null> {
    const child = this.#worker;
    if (child === undefined) return null;
    const ended = once(child, "exit");
    await this.run("pkill", "-TERM", "-f", "ambit worker --name");
    await ended;
    return child.exitCode;
  }

  /** Whether a program with these words is there. */
  async runs(words: string): Promise<boolean> {
    return (await this.run("pgrep", "-f", words)).status === 0;
  }

  async listAttempts(story: string): Promise<readonly string[]> {
    return (await this.#readStarts(story)).map(
      ({ delegation, attempt, data }) =>
        `${delegation}.${attempt} ${data.owner.replace(/^machine (.*)\/.*$/, "$1")}`,
    );
  }

  async readStart(story: string, attempt: number): Promise<number> {
    const found = (await this.#readStarts(story)).find((event) => event.attempt === attempt);
    return found === undefined ? 0 : Date.parse(found.at);
  }

  async listMachines(): Promise<readonly { readonly name: string; readonly alive: boolean }[]> {
    const { machines } = JSON.parse(await this.must("ambit", "cluster", "status", "--json"));
    return machines.map((one: { name: string; alive: boolean }) => ({ name: one.name, alive: one.alive }));
  }

  async #readStarts(story: string): Promise<readonly StartEvent[]> {
    const { stdout } = await this.run("ambit", "logs", story, "--events", "--json");
    const events: readonly StartEvent[] = JSON.parse(stdout).events;
    return events.filter(({ type }) => type === "attempt-started");
  }

  get #modelLog(): string {
    return join(this.#folder, "model.jsonl");
  }
}

interface StartEvent {
  readonly type: string;
  readonly at: string;
  readonly delegation: string;
  readonly attempt: number;
  readonly data: { readonly owner: string };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text);
}
