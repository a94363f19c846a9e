import type { JournalEvent } from "../../../src/contract/journal-event.ts";
import { idsOf } from "./run-facts.ts";
import type { Loss } from "./judge-losses.ts";

/** How many more attempts the machines that are up could begin. */
export interface RoomSample {
  readonly at: number;
  readonly free: number;
}

/** A time in which other things were taken away as well: offers, the coordinator, the database. */
export interface Trouble {
  readonly from: number;
  readonly to: number;
}

export interface RepeatFacts {
  readonly events: readonly JournalEvent[];
  readonly losses: readonly Loss[];
  readonly room: readonly RoomSample[];
  readonly troubles: readonly Trouble[];
  readonly limit: number;
}

export interface Repeats {
  /** From the loss of a machine to the next attempt, where that waited for nothing else. */
  readonly prompt: readonly number[];
  /** All of them; these also waited for a free slot, the limit, offers that were lost, or a coordinator. */
  readonly all: readonly number[];
}

/** An attempt that is lost again while it waits counts from the last machine that had it. */
export function measureRepeats(facts: RepeatFacts): Repeats {
  const prompt: number[] = [];
  const all: number[] = [];
  const full = listFullTimes(facts);
  for (const { disturbance, lostAt, againAt } of facts.losses) {
    if (disturbance === undefined || againAt === undefined) continue;
    all.push(againAt - disturbance.at);
    const overlaps = (times: readonly Trouble[], since: number): boolean =>
      times.some(({ from, to }) => from <= againAt && to >= since);
    // Without a coordinator the loss itself is noticed late.
    const waited = overlaps(full, lostAt) || overlaps(facts.troubles, disturbance.at);
    if (!waited) prompt.push(againAt - disturbance.at);
  }
  return { prompt, all };
}

/** When nothing could begin: no slot was free, the limit was reached, or something else was away. */
export function listFullTimes({
  events,
  room,
  limit,
  troubles,
}: Omit<RepeatFacts, "losses">): readonly Trouble[] {
  const withoutRoom = room.filter(({ free }) => free === 0).map(({ at }) => ({ from: at, to: at }));
  const workers = new Set(idsOf(events, ["delegation-admitted"]));
  const running = new Set<string>();
  const atLimit: Trouble[] = [];
  let from: number | undefined;
  for (const { type, delegation, at } of events) {
    if (delegation === null || !workers.has(delegation)) continue;
    if (type === "attempt-started") running.add(delegation);
    if (type === "attempt-lost" || type === "attempt-ended" || type === "delegation-closed")
      running.delete(delegation);
    const isFull = running.size >= limit;
    if (isFull && from === undefined) from = Date.parse(at);
    if (isFull || from === undefined) continue;
    atLimit.push({ from, to: Date.parse(at) });
    from = undefined;
  }
  return [...withoutRoom, ...atLimit, ...troubles];
}
