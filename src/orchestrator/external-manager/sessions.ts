import { countThings } from "../../base/count-things.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";
import type { Delegation, Settlement } from "../../journal/store.ts";
import { isExternalManager } from "../delegation/kind.ts";
import { readLease } from "../delegation/lease.ts";
import { recordEvent } from "../delegation/record.ts";
import { KeyedLock } from "../live/keyed-lock.ts";
import type { LiveAttempts } from "../live/live-attempts.ts";
import { isWaitOver } from "../parked/resume-parked.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { closeWith, moved, waiting, type Step } from "../ports/step.ts";
import { ExternalManagerTimers } from "./timers.ts";

export interface SessionPorts {
  readonly tools: RunTools;
  readonly live: LiveAttempts;
  /** Looks at a story again. */
  readonly consider: (id: string) => void;
}

const GRACE_MS = 20_000;

/**
 * Stories led by a person's own agent, which Ambit did not start. The root begins once, when the manager joins, and stays
 * in that attempt: `running` while the manager is connected, `parked` while it waits or is away. It ends when the manager
 * or a person says so, when the manager stays away, or at its timeout; never because a process of ours ended.
 */
export class ExternalManagers {
  readonly #ports: SessionPorts;
  readonly #timers: ExternalManagerTimers;
  readonly #turns = new KeyedLock();
  /** The token of each connected manager. */
  readonly #connected = new Map<string, string>();
  readonly #expected = new Set<string>();
  /** The last words of managers that have finished. */
  readonly #lastWords = new Map<string, string>();

  /** `graceMs` is how long a manager may stay away before its story ends without it. */
  constructor(ports: SessionPorts, graceMs = GRACE_MS) {
    this.#ports = ports;
    this.#timers = new ExternalManagerTimers(ports.tools.clock, { graceMs, consider: ports.consider });
  }

  /** Opens a story for a manager that is connected already, so that the story does not end before it has joined. */
  async open(id: string, openStory: () => Promise<unknown>): Promise<string> {
    this.#expected.add(id);
    try {
      await openStory();
      return await this.join(id);
    } finally {
      this.#expected.delete(id);
    }
  }

  /** Connects a manager, for the first time or again, and replaces any earlier one. Answers its token. */
  join(id: string): Promise<string> {
    return this.#turns.runInOrder(id, async () => {
      const found = await this.#ports.tools.store.delegation(id);
      if (found === undefined || !isExternalManager(found)) throw orchestratorErrors.notExternallyManaged(id);
      if (!acceptsManager(found))
        throw orchestratorErrors.managerNoLongerAccepted(id, found.outcome ?? found.state);
      const delegation = found.state === "queued" ? await this.#beginStory(found) : found;
      const token = this.#ports.live.registerAttempt(delegation);
      this.#connected.set(id, token);
      this.#lastWords.delete(id);
      this.#timers.markPresent(id);
      this.#ports.consider(id);
      return token;
    });
  }

  /** Its connection is gone, unless another connection has replaced it already. */
  leave(id: string, token: string): void {
    if (this.#connected.get(id) !== token) return;
    this.#disconnect(id);
    this.#timers.markGone(id);
    this.#ports.consider(id);
  }

  /** The manager has finished: its story ends with the last of its workers. */
  finish(id: string, said: string): void {
    this.#lastWords.set(id, said);
    this.#ports.consider(id);
  }

  /** Takes the step that the story's state asks for; one step at a time. */
  advance({ id }: Delegation): Promise<Step> {
    return this.#turns.runInOrder(id, async () => {
      const delegation = await this.#ports.tools.store.delegation(id);
      if (delegation === undefined) throw orchestratorErrors.notExternallyManaged(id);
      const { state, summary, filesChanged } = delegation;
      if (state === "closed") return moved;
      if (state === "returned") return this.#verifyStory(delegation);
      if (state === "verified" || state === "merged")
        return closeWith({ outcome: "completed", summary, filesChanged });
      return this.#lookAtStory(delegation);
    });
  }

  /** The managers that are away: their stories end by themselves. */
  listAway(): readonly string[] {
    return this.#timers.listAway();
  }

  forgetEnded(id: string): void {
    this.#disconnect(id);
    this.#lastWords.delete(id);
    this.#timers.forgetStory(id);
  }

  close(): void {
    this.#timers.clearTimers();
  }

  async #beginStory(queued: Delegation): Promise<Delegation> {
    const { tools } = this.#ports;
    await tools.store.begin(queued.id, queued.attempt + 1, await readLease(tools, queued.story));
    return (await tools.store.delegation(queued.id)) ?? queued;
  }

  async #lookAtStory(delegation: Delegation): Promise<Step> {
    const { id, openWorkers, cancelRequested } = delegation;
    const isConnected = this.#connected.has(id) || this.#expected.has(id);
    const time = this.#timers.checkTime(delegation, isConnected);
    if (openWorkers > 0 && cancelRequested)
      return closeWith({ outcome: "cancelled", summary: "Stopped on request." });
    if (openWorkers > 0 && time === "over")
      return closeWith({ outcome: "timed_out", code: "TIMEOUT", summary: "Timed out." });
    const isDone = cancelRequested || time !== "left" || this.#lastWords.has(id);
    if (openWorkers === 0 && isDone) return this.#concludeStory(delegation);
    await this.#recordPresence(delegation, isConnected);
    return waiting;
  }

  /** Success passes through the same states as any other delegation, although nothing is left to merge. */
  async #concludeStory(delegation: Delegation): Promise<Step> {
    const settlement = settleByWorkers(
      await this.#listWorkers(delegation),
      this.#lastWords.get(delegation.id) ?? "",
    );
    if (settlement.outcome !== "completed") return closeWith(settlement);
    const data = { status: "completed", summary: settlement.summary, artifacts: [] };
    await recordEvent(this.#ports.tools, delegation, { type: "delegation-returned", data });
    return moved;
  }

  async #verifyStory(delegation: Delegation): Promise<Step> {
    const { filesChanged = [] } = settleByWorkers(await this.#listWorkers(delegation), "");
    const data = { passed: 0, failed: 0, unverified: 0, candidate: null, filesChanged: [...filesChanged] };
    await recordEvent(this.#ports.tools, delegation, { type: "delegation-verified", data });
    return moved;
  }

  /** Keeps the journal true about whether the manager is connected. */
  async #recordPresence(delegation: Delegation, isConnected: boolean): Promise<void> {
    const { tools } = this.#ports;
    const { id, attempt, state } = delegation;
    if (isConnected && state === "parked" && (await isWaitOver(tools, delegation)))
      await tools.store.rejoin(id, attempt, await readLease(tools, delegation.story));
    if (isConnected || state !== "running") return;
    const open = (await this.#listWorkers(delegation)).filter((worker) => worker.state !== "closed");
    const data = { waitingFor: open.map((worker) => worker.id) };
    await recordEvent(tools, delegation, { type: "delegation-parked", data });
  }

  async #listWorkers({ id, story }: Delegation): Promise<readonly Delegation[]> {
    const tree = await this.#ports.tools.store.storyTree(story);
    return tree.filter(({ parent }) => parent === id);
  }

  #disconnect(id: string): void {
    if (this.#connected.delete(id)) void this.#ports.live.removeAttempt(id);
  }
}

function acceptsManager({ state, cancelRequested }: Delegation): boolean {
  return !cancelRequested && (state === "queued" || state === "running" || state === "parked");
}

const MAX_NAMED = 5;

/**
 * Decides how an external manager's story ends: its workers' proofs alone decide. Each was proven and merged when it
 * ended, so the story is completed if all of them are; Ambit never judges the manager's own work.
 */
function settleByWorkers(workers: readonly Delegation[], said: string): Settlement {
  const filesChanged = [...new Set(workers.filter(isCompleted).flatMap((worker) => worker.filesChanged))];
  if (workers.length === 0)
    return { outcome: "cancelled", summary: joinSentences(said, "Nothing was delegated.") };
  const undone = workers.filter((worker) => !isCompleted(worker));
  const count = `${workers.length - undone.length} of ${countThings(workers.length, "delegation")} completed.`;
  if (undone.length === 0) return { outcome: "completed", summary: joinSentences(said, count), filesChanged };
  const named = undone.slice(0, MAX_NAMED).map(({ id, outcome, code }) => {
    const why = code === null ? "" : ` (${code})`;
    return `${id} ${outcome ?? "open"}${why}`;
  });
  const more = undone.length > MAX_NAMED ? `, and ${undone.length - MAX_NAMED} more` : "";
  const summary = joinSentences(said, `${count} Not completed: ${named.join(", ")}${more}.`);
  return { outcome: "partial", summary, filesChanged };
}

function isCompleted({ outcome }: Delegation): boolean {
  return outcome === "completed";
}

function joinSentences(said: string, counted: string): string {
  return said === "" ? counted : `${said} ${counted}`;
}
