import { deepStrictEqual, ok } from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type CheckoutPlace, type Seen, seeCheckout } from "../../workspace/checkout-place.ts";
import { type MergeEnd, type Merging, readHead } from "../../workspace/merge-in-checkout.ts";
import type { Random } from "../random.ts";

export type Way = "merge" | "undo";

/** How one story is merged and undone. */
export interface Mover {
  readonly merge: () => Promise<MergeEnd["status"]>;
  /** False if there is nothing to undo; throws if it is refused for another reason. */
  readonly undo: () => Promise<boolean>;
  /** Begins it in a process that gets SIGKILL at a random moment; false if it ended before that. */
  readonly kill: (way: Way) => Promise<boolean>;
}

/** How many kills there were, and how many of them found a move that had begun. */
export interface KillTally {
  kills: number;
  inTheMiddle: number;
}

/** What is noted about a move while it is under way. */
function noteFile({ stateDirectory }: CheckoutPlace): string {
  return join(stateDirectory, "user-merge.json");
}

/**
 * A random moment of a move that usually takes this long: half of them in all of its time, half of them after it has
 * begun to change something.
 */
export async function waitForMoment(project: CheckoutPlace, random: Random, usualMs: number): Promise<void> {
  const [isInside, share] = [random.chance(0.5), random.next()];
  if (!isInside) return wait(share * 1.1 * usualMs);
  const endMs = performance.now() + 3 * usualMs;
  while (!existsSync(noteFile(project)) && performance.now() < endMs) await wait(1);
  return wait(share * MOVING_SHARE * usualMs);
}

/** About how much of the time of a move is between its first change and its last. */
const MOVING_SHARE = 0.3;

export interface KillOptions {
  readonly random: Random;
  readonly tally: KillTally;
  /** A control: what was noted about the move is removed after the kill. */
  readonly forgets?: boolean;
}

/** A merge and an undo that are killed first; the next call must then do what was asked, or its opposite. */
export class KilledMoves implements Merging {
  readonly #project: CheckoutPlace;
  readonly #mover: Mover;
  readonly #options: KillOptions;

  constructor(project: CheckoutPlace, mover: Mover, options: KillOptions) {
    this.#project = project;
    this.#mover = mover;
    this.#options = options;
  }

  /** Killed, then sometimes undone instead, and in the end merged. */
  readonly merge = async (): Promise<MergeEnd> => {
    const project = this.#project;
    const [before, head] = [seeCheckout(project), readHead(project)];
    const middle = await this.#kill("merge");
    if (this.#options.random.chance(0.3)) {
      await this.#mover.undo();
      deepStrictEqual(seeCheckout(project), before, "undo of a killed merge");
    }
    const status = await this.#mover.merge();
    checkMiddle(middle, before, seeCheckout(project));
    const isMerged = status === "already-merged" && readHead(project) !== head;
    return { status: isMerged ? "merged" : status, isEdited: false };
  };

  /** Killed, then sometimes merged again, and in the end undone. */
  readonly undo = async (): Promise<void> => {
    const project = this.#project;
    const merged = seeCheckout(project);
    const middle = await this.#kill("undo");
    if (this.#options.random.chance(0.3)) {
      const status = await this.#mover.merge();
      ok(status === "merged" || status === "already-merged", `merged again after a killed undo: ${status}`);
      deepStrictEqual(leaveOutCommits(seeCheckout(project)), leaveOutCommits(merged), "merged again");
    }
    await this.#mover.undo();
    checkMiddle(middle, merged, seeCheckout(project));
  };

  async #kill(way: Way): Promise<Seen> {
    const { tally, forgets } = this.#options;
    const note = noteFile(this.#project);
    if (await this.#mover.kill(way)) {
      tally.kills += 1;
      if (existsSync(note)) tally.inTheMiddle += 1;
    }
    if (forgets === true)
      for (const file of [note, join(this.#project.root, ".git/index.lock")]) rmSync(file, { force: true });
    return seeCheckout(this.#project);
  }
}

/** When the process was killed, each file was the old or the new one, or on its way from one to the other. */
function checkMiddle(middle: Seen, before: Seen, after: Seen): void {
  for (const [path, content] of Object.entries(middle)) {
    if (path.startsWith("the ")) continue;
    ok(content === before[path] || content === after[path], `${path} was neither the old nor the new file`);
  }
}

/** A second merge commit is another commit; everything else must be the same. */
function leaveOutCommits(seen: Seen): Seen {
  return { ...seen, "the refs": "" };
}
