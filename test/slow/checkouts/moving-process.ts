/** Merges and undoes by calls, in a process that can be killed. */
import { ok } from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { openRepository } from "../../../src/workspace/repository.ts";
import { type ApplyRequest, applyMerge, undoMerge } from "../../../src/workspace/user-merge.ts";
import type { CheckoutPlace } from "../../workspace/checkout-place.ts";
import { makeRequest, type RunStory, STORY } from "../../workspace/merge-in-checkout.ts";
import { KilledMoves, type KillOptions, waitForMoment, type Way } from "./kill-moves.ts";

interface MoveOrder {
  readonly way: Way;
  readonly request: ApplyRequest;
}

/** What the process does: one move for each line it reads. */
export async function obeyMoves(place: string): Promise<void> {
  const { root, home, stateDirectory } = JSON.parse(place);
  const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
  const context = { repository, stateDirectory };
  process.stdout.write("ready\n");
  for await (const line of createInterface({ input: process.stdin })) {
    const { way, request }: MoveOrder = JSON.parse(line);
    const { status } = await (way === "merge" ? applyMerge(context, request) : undoMerge(context, request));
    process.stdout.write(`${status}\n`);
  }
}

export interface ProcessOptions extends KillOptions {
  /** The words that start `obeyMoves`; the place comes behind them. */
  readonly program: readonly string[];
}

const FIRST_GUESS_MS = 150;

export class MovingProcess {
  readonly #project: CheckoutPlace;
  readonly #options: ProcessOptions;
  readonly #usualMs = { merge: FIRST_GUESS_MS, undo: FIRST_GUESS_MS };
  #child: ChildProcess | undefined;

  constructor(project: CheckoutPlace, options: ProcessOptions) {
    this.#project = project;
    this.#options = options;
  }

  readonly runStory: RunStory = async (project, state) => {
    const request = await makeRequest(project, state);
    const mover = {
      merge: async () => (await applyMerge(project, request)).status,
      undo: () => undoIfMerged(project),
      kill: (way: Way) => this.#kill({ way, request }),
    };
    return new KilledMoves(project, mover, this.#options);
  };

  close(): void {
    this.#child?.kill("SIGKILL");
  }

  async #kill(order: MoveOrder): Promise<boolean> {
    const child = await this.#ready();
    const began = performance.now();
    child.stdin?.write(`${JSON.stringify(order)}\n`);
    const moment = waitForMoment(this.#project, this.#options.random, this.#usualMs[order.way]);
    const answer = await Promise.race([readAnswer(child), moment]);
    if (answer !== undefined) {
      this.#usualMs[order.way] = performance.now() - began;
      return false;
    }
    ok(child.exitCode === null, "the moving process failed");
    child.kill("SIGKILL");
    if (child.signalCode === null) await once(child, "exit");
    this.#child = undefined;
    return true;
  }

  async #ready(): Promise<ChildProcess> {
    if (this.#child !== undefined) return this.#child;
    const { root, home, stateDirectory } = this.#project;
    const [program = "", ...words] = this.#options.program;
    const child = spawn(program, [...words, JSON.stringify({ root, home, stateDirectory })], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdin.on("error", () => undefined);
    await readAnswer(child);
    this.#child = child;
    return child;
  }
}

async function readAnswer(child: ChildProcess): Promise<string> {
  const [line] = await once(child.stdout ?? child, "data");
  return String(line);
}

/** A merge that was killed before it began has nothing to undo. */
async function undoIfMerged(project: CheckoutPlace): Promise<boolean> {
  const undone = await undoMerge(project, { story: STORY });
  if (undone.status === "undone") return true;
  ok(undone.kind === "nothing-to-undo", JSON.stringify(undone));
  return false;
}
