import { DelegationError } from "../../base/delegation-error.ts";
import type { Delegation, Settlement } from "../../journal/store.ts";
import { KeyedLock } from "../live/keyed-lock.ts";
import { isWaitOver } from "../parked/resume-parked.ts";
import type { LiveAttempts } from "../live/live-attempts.ts";
import { isOutside } from "./rules.ts";
import { conclude } from "./conclude.ts";
import { OutsideTimers } from "./timers.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { LEASE_MS } from "../running/prepare/prepare-attempt.ts";
import type { Step } from "../ports/step.ts";
import { workflowOf } from "../delegation/kind.ts";
import { advanceWorkflow } from "../workflow/advance-workflow.ts";

export interface OutsidePorts {
  readonly tools: RunTools;
  readonly live: LiveAttempts;
  /** Looks at a story again. */
  readonly consider: (id: string) => void;
}

const GRACE_MS = 20_000;
const moved: Step = { kind: "moved" };

/**
 * Managers that nobody here started: a person's own agent in a terminal leads the story. Its root is begun once, when
 * it joins, and stays in that attempt: `running` while it is there, `parked` while it waits or is gone. It ends when it
 * says so, when a person does, when it stays away, or when its time is over, and never by a process of ours.
 */
export class OutsideManagers {
  readonly #ports: OutsidePorts;
  readonly #timers: OutsideTimers;
  readonly #turns = new KeyedLock();
  /** Those that are there, by the token each was given. */
  readonly #present = new Map<string, string>();
  readonly #expected = new Set<string>();
  /** What those said last who have ended their work. */
  readonly #said = new Map<string, string>();

  /** `graceMs` is how long one that has gone may stay away before its story ends without it. */
  constructor(ports: OutsidePorts, graceMs = GRACE_MS) {
    this.#ports = ports;
    this.#timers = new OutsideTimers(ports.tools.clock, { graceMs, consider: ports.consider });
  }

  /** Opens a story for one that is there already, so that nobody gives it up before it has joined. */
  async open(id: string, openStory: () => Promise<unknown>): Promise<string> {
    this.#expected.add(id);
    try {
      await openStory();
      return await this.join(id);
    } finally {
      this.#expected.delete(id);
    }
  }

  /** It is there, for the first time or again; whoever had its place has it no longer. Answers its token. */
  join(id: string): Promise<string> {
    return this.#turns.run(id, async () => {
      const found = await this.#ports.tools.store.delegation(id);
      if (found === undefined || !isOutside(found) || workflowOf(found) !== undefined) throw notOutside(id);
      if (!canJoin(found)) throw hasEnded(found);
      const delegation = found.state === "queued" ? await this.#begin(found) : found;
      const token = this.#ports.live.enter(delegation);
      this.#present.set(id, token);
      this.#said.delete(id);
      this.#timers.isBack(id);
      this.#ports.consider(id);
      return token;
    });
  }

  /** Its connection is gone. Somebody else may have taken its place already. */
  leave(id: string, token: string): void {
    if (this.#present.get(id) !== token) return;
    this.#forget(id);
    this.#timers.hasGone(id);
    this.#ports.consider(id);
  }

  /** It has said that it is done: its story ends with the last of its workers. */
  finish(id: string, said: string): void {
    this.#said.set(id, said);
    this.#ports.consider(id);
  }

  /** What the story's state asks for; one look at a time. */
  advance({ id }: Delegation): Promise<Step> {
    return this.#turns.run(id, async () => {
      const delegation = await this.#ports.tools.store.delegation(id);
      if (delegation === undefined) throw notOutside(id);
      const facts = workflowOf(delegation);
      if (facts !== undefined)
        return advanceWorkflow(this.#ports.tools, { root: delegation, facts }, this.#ports.consider);
      if (delegation.state === "closed") return moved;
      if (delegation.state === "returned") return this.#verify(delegation);
      if (delegation.state === "verified" || delegation.state === "merged") return completed(delegation);
      return this.#look(delegation);
    });
  }

  /** Those that stay away: their stories end by themselves. */
  away(): readonly string[] {
    return this.#timers.away();
  }

  ended(id: string): void {
    this.#forget(id);
    this.#said.delete(id);
    this.#timers.forget(id);
  }

  close(): void {
    this.#timers.close();
  }

  async #begin(queued: Delegation): Promise<Delegation> {
    const { tools } = this.#ports;
    await tools.store.begin(queued.id, queued.attempt + 1, await this.#lease());
    return (await tools.store.delegation(queued.id)) ?? queued;
  }

  async #lease() {
    const { tools } = this.#ports;
    const { limits } = await tools.settings();
    return { owner: tools.owner, leaseMs: LEASE_MS, maxConcurrent: limits.maxConcurrent };
  }

  async #look(delegation: Delegation): Promise<Step> {
    const { id, openWorkers, cancelRequested } = delegation;
    const isHere = this.#present.has(id) || this.#expected.has(id);
    const time = this.#timers.look(delegation, isHere);
    if (openWorkers > 0 && cancelRequested)
      return close({ outcome: "cancelled", summary: "Stopped on request." });
    if (openWorkers > 0 && time === "over")
      return close({ outcome: "timed_out", code: "TIMEOUT", summary: "Its time was over." });
    const isDone = cancelRequested || time !== "left" || this.#said.has(id);
    if (openWorkers === 0 && isDone) return this.#conclude(delegation);
    await this.#standAs(delegation, isHere);
    return { kind: "waiting" };
  }

  /** Success takes the same way through the states as any other; nothing is left to be merged. */
  async #conclude(delegation: Delegation): Promise<Step> {
    const { id, story, attempt } = delegation;
    const settlement = conclude(await this.#workers(delegation), this.#said.get(id) ?? "");
    if (settlement.outcome !== "completed") return close(settlement);
    const data = { status: "completed", summary: settlement.summary, artifacts: [] };
    await this.#ports.tools.store.record({
      type: "delegation-returned",
      story,
      delegation: id,
      attempt,
      data,
    });
    return moved;
  }

  async #verify(delegation: Delegation): Promise<Step> {
    const { id, story, attempt } = delegation;
    const { filesChanged = [] } = conclude(await this.#workers(delegation), "");
    const data = { passed: 0, failed: 0, unverified: 0, candidate: null, filesChanged: [...filesChanged] };
    await this.#ports.tools.store.record({
      type: "delegation-verified",
      story,
      delegation: id,
      attempt,
      data,
    });
    return moved;
  }

  /** The journal says whether anybody is there. */
  async #standAs(delegation: Delegation, isHere: boolean): Promise<void> {
    const { tools } = this.#ports;
    const { id, story, attempt, state } = delegation;
    if (isHere && state === "parked" && (await isWaitOver(tools, delegation)))
      await tools.store.rejoin(id, attempt, await this.#lease());
    if (isHere || state !== "running") return;
    const open = (await this.#workers(delegation)).filter((worker) => worker.state !== "closed");
    const data = { waitingFor: open.map((worker) => worker.id) };
    await tools.store.record({ type: "delegation-parked", story, delegation: id, attempt, data });
  }

  async #workers({ id, story }: Delegation): Promise<readonly Delegation[]> {
    const tree = await this.#ports.tools.store.storyTree(story);
    return tree.filter(({ parent }) => parent === id);
  }

  #forget(id: string): void {
    if (this.#present.delete(id)) void this.#ports.live.leave(id);
  }
}

function completed({ summary, filesChanged }: Delegation): Step {
  return close({ outcome: "completed", summary, filesChanged });
}

function close(settlement: Settlement): Step {
  return { kind: "close", settlement };
}

function canJoin({ state, cancelRequested }: Delegation): boolean {
  return !cancelRequested && (state === "queued" || state === "running" || state === "parked");
}

function notOutside(id: string): DelegationError {
  return new DelegationError({
    code: "STORY_NOT_FOUND",
    message: `There is no story ${id} that is led from outside.`,
    recommendation: "Leave the story away: a new one is opened.",
  });
}

function hasEnded({ id, outcome, state }: Delegation): DelegationError {
  return new DelegationError({
    code: "PARENT_NOT_RUNNING",
    message: `${id} has ended or is ending (${outcome ?? state}); nobody can lead it any more.`,
    recommendation: "Leave the story away: a new one is opened.",
  });
}
