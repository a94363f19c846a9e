import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { readProcess } from "../process-table/process-table.ts";
import { LAUNCHER_SCRIPT } from "./launcher-script.ts";
import type { Ending, RunProcess } from "./run-process.ts";
import { joinCallNumbers, type SystemCalls } from "./tools.ts";

/** The delay before a launcher is started ahead, because the steps towards the agent go first. */
const AHEAD_AFTER_MS = 100;
/** After this time without a run, only one launcher goes on waiting. */
const IDLE_MS = 5000;
/** The script's exit code if a condition is not met. */
const REFUSED = 125;
const LENGTH_BYTES = 4;
/** The descriptor on which the script waits. */
const CHANNEL = 4;

/** Describes one run, for a launcher that was started before the run was known. */
export interface LauncherOrders {
  /** All words that the launcher would have got on its command line. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Our own descriptors. They must stay open until the run is over. */
  readonly files: Readonly<Record<"stdin" | "stdout" | "stderr" | "facts", number>>;
  /** Whether the launcher may wait for another run afterwards: only if the agent cannot reach it. */
  readonly mayWaitAgain: boolean;
}

export interface PerlProgram {
  readonly perl: string;
  readonly systemCalls: SystemCalls;
}

/**
 * Keeps launchers that wait for their orders: the one that was started ahead, and those whose run is over. To start a
 * process, the kernel copies the page tables of one as large as ours, which takes longer than most steps of a
 * delegation. Launchers get our files by their numbers in `/proc`, end when their orders or we end, and belong to no run
 * while they wait.
 */
class LauncherPool {
  readonly #waiting: Launcher[] = [];
  /** The one that is being started ahead. */
  #starting: Launcher | undefined;
  #ahead: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Known as soon as the first launcher waits, or has ended because it may not open our files. */
  #isUsable: boolean | undefined;

  /** Passes the orders to a launcher; undefined if it is not known yet whether they can be taken, or if they cannot. */
  startRun(orders: LauncherOrders, program: PerlProgram): RunProcess | undefined {
    this.#startAhead(program);
    if (this.#isUsable !== true || holdsZero(orders)) return undefined;
    return (this.#takeWaiting() ?? this.#open(program))?.startRun(orders);
  }

  /** Ends all launchers that wait. */
  end(): void {
    clearTimeout(this.#ahead);
    this.#ahead = undefined;
    this.#starting?.end();
    this.#starting = undefined;
    this.#endWaiting(0);
  }

  #startAhead(program: PerlProgram): void {
    if (this.#isUsable === false || this.#ahead !== undefined) return;
    this.#ahead = setTimeout(() => {
      this.#ahead = undefined;
      if (!this.#waiting.some((launcher) => launcher.isAlive())) this.#starting ??= this.#open(program);
    }, AHEAD_AFTER_MS).unref();
  }

  #takeWaiting(): Launcher | undefined {
    for (let launcher = this.#waiting.pop(); launcher !== undefined; launcher = this.#waiting.pop())
      if (launcher.isAlive()) return launcher;
    return undefined;
  }

  #open(program: PerlProgram): Launcher | undefined {
    const child = spawnLauncher(program);
    // Without a process, there may be no streams either.
    const channel = child?.pid === undefined ? undefined : child.stdio[CHANNEL];
    if (child === undefined || !(channel instanceof Socket)) return undefined;
    return new Launcher(child, channel, {
      onWaiting: (launcher) => {
        if (this.#starting === launcher) this.#starting = undefined;
        this.#isUsable = true;
        this.#waiting.push(launcher);
        clearTimeout(this.#idle);
        this.#idle = setTimeout(() => this.#endWaiting(1), IDLE_MS).unref();
      },
      onGone: (launcher, code) => {
        if (this.#starting === launcher) this.#starting = undefined;
        if (code === REFUSED) this.#isUsable ??= false;
        const at = this.#waiting.indexOf(launcher);
        if (at !== -1) this.#waiting.splice(at, 1);
      },
    });
  }

  #endWaiting(kept: number): void {
    clearTimeout(this.#idle);
    for (const launcher of this.#waiting.splice(kept)) launcher.end();
  }
}

export const launcherPool = new LauncherPool();

/** Undefined if the system has no room for a process; Node reports some such failures later, by the event. */
function spawnLauncher({ perl, systemCalls }: PerlProgram): ChildProcess | undefined {
  const words = ["-e", LAUNCHER_SCRIPT, "--", "wait", String(process.pid), joinCallNumbers(systemCalls)];
  try {
    const child = spawn(perl, words, {
      cwd: "/",
      env: {},
      stdio: ["ignore", "ignore", "ignore", "ignore", "pipe"],
      detached: true,
    });
    child.on("error", () => undefined);
    return child;
  } catch {
    // The run that needs a process reports it.
    return undefined;
  }
}

interface Owner {
  readonly onWaiting: (launcher: Launcher) => void;
  readonly onGone: (launcher: Launcher, code: number | null) => void;
}

interface Run {
  readonly listeners: ((ending: Ending) => void)[];
  readonly mayWaitAgain: boolean;
  isOver: boolean;
}

/** One launcher process, through all its runs. */
class Launcher {
  readonly #child: ChildProcess;
  readonly #channel: Socket;
  readonly #owner: Owner;
  #run: Run | undefined;
  #hasStarted = false;
  #isUsedUp = false;

  constructor(child: ChildProcess, channel: Socket, owner: Owner) {
    this.#child = child;
    this.#channel = channel;
    this.#owner = owner;
    channel.on("error", () => undefined);
    channel.on("data", (letters: Buffer) => {
      for (const _ of letters) this.#noticeWaiting();
    });
    child.on("exit", (code, signal) => {
      this.#isUsedUp = true;
      owner.onGone(this, code);
      this.#settleRun({ code, signal });
    });
    this.#holdProcess(false);
  }

  /** A launcher may have been killed a moment ago, which we learn only in the next turn. */
  isAlive(): boolean {
    const { pid } = this.#child;
    return pid !== undefined && readProcess(pid)?.isZombie === false;
  }

  startRun(orders: LauncherOrders): RunProcess {
    const run: Run = { listeners: [], mayWaitAgain: orders.mayWaitAgain, isOver: false };
    this.#run = run;
    this.#holdProcess(true);
    this.#channel.write(formatOrders(orders));
    if (!orders.mayWaitAgain) this.#channel.end();
    return {
      pid: this.#child.pid ?? 0,
      isOver: () => run.isOver,
      kill: (signal) => {
        if (run.isOver) return;
        // The signal may arrive when the run is over.
        this.#isUsedUp = true;
        this.#child.kill(signal);
      },
      onceOver: (listener) => void run.listeners.push(listener),
    };
  }

  end(): void {
    this.#channel.destroy();
  }

  /** It says so when it has started, and after each run. */
  #noticeWaiting(): void {
    const isFirst = !this.#hasStarted;
    this.#hasStarted = true;
    const run = this.#run;
    if (isFirst && run !== undefined) return;
    this.#settleRun({ code: null, signal: null });
    if (this.#isUsedUp || run?.mayWaitAgain === false) return this.end();
    this.#holdProcess(false);
    return this.#owner.onWaiting(this);
  }

  #settleRun(ending: Ending): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    run.isOver = true;
    for (const listener of run.listeners) listener(ending);
  }

  /** Only a run keeps our process alive. */
  #holdProcess(isHeld: boolean): void {
    for (const one of [this.#child, this.#channel])
      if (isHeld) one.ref();
      else one.unref();
  }
}

/** A command of a criterion may hold a zero. Between words that zeros separate, it would become words of its own. */
function holdsZero({ words, cwd, environment }: LauncherOrders): boolean {
  return [cwd, ...words, ...Object.entries(environment).flat()].some((text) => text.includes("\0"));
}

/** The length comes first; the words are separated by zeros, which no argument and no variable can contain. */
function formatOrders({ words, cwd, environment, files }: LauncherOrders): Buffer {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const numbers = [files.stdin, files.stdout, files.stderr, files.facts].map(String);
  const orders = Buffer.from([cwd, ...numbers, String(words.length), ...words, ...variables].join("\0"));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(orders.length);
  return Buffer.concat([length, orders]);
}
