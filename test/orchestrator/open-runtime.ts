import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "vitest";
import type { JournalEvent, JournalEventType } from "../../src/contract/journal-event.ts";
import type { Approval, Delegation } from "../../src/journal/store.ts";
import type { Engine } from "../../src/orchestrator/engine.ts";
import {
  openProjectRuntime,
  type ProjectRuntime,
  type ProjectRuntimeOptions,
} from "../../src/supervisor/project-runtime.ts";
import { makeProject, until, type Project } from "../e2e/project.ts";
import { removeFolder } from "../e2e/remove-folder.ts";

type AdaptedOptions = Pick<ProjectRuntimeOptions, "adaptTools" | "judgePeer">;
/** Steps, or steps by attempt or by turn; text is taken as it is. */
type Script = string | object;
type EventOf<Type extends JournalEventType> = Extract<JournalEvent, { readonly type: Type }>;

/** A repository with the whole runtime in this process; workers are real processes that speak over its socket. */
export interface TestRuntime {
  readonly project: Project;
  readonly engine: Engine;
  readonly events: readonly JournalEvent[];
  /** Describes an agent that follows this script. */
  readonly agent: (name: string, script: Script) => void;
  /** Runs a story whose manager follows this script, to its end. */
  readonly run: (id: string, script: Script, more?: object) => Promise<Delegation>;
  /** Begins one, without waiting for its end. */
  readonly start: (id: string, script: Script, more?: object) => Promise<string>;
  /** Runs a story whose manager is this shell program. */
  readonly command: (id: string, line: string, more?: object) => Promise<Delegation>;
  readonly read: (id: string) => Promise<Delegation>;
  /** Types of the events of one delegation, in order. */
  readonly history: (id: string) => readonly string[];
  /** What the events of one type say about one delegation, in order. */
  readonly told: <Type extends JournalEventType>(id: string, type: Type) => readonly EventOf<Type>["data"][];
  readonly prompt: (id: string, attempt: number) => string;
  /** The return an attempt left, or the one that was written in its stead. */
  readonly returnOf: (id: string, attempt: number, name?: string) => unknown;
  /** What an attempt wrote. */
  readonly output: (id: string, attempt: number, stream?: "stdout" | "stderr") => string;
  /** The commit a branch or ref stands at; empty when there is none. */
  readonly ref: (name: string) => string;
  /** A file of a commit's tree; undefined when it is not there. */
  readonly file: (commit: string, path: string) => string | undefined;
  /** The next question that waits for an answer. */
  readonly question: () => Promise<Approval>;
  /** A path outside the project, for signals between a test and its workers. */
  readonly signal: (name: string) => string;
  /** Makes such a path, for a worker that waits for it. */
  readonly open: (signal: string) => void;
  readonly isOpen: (signal: string) => boolean;
  /** What workers have written to such a path. */
  readonly text: (signal: string) => string;
  /** Whether its worker has already made this file. */
  readonly has: (delegation: Delegation, path: string) => boolean;
  /** Closes the runtime and keeps the project. */
  readonly shut: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Each test has runtimes of its own, so that tests can run beside each other. */
export const it = test.extend<{
  readonly open: (settings?: string) => Promise<TestRuntime>;
  /** The same, but each worker's work is proven alone. */
  readonly openAlone: (settings?: string) => Promise<TestRuntime>;
}>({
  open: async ({ onTestFinished }, use) => {
    await use(async (settings) => {
      const runtime = await openRuntime(settings);
      onTestFinished(() => runtime.close());
      return runtime;
    });
  },
  openAlone: async ({ onTestFinished }, use) => {
    await use(async (settings) => {
      const runtime = await openRuntime(settings, { adaptTools: (tools) => ({ ...tools, maxTogether: 1 }) });
      onTestFinished(() => runtime.close());
      return runtime;
    });
  },
});

async function openRuntime(settings = "", more: AdaptedOptions = {}): Promise<TestRuntime> {
  const project = makeProject();
  if (settings !== "") {
    project.write("ambit.yaml", settings);
    project.git("commit", "--quiet", "-am", "settings");
  }
  return useRuntime(project, await openOn(project, more));
}

/** The same for a project that has been there before. */
export function useRuntime(project: Project, runtime: ProjectRuntime): TestRuntime {
  const { engine } = runtime;
  let isShut: Promise<void> | undefined;
  const events: JournalEvent[] = [];
  engine.tools.store.onEvent((event) => events.push(event));
  const folder = dirname(project.root);
  const start = (id: string, script: Script, more: object = {}): Promise<string> =>
    engine.openStory({
      id,
      title: `Story ${id}`,
      adapter: "scripted",
      command: [writeScript(project, id, script)],
      ...more,
    });
  const logs = (id: string, attempt: number): string =>
    join(project.root, ".git/ambit/logs", id, `attempt-${attempt}`);
  return {
    project,
    engine,
    events,
    agent: (name, script) => describeAgent(project, name, script),
    start,
    run: async (id, script, more = {}) => engine.whenEnded(await start(id, script, more)),
    command: async (id, line, more = {}) =>
      engine.whenEnded(
        await engine.openStory({ id, title: id, adapter: "command", command: ["sh", "-c", line], ...more }),
      ),
    read: (id) => engine.read(id),
    history: (id) => events.filter((event) => event.delegation === id).map(({ type }) => type),
    told: (id, type) => dataOf(events, id, type),
    prompt: (id, attempt) => readFileSync(join(logs(id, attempt), "prompt.md"), "utf8"),
    returnOf: (id, attempt, name = "return.json") =>
      JSON.parse(readFileSync(join(logs(id, attempt), name), "utf8")),
    output: (id, attempt, stream = "stdout") => readFileSync(join(logs(id, attempt), stream), "utf8"),
    ref: (name) => project.git("for-each-ref", "--format=%(objectname)", name).trim(),
    file: (commit, path) => fileOf(project, commit, path),
    question: async () => {
      const open = async (): Promise<readonly Approval[]> => engine.tools.store.openApprovals(10);
      await until("a question is asked", async () => (await open()).length > 0);
      const [first] = await open();
      if (first === undefined) throw new Error("somebody else answered");
      return first;
    },
    signal: (name) => join(folder, `signal-${name}`),
    open: (signal) => writeFileSync(signal, ""),
    isOpen: (signal) => existsSync(signal),
    text: (signal) => readFileSync(signal, "utf8"),
    has: ({ workspace }, path) => workspace !== null && existsSync(join(workspace.path, path)),
    shut: () => (isShut ??= runtime.close()),
    close: async () => {
      await (isShut ??= runtime.close());
      removeFolder(folder);
    },
  };
}

/** The runtime of a project, as a supervisor opens it. */
export function openOn(project: Project, more: AdaptedOptions = {}): Promise<ProjectRuntime> {
  const nothing = (): void => undefined;
  return openProjectRuntime({ ...runtimeOptions(project), onQuiet: nothing, onShutdown: nothing, ...more });
}

export function runtimeOptions(project: Project) {
  return {
    projectRoot: project.root,
    version: "0.0.0-test",
    environment: { PATH: process.env["PATH"], HOME: dirname(project.root), AMBIT_RUN_ID: "forged" },
    workerProgram: [process.execPath, resolve("dist/cli/main.cjs"), "__worker"],
    program: [process.execPath, resolve("dist/cli/main.cjs")],
  };
}

export function describeAgent(project: Project, name: string, script: Script): void {
  const file = writeScript(project, `agent-${name}`, script);
  project.write(
    `.ambit/agents/${name}.md`,
    `---\nname: ${name}\nadapter: scripted\ncommand: [${JSON.stringify(file)}]\n---\n`,
  );
}

export function writeScript(project: Project, name: string, script: Script): string {
  const folder = join(dirname(project.root), "scripts");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, typeof script === "string" ? script : JSON.stringify(script));
  return file;
}

/** The types know which data belongs to which type; the compiler sees it only through a signature of its own. */
function dataOf<Type extends JournalEventType>(
  events: readonly JournalEvent[],
  id: string,
  type: Type,
): readonly EventOf<Type>["data"][];
function dataOf(events: readonly JournalEvent[], id: string, type: string): readonly JournalEvent["data"][] {
  return events.filter((event) => event.delegation === id && event.type === type).map(({ data }) => data);
}

function fileOf(project: Project, commit: string, path: string): string | undefined {
  const isThere = project.git("ls-tree", "--name-only", commit, "--", path).trim() !== "";
  return isThere ? project.git("show", `${commit}:${path}`) : undefined;
}
