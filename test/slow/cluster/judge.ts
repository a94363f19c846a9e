/** What must be true at the end of a run, from the journal in PostgreSQL, git and what the agents said outside of both. */
import { readFileSync } from "node:fs";
import type { JournalEvent } from "../../../src/contract/journal-event.ts";
import { readMachineName } from "../../../src/contract/machine-owner.ts";
import { judgeAcknowledged } from "./judge-acknowledged.ts";
import { judgeGit } from "./judge-git.ts";
import { judgeLosses } from "./judge-losses.ts";
import { type Disturbance, idsOf, nameParts, type RunFacts } from "./run-facts.ts";

/** A machine that wakes up late learns of it with its next beat; its agents get their grace. */
const WAKING_MS = 6000;

export interface Verdict {
  readonly faults: readonly string[];
  readonly stories: number;
  readonly delegations: number;
  readonly attempts: number;
  readonly lost: number;
  readonly mostRunning: number;
  readonly overlapMs: number;
}

export async function judgeRun(facts: RunFacts): Promise<Verdict> {
  const { events, limit } = facts;
  const opened = idsOf(events, ["story-opened", "delegation-admitted"]);
  const started = events.filter(({ type }) => type === "attempt-started");
  const mostRunning = countMostRunning(events);
  const overlaps = findOverlaps(readFileSync(facts.log, "utf8"), facts);
  const faults = [
    ...(started.length === 0 ? ["nothing was done"] : []),
    ...judgeEnds(events, opened),
    ...(mostRunning > limit ? [`${mostRunning} ran at once; ${limit} are allowed`] : []),
    ...judgeBudget(events),
    ...judgeMerges(events),
    ...judgeLateWords(events),
    ...judgeLosses(facts),
    ...(await judgeAcknowledged(facts)),
    ...judgeGit(facts),
    ...overlaps.filter(({ ms }) => ms > 0).map(({ name, ms }) => `${name}: two attempts overlap by ${ms} ms`),
  ];
  return {
    faults,
    stories: idsOf(events, ["story-opened"]).length,
    delegations: opened.length,
    attempts: started.length,
    lost: events.filter(({ type }) => type === "attempt-lost").length,
    mostRunning,
    overlapMs: Math.max(0, ...overlaps.map(({ ms }) => ms)),
  };
}

function judgeEnds(events: readonly JournalEvent[], opened: readonly string[]): readonly string[] {
  const closings = new Map<string, string[]>();
  for (const { type, delegation, data } of events)
    if (type === "delegation-closed" && delegation !== null)
      closings.set(delegation, [...(closings.get(delegation) ?? []), data.outcome]);
  return opened.flatMap((id) => {
    const ends = closings.get(id) ?? [];
    if (ends.length !== 1) return [`${id} was closed ${ends.length} times`];
    return ends[0] === "completed" ? [] : [`${id} ended ${ends[0]}`];
  });
}

/** A worker holds a slot from the start of an attempt to the end of its process. */
function countMostRunning(events: readonly JournalEvent[]): number {
  const workers = new Set(idsOf(events, ["delegation-admitted"]));
  const running = new Set<string>();
  let most = 0;
  for (const { type, delegation } of events) {
    if (delegation === null || !workers.has(delegation)) continue;
    if (type === "attempt-started" || type === "delegation-rejoined") running.add(delegation);
    if (type === "attempt-ended" || type === "attempt-lost" || type === "delegation-returned")
      running.delete(delegation);
    if (type === "delegation-parked" || type === "delegation-closed" || type === "attempt-retried")
      running.delete(delegation);
    most = Math.max(most, running.size);
  }
  return most;
}

/** What an agent of a part reports, in micro-dollars. */
const COST_MICRO_USD = 1000;

/** An attempt reports once. The one that completed a part has reported; a lost one may not have come to it. */
function judgeBudget(events: readonly JournalEvent[]): readonly string[] {
  const reports = new Map<string, number>();
  for (const { type, delegation, attempt, data } of events)
    if (type === "usage-reported")
      reports.set(`${delegation}.${attempt}`, (reports.get(`${delegation}.${attempt}`) ?? 0) + data.microUsd);
  const parts = new Set(idsOf(events, ["delegation-admitted"]));
  for (const { type, delegation, attempt } of events)
    if (type === "delegation-returned" && delegation !== null && parts.has(delegation))
      reports.set(`${delegation}.${attempt}`, reports.get(`${delegation}.${attempt}`) ?? 0);
  return [...reports].flatMap(([key, sum]) =>
    sum === COST_MICRO_USD ? [] : [`${key}: ${sum} micro-dollars were booked instead of ${COST_MICRO_USD}`],
  );
}

/** Every part is merged once, whoever coordinates. */
function judgeMerges(events: readonly JournalEvent[]): readonly string[] {
  const merges = new Map(idsOf(events, ["delegation-admitted"]).map((id) => [id, 0]));
  for (const { type, delegation } of events)
    if (type === "delegation-merged" && delegation !== null)
      merges.set(delegation, (merges.get(delegation) ?? 0) + 1);
  return [...merges].flatMap(([id, times]) => (times === 1 ? [] : [`${id} was merged ${times} times`]));
}

/** Work that was pushed just in time may still be named, so that the next attempt has it. */
const AFTER_LOSS: ReadonlySet<string> = new Set(["work-kept", "usage-reported"]);

/** Of an attempt that is lost nothing else is heard, and nothing at all once the next one has begun. */
function judgeLateWords(events: readonly JournalEvent[]): readonly string[] {
  const newest = new Map<string, { attempt: number; isLost: boolean }>();
  return events.flatMap(({ type, delegation, attempt }) => {
    if (delegation === null || attempt === 0) return [];
    const now = newest.get(delegation) ?? { attempt: 0, isLost: false };
    if (type === "attempt-started") newest.set(delegation, { attempt, isLost: false });
    if (type === "attempt-lost") newest.set(delegation, { attempt, isLost: true });
    const isLate = attempt < now.attempt || (attempt === now.attempt && now.isLost && !AFTER_LOSS.has(type));
    return isLate ? [`${delegation}.${attempt}: ${type} was accepted after the attempt was lost`] : [];
  });
}

/** How long an older attempt of a part still worked after a newer one had begun, by their own words. */
function findOverlaps(
  log: string,
  { events, thaws }: Pick<RunFacts, "events" | "thaws">,
): readonly { readonly name: string; readonly ms: number }[] {
  const machines = findMachines(events);
  const parts = new Map<string, { attempt: number; word: string; at: number }[]>();
  for (const line of log.split("\n")) {
    const [name, attempt, word, at] = line.split(" ");
    if (name === undefined || word === undefined) continue;
    const said = { attempt: Number(attempt), word, at: Number(at) };
    if (word !== "begin" && isWaking(machines.get(`${name}.${attempt}`), said.at, thaws)) continue;
    parts.set(name, [...(parts.get(name) ?? []), said]);
  }
  return [...parts].map(([name, said]) => ({ name, ms: overlapOf(said) }));
}

function isWaking(machine: string | undefined, at: number, thaws: readonly Disturbance[]): boolean {
  return thaws.some((thaw) => thaw.name === machine && at >= thaw.at && at < thaw.at + WAKING_MS);
}

/** The machine of each attempt of a part, by the names that the agents know. */
function findMachines(events: readonly JournalEvent[]): ReadonlyMap<string, string> {
  const names = new Map([...nameParts(events)].map(([name, id]) => [id, name]));
  return new Map(
    events.flatMap(({ type, delegation, attempt, data }) => {
      const name = type === "attempt-started" ? names.get(delegation ?? "") : undefined;
      const machine = type === "attempt-started" ? readMachineName(data.owner) : undefined;
      return name === undefined || machine === undefined ? [] : [[`${name}.${attempt}`, machine] as const];
    }),
  );
}

function overlapOf(said: readonly { attempt: number; word: string; at: number }[]): number {
  const begins = said.filter(({ word }) => word === "begin");
  return Math.max(
    0,
    ...begins.map(({ attempt, at }) =>
      Math.max(0, ...said.filter((one) => one.attempt < attempt).map((one) => one.at - at)),
    ),
  );
}
