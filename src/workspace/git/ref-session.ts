import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Socket } from "node:net";
import { workspaceErrors } from "../../errors/workspace.ts";
import { type RefChange, formatRefLine } from "./ref-change.ts";
import { getRefPlace, type Repository } from "./repository.ts";
import { startGitProcess } from "./run-git.ts";

const ANSWER_MS = 10_000;
const DONE = "start: ok\nprepare: ok\ncommit: ok\n";

/**
 * A git process that waits for ref changes. Starting one costs more than the rest of handing out a waiting checkout,
 * so the pool keeps one. Git itself makes the changes, in one transaction each. The process ends when we do, because
 * its input closes.
 */
export class RefSession {
  readonly #repository: Repository;
  #child: ChildProcessWithoutNullStreams | undefined;
  #answer = "";
  #wake: (() => void) | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  /** Starts the process before its first use. */
  warmUp(): void {
    this.#child ??= this.#startGit();
  }

  /** Makes all changes or none; throws if git refuses, and the next call starts a new process. */
  async changeRefs(changes: readonly RefChange[]): Promise<void> {
    // If no caller waits, git gets its orders before this caller continues.
    const turn =
      this.#waiting === 0 ? this.#changeNow(changes) : this.#turn.then(() => this.#changeNow(changes));
    this.#turn = turn.catch(() => undefined);
    this.#waiting += 1;
    try {
      await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  close(): void {
    this.#child?.stdin.end();
    this.#child = undefined;
  }

  async #changeNow(changes: readonly RefChange[]): Promise<void> {
    const child = (this.#child ??= this.#startGit());
    const lines = changes.map((change) => formatRefLine(this.#repository, change));
    this.#answer = "";
    child.stdin.write(`start\n${lines.join("")}prepare\ncommit\n`);
    await this.#waitUntil(() => this.#answer === DONE || this.#child !== child);
    if (this.#answer === DONE) return;
    this.#child = undefined;
    child.kill("SIGKILL");
    throw workspaceErrors.refChangeRefused(changes.map(({ ref }) => ref));
  }

  #startGit(): ChildProcessWithoutNullStreams {
    const child = startGitProcess({
      place: getRefPlace(this.#repository),
      arguments: ["update-ref", "--stdin"],
    });
    child.stdout.on("data", (chunk: Buffer) => {
      this.#answer += chunk.toString("latin1");
      this.#wake?.();
    });
    const forget = (): void => {
      if (this.#child === child) this.#child = undefined;
      this.#wake?.();
    };
    child.on("error", forget).on("exit", forget);
    // Writing to a process that has just died fails; its exit reports the same.
    child.stdin.on("error", forget);
    child.stderr.resume();
    unrefProcess(child);
    return child;
  }

  /** A plain timer also keeps our process alive while nothing else does. */
  async #waitUntil(isReached: () => boolean): Promise<boolean> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake?.();
    }, ANSWER_MS);
    try {
      while (!isReached()) {
        if (isLate) return false;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      return true;
    } finally {
      clearTimeout(timer);
      this.#wake = undefined;
    }
  }
}

/** While git only waits, it must not keep our own process alive. */
function unrefProcess(child: ChildProcessWithoutNullStreams): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr])
    if (stream instanceof Socket) stream.unref();
}
