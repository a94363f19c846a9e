import { describeExit } from "../stream-json/exit-words.ts";
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { resolveProgram } from "../../containment/resolve-program.ts";

export interface AgentCommand {
  readonly command: readonly string[];
  readonly searchPath: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Codex needs about seven seconds to exit; Gemini never exits while an MCP server runs. */
const LEAVE_MS = 3000;
const TERMINATE_MS = 2000;
const KILL_MS = 1000;
/** A process it left behind may keep its output open for ever. */
const DRAIN_MS = 2000;

/** The agent's process, driven through its standard streams; its stderr goes to ours. */
export class AgentProcess {
  readonly #child: Child;
  readonly #exited: Promise<unknown>;

  constructor(child: Child) {
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once("exit", resolve);
      // Also emitted if a signal cannot be sent.
      child.on("error", resolve);
    });
  }

  get input(): Writable {
    return this.#child.stdin;
  }

  get output(): Readable {
    return this.#child.stdout;
  }

  /** Describes how it ended; undefined while it lives. Its output may end a moment earlier. */
  async describeExit(): Promise<string | undefined> {
    await this.#isGoneWithin(KILL_MS);
    const { exitCode: code, signalCode: signal } = this.#child;
    return code === null && signal === null ? undefined : describeExit({ code, signal });
  }

  /** Resolves when it has exited and all its output has been read. */
  async waitForExit(): Promise<void> {
    await this.#exited;
    if (!this.#child.stdout.readableEnded)
      await Promise.race([once(this.#child.stdout, "end").catch(() => undefined), delay(DRAIN_MS)]);
  }

  /** Closes its input, then sends signals. Our containment ends its children when we exit. */
  async endProcess(isHurried: boolean): Promise<void> {
    this.#child.stdin.end();
    if (await this.#isGoneWithin(isHurried ? KILL_MS : LEAVE_MS)) return;
    this.#child.kill("SIGTERM");
    if (await this.#isGoneWithin(TERMINATE_MS)) return;
    this.#child.kill("SIGKILL");
    await this.#isGoneWithin(KILL_MS);
  }

  async #isGoneWithin(patienceMs: number): Promise<boolean> {
    const aborted = new AbortController();
    const late = delay(patienceMs, false, { signal: aborted.signal }).catch(() => false);
    const gone = this.#exited.then(() => true);
    const isGone = await Promise.race([gone, late]);
    aborted.abort();
    return isGone;
  }
}

/** Undefined if the program does not exist. */
export async function startAgent(start: AgentCommand): Promise<AgentProcess | undefined> {
  const [name = "", ...rest] = start.command;
  const program = name.includes("/") ? name : resolveProgram(name, { PATH: start.searchPath }, "/");
  if (program === undefined) return undefined;
  const child = spawn(program, rest, {
    cwd: start.cwd,
    env: start.environment,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const isStarted = await new Promise<boolean>((resolve) => {
    child.once("spawn", () => resolve(true));
    child.once("error", () => resolve(false));
  });
  return isStarted ? new AgentProcess(child) : undefined;
}
