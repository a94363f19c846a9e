import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { SystemCalls } from "./tools.ts";
import { readProcess } from "../process-table/process-table.ts";
import { LAUNCHER_SCRIPT } from "./launcher-script.ts";

/** The delay before the next launcher is started, because the steps towards the agent go first. */
const REPLACE_AFTER_MS = 100;
/** The script's exit code if a condition is not met. */
const REFUSED = 125;

/** Describes one run, for a launcher that was started before the run was known. */
export interface LauncherOrders {
  /** All words that the launcher would have got on its command line. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Paths or our own descriptors. They must stay open until the process ends. */
  readonly files: Readonly<Record<"stdin" | "stdout" | "stderr" | "facts", number>>;
}

interface PerlProgram {
  readonly perl: string;
  readonly systemCalls: SystemCalls;
}

/**
 * Keeps one launcher that has started already and waits for its orders: starting a process from one as large as ours
 * takes longer than most steps of a delegation. It gets our files by their numbers in `/proc`, ends when its input or we
 * end, and belongs to no run until then.
 */
class WaitingLauncher {
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isUnusable = false;

  /** Starts the next one soon. */
  prepare(program: PerlProgram): void {
    if (this.#isUnusable || this.#child !== undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#child = this.#start(program);
    }, REPLACE_AFTER_MS).unref();
  }

  /** Passes the orders to the waiting launcher; undefined if none waits, or if the system will not take the orders. */
  use(orders: LauncherOrders): ChildProcess | undefined {
    if (holdsZero(orders)) return undefined;
    const child = this.#child;
    this.#child = undefined;
    // The launcher may have been killed a moment ago, which we learn only in the next turn.
    if (child?.pid === undefined || readProcess(child.pid)?.isZombie !== false) return undefined;
    child.removeAllListeners("exit");
    child.ref();
    child.stdin?.end(formatOrders(orders));
    return child;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#child?.stdin?.destroy();
    this.#child = undefined;
  }

  #start({ perl, systemCalls }: PerlProgram): ChildProcess | undefined {
    const words = ["-e", LAUNCHER_SCRIPT, "--", "wait", String(process.pid), String(systemCalls.prctl)];
    const child = spawn(perl, words, {
      cwd: "/",
      env: {},
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    // Without orders the launcher ends only if it may not open our files; then it would never be of use.
    child.on("exit", (code) => {
      if (this.#child !== child) return;
      this.#isUnusable = code === REFUSED;
      this.#child = undefined;
    });
    child.on("error", () => undefined);
    child.stdin.on("error", () => undefined);
    child.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
    return child;
  }
}

export const waitingLauncher = new WaitingLauncher();

/** A command of a criterion may hold a zero. Between words that zeros separate, it would become words of its own. */
function holdsZero({ words, cwd, environment }: LauncherOrders): boolean {
  return [cwd, ...words, ...Object.entries(environment).flat()].some((text) => text.includes("\0"));
}

/**
 * The words are separated by zeros, which no argument and no variable can contain; the last word shows that all have
 * arrived.
 */
function formatOrders({ words, cwd, environment, files }: LauncherOrders): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const numbers = [files.stdin, files.stdout, files.stderr, files.facts].map(String);
  return [cwd, ...numbers, String(words.length), ...words, ...variables, "end"].join("\0");
}
