import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cli, trustEverything } from "../../e2e/run-cli.ts";
import type { Defence } from "./defences.ts";
import { LossyLink } from "./lossy-link.ts";

export interface MachineOptions {
  readonly folder: string;
  readonly source: string;
  readonly slots: number;
  readonly without: Defence | undefined;
  readonly databaseUrl: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** One machine of the run: a clone, a home, a way to the database of its own, and `ambit worker`. */
export class ChaosMachine {
  readonly name: string;
  readonly #options: MachineOptions;
  readonly #root: string;
  readonly #home: string;
  readonly #link: LossyLink;
  #url = "";
  #process: ChildProcess | undefined;
  #isHeld = false;

  constructor(name: string, options: MachineOptions) {
    this.name = name;
    this.#options = options;
    this.#root = join(options.folder, name);
    this.#home = join(options.folder, `home-${name}`);
    this.#link = new LossyLink(options.databaseUrl);
    mkdirSync(this.#home, { recursive: true });
    execFileSync("git", ["clone", "--quiet", options.source, this.#root]);
  }

  get root(): string {
    return this.#root;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get isUp(): boolean {
    return this.#process !== undefined;
  }

  /** Neither frozen nor cut off. */
  get isFree(): boolean {
    return this.isUp && !this.#isHeld;
  }

  async start(): Promise<void> {
    const { slots, without, environment, folder } = this.#options;
    if (this.#url === "") this.#url = await this.#link.listen();
    const order = JSON.stringify({ root: this.#root, name: this.name, slots, without });
    const words =
      without === undefined
        ? [cli, "worker", "--name", this.name, "--slots", String(slots), "--trust-agents"]
        : ["--enable-source-maps", process.argv[1] ?? "", "--worker", order];
    const child = spawn(process.execPath, words, {
      cwd: without === undefined ? this.#root : process.cwd(),
      env: {
        ...environment,
        PATH: process.env["PATH"],
        HOME: this.#home,
        LC_ALL: "C",
        ...trustEverything,
        AMBIT_CLUSTER_URL: this.#url,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const log = createWriteStream(join(folder, `${this.name}.log`), { flags: "a" });
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
    this.#process = child;
    child.once("exit", () => {
      if (this.#process === child) this.#process = undefined;
    });
  }

  /** As if it lost its power: nothing of it runs on. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined) return;
    const ended = once(child, "exit");
    signalTree(child.pid, "SIGKILL");
    await ended;
  }

  freeze(): void {
    this.#isHeld = true;
    if (this.#process?.pid !== undefined) signalTree(this.#process.pid, "SIGSTOP");
  }

  thaw(): void {
    this.#isHeld = false;
    if (this.#process?.pid !== undefined) signalTree(this.#process.pid, "SIGCONT");
  }

  /** It runs on, without the database. */
  cutOff(): void {
    this.#isHeld = true;
    this.#link.cut();
  }

  reconnect(): void {
    this.#isHeld = false;
    this.#link.mend();
  }

  async leave(): Promise<void> {
    const child = this.#process;
    if (child !== undefined) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    await this.#link.close();
  }
}

/** Stopped from the root on, so that nothing starts meanwhile; a second look finds what was just started. */
export function signalTree(root: number, signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
  if (signal === "SIGKILL") for (const pid of listTree(root)) signalIfThere(pid, "SIGSTOP");
  for (let look = 0; look < 2; look += 1) for (const pid of listTree(root)) signalIfThere(pid, signal);
}

function listTree(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = readParent(name);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (pid: number): readonly number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
}

function readParent(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
  } catch {
    // Gone while we looked.
    return -1;
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Processes that belong to a folder, by their arguments or their working directory. */
export function findProcesses(folder: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => readOf(pid, "cmdline").includes(folder) || readOf(pid, "environ").includes(folder))
    .map(Number);
}

function readOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
