import type { ChildProcess } from "node:child_process";

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Our own child for the time of one run: a launcher, or the agent itself if there is none. */
export interface RunProcess {
  readonly pid: number;
  /** Whether the run has ended; its process may work for another run by then. */
  readonly isOver: () => boolean;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Calls back once, when the process has ended or its launcher says that nothing of the run is left. */
  readonly onceOver: (listener: (ending: Ending) => void) => void;
}

/** A process that ends with its run. */
export function describeChild(child: ChildProcess, pid: number): RunProcess {
  child.on("error", () => undefined);
  return {
    pid,
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    kill: (signal) => void child.kill(signal),
    onceOver: (listener) => void child.once("exit", (code, signal) => listener({ code, signal })),
  };
}
