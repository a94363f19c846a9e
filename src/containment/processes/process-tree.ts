import type { ProcessIdentity, ProcessRecord } from "../launcher/contained-process.ts";
import type { LauncherFacts } from "../launcher/facts-file.ts";
import type { RunProcess } from "../launcher/run-process.ts";
import type { TreeProcesses } from "./measure-tree.ts";
import type { ProcessEntry, ProcessTable } from "../process-table/process-entry.ts";
import { listDescendants, readProcess, readProcessTable } from "../process-table/process-table.ts";
import { sweepRun } from "./sweep-run.ts";

export interface TreeParts {
  readonly run: RunProcess;
  readonly record: ProcessRecord;
  /** Undefined if there is no launcher. */
  readonly readFacts: (() => LauncherFacts) | undefined;
}

/** A launcher that has not ended everything by then is itself stuck. */
const LAUNCHER_PATIENCE_MS = 3000;

/** Everything that one launch started, and the ways to end it. */
export class ProcessTree {
  readonly #parts: TreeParts;
  /** A launcher has waited for the processes of its earlier runs, and holds their CPU time. */
  readonly #earlierCpuSeconds: number;
  #known: readonly ProcessIdentity[] = [];

  constructor(parts: TreeParts) {
    this.#parts = parts;
    this.#earlierCpuSeconds =
      parts.readFacts === undefined ? 0 : (readProcess(parts.run.pid)?.cpuSeconds ?? 0);
  }

  /** Empty once the run is over, because its launcher may serve another one by then. */
  processes(table: ProcessTable): TreeProcesses {
    if (this.#parts.run.isOver()) return { own: [], all: [] };
    const root = this.#parts.run.pid;
    const below = listDescendants(table, root);
    const all = [...this.#listRoot(table.get(root)), ...below.map(({ entry }) => entry)];
    const ownDepth = this.#ownDepth();
    if (ownDepth > 0)
      return { own: below.flatMap((item) => (item.depth >= ownDepth ? item.entry : [])), all };
    const seen = new Set(all.map(({ pid }) => pid));
    const orphans = [...table.values()].filter(({ pid, session }) => session === root && !seen.has(pid));
    return { own: [...all, ...orphans], all: [...all, ...orphans] };
  }

  #listRoot(root: ProcessEntry | undefined): readonly ProcessEntry[] {
    if (root === undefined) return [];
    return [{ ...root, cpuSeconds: root.cpuSeconds - this.#earlierCpuSeconds }];
  }

  /**
   * Sends SIGTERM to every process of the agent, because some agents are a launcher that does not pass signals on to its
   * worker.
   */
  askToEnd(): void {
    for (const { pid } of this.processes(readProcessTable()).own) signalProcess(pid, "SIGTERM");
  }

  /** Ends everything immediately. Returns before it is over; the exit event follows. */
  killTree(): void {
    if (this.#parts.readFacts === undefined) {
      this.#killDirectly();
      return;
    }
    this.#parts.run.kill("SIGTERM");
    const timer = setTimeout(() => this.#killDirectly(), LAUNCHER_PATIENCE_MS);
    timer.unref();
    this.#parts.run.onceOver(() => clearTimeout(timer));
  }

  /** Must be called after the exit. Returns how many processes are left after every attempt to end them. */
  async settleTree(): Promise<number> {
    const { record, readFacts } = this.#parts;
    if (readFacts?.().isClean === true) return 0;
    const { survivors } = await sweepRun(record, this.#known);
    return survivors.length;
  }

  /** How far below our child the agent begins: under the launcher, and under bubblewrap's two processes. */
  #ownDepth(): number {
    const { record, readFacts } = this.#parts;
    return (readFacts === undefined ? 0 : 1) + (record.tier === "pid-namespace" ? 2 : 0);
  }

  #killDirectly(): void {
    const { run } = this.#parts;
    if (run.isOver()) return;
    const below = listDescendants(readProcessTable(), run.pid).map(({ entry }) => entry);
    const { bootId } = this.#parts.record.identity;
    this.#known = below.map(({ pid, startTime }) => ({ bootId, pid, startTime }));
    signalProcess(-run.pid, "SIGKILL");
    for (const { pid } of below) signalProcess(pid, "SIGKILL");
    run.kill("SIGKILL");
  }
}

/** Signals a process that was seen below our own a moment ago. */
function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended in between.
  }
}
