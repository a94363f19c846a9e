/** What must be true at the end of a run, from the journal in PostgreSQL, git and what the agents said outside of both. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { JournalEvent } from "../../../src/contract/journal-event.ts";
import { PARTS } from "./make-project.ts";

export interface RunFacts {
  readonly events: readonly JournalEvent[];
  readonly root: string;
  readonly hub: string;
  readonly log: string;
  readonly limit: number;
  /** When frozen machines were let go on. */
  readonly thaws: readonly number[];
}

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

export function judgeRun(facts: RunFacts): Verdict {
  const { events, limit } = facts;
  const opened = idsOf(events, ["story-opened", "delegation-admitted"]);
  const started = events.filter(({ type }) => type === "attempt-started");
  const mostRunning = countMostRunning(events);
  const overlaps = findOverlaps(readFileSync(facts.log, "utf8"), facts.thaws);
  const faults = [
    ...(started.length === 0 ? ["nothing was done"] : []),
    ...judgeEnds(events, opened),
    ...(mostRunning > limit ? [`${mostRunning} ran at once; ${limit} are allowed`] : []),
    ...judgeBudget(events),
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

function idsOf(events: readonly JournalEvent[], types: readonly string[]): readonly string[] {
  return events.flatMap(({ type, delegation }) =>
    types.includes(type) && delegation !== null ? [delegation] : [],
  );
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

const COST_MICRO_USD = 1000;

/** Every report is of one attempt, and an attempt reports once. */
function judgeBudget(events: readonly JournalEvent[]): readonly string[] {
  const reports = new Map<string, number>();
  for (const { type, delegation, attempt, data } of events)
    if (type === "usage-reported")
      reports.set(`${delegation}.${attempt}`, (reports.get(`${delegation}.${attempt}`) ?? 0) + data.microUsd);
  return [...reports].flatMap(([key, sum]) =>
    sum === COST_MICRO_USD ? [] : [`${key}: ${sum} micro-dollars were booked instead of ${COST_MICRO_USD}`],
  );
}

function judgeGit({ events, root, hub }: RunFacts): readonly string[] {
  const git = (folder: string, ...words: string[]): string =>
    execFileSync("git", words, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28, stdio: "pipe" });
  const faults: string[] = [];
  for (const story of idsOf(events, ["story-opened"])) {
    const names = tryGit(() => git(root, "ls-tree", "--name-only", `ambit/${story}`, "parts/")) ?? "";
    const missing = PARTS - names.split("\n").filter(Boolean).length;
    if (missing !== 0) faults.push(`${story}: ${missing} parts are not in its branch`);
  }
  for (const [id, tip] of lastTips(events))
    if (tryGit(() => git(root, "cat-file", "-e", `${tip}^{commit}`)) === undefined)
      faults.push(`${id}: its commit ${tip} is not here`);
  const foreign = git(root, "for-each-ref", "--format=%(refname)")
    .split("\n")
    .filter((ref) => ref !== "" && !/^refs\/(ambit\/|heads\/(main$|ambit\/|delegation\/))/.test(ref));
  faults.push(...foreign.map((ref) => `the ref ${ref} is not ours`));
  const left = git(hub, "for-each-ref", "--format=%(refname)")
    .split("\n")
    .filter((ref) => ref !== "" && ref !== "refs/ambit/project");
  faults.push(...left.slice(0, 3).map((ref) => `the hub still keeps ${ref}`));
  return faults;
}

function lastTips(events: readonly JournalEvent[]): ReadonlyMap<string, string> {
  const tips = new Map<string, string>();
  for (const { type, delegation, data } of events)
    if (type === "work-kept" && delegation !== null) tips.set(delegation, data.tip);
  return tips;
}

function tryGit(run: () => string): string | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** How long an older attempt of a part still worked after a newer one had begun, by their own words. */
function findOverlaps(
  log: string,
  thaws: readonly number[] = [],
): readonly { readonly name: string; readonly ms: number }[] {
  const parts = new Map<string, { attempt: number; word: string; at: number }[]>();
  for (const line of log.split("\n")) {
    const [name, attempt, word, at] = line.split(" ");
    if (name === undefined || word === undefined) continue;
    const said = { attempt: Number(attempt), word, at: Number(at) };
    const isWaking = thaws.some((thaw) => said.at >= thaw && said.at < thaw + WAKING_MS);
    if (isWaking && word !== "begin") continue;
    parts.set(name, [...(parts.get(name) ?? []), said]);
  }
  return [...parts].map(([name, said]) => ({ name, ms: overlapOf(said) }));
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
