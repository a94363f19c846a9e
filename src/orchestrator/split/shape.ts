import { findOverlap } from "../../scheduler/scope-overlap.ts";
import type { PlannedPart, ScopeMeeting } from "./split.ts";

/** How far the parts can run in parallel. */
export interface Shape {
  readonly chain: number;
  /** The parts that may run at the same time if there are slots for all. */
  readonly widest: number;
  readonly hours: { readonly work: number; readonly elapsed: number } | null;
}

export function measureShape(parts: readonly PlannedPart[], slots: number): Shape {
  const levels = listLevels(parts);
  const chain = Math.max(0, ...levels.map((level) => level + 1));
  const widest = Math.max(0, ...countLevels(levels));
  return { chain, widest, hours: estimateHours(parts, slots) };
}

/** For each part, the number of parts that must be done one after the other before it. */
function listLevels(parts: readonly PlannedPart[]): readonly number[] {
  const levels: number[] = [];
  for (const { after } of parts) levels.push(Math.max(-1, ...after.map((place) => levels[place] ?? -1)) + 1);
  return levels;
}

function countLevels(levels: readonly number[]): readonly number[] {
  return [...new Set(levels)].map((level) => levels.filter((one) => one === level).length);
}

/** Hours of work, and elapsed hours when each part takes the first free slot. Null without estimates. */
function estimateHours(parts: readonly PlannedPart[], slots: number): Shape["hours"] {
  if (parts.length === 0 || parts.some(({ hours }) => hours === null)) return null;
  const ends: number[] = [];
  const freeAt = Array.from({ length: Math.max(1, slots) }, () => 0);
  for (const { hours, after } of parts) {
    const ready = Math.max(0, ...after.map((place) => ends[place] ?? 0));
    const slot = freeAt.indexOf(Math.min(...freeAt));
    const end = Math.max(ready, freeAt[slot] ?? 0) + (hours ?? 0);
    freeAt[slot] = end;
    ends.push(end);
  }
  const work = parts.reduce((sum, { hours }) => sum + (hours ?? 0), 0);
  return { work, elapsed: Math.max(...ends) };
}

const MAX_PAIRS = 2000;

/** Pairs of parts that may run at the same time and may change the same files. */
export function findMeetings(parts: readonly PlannedPart[]): {
  readonly meetings: readonly ScopeMeeting[];
  readonly pairs: number;
} {
  const before = listAncestors(parts);
  const meetings: ScopeMeeting[] = [];
  let pairs = 0;
  for (const [index, one] of parts.entries())
    for (const [offset, other] of parts.slice(index + 1).entries()) {
      if (before[index + 1 + offset]?.has(index) === true || pairs >= MAX_PAIRS) continue;
      if (one.scope.length === 0 || other.scope.length === 0) continue;
      pairs += 1;
      const at = findOverlap(one.scope, other.scope);
      if (at !== undefined) meetings.push({ one: one.name, other: other.name, at });
    }
  return { meetings, pairs };
}

function listAncestors(parts: readonly PlannedPart[]): readonly ReadonlySet<number>[] {
  const all: Set<number>[] = [];
  for (const { after } of parts) {
    const mine = new Set(after);
    for (const place of after) for (const earlier of all[place] ?? []) mine.add(earlier);
    all.push(mine);
  }
  return all;
}
