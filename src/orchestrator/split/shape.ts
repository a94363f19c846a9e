import { findOverlap } from "../../scheduler/scope-overlap.ts";
import type { PlannedPart, ScopeMeeting } from "./split.ts";

/** What follows from who waits for whom. */
export interface Shape {
  readonly chain: number;
  /** Parts that may run at the same time, were there slots for all. */
  readonly widest: number;
  readonly hours: { readonly work: number; readonly elapsed: number } | null;
}

export function shapeOf(parts: readonly PlannedPart[], slots: number): Shape {
  const levels = levelsOf(parts);
  const chain = Math.max(0, ...levels.map((level) => level + 1));
  const widest = Math.max(0, ...countsOf(levels));
  return { chain, widest, hours: hoursOf(parts, slots) };
}

/** How many parts have to be done before each. */
function levelsOf(parts: readonly PlannedPart[]): readonly number[] {
  const levels: number[] = [];
  for (const { after } of parts) levels.push(Math.max(-1, ...after.map((place) => levels[place] ?? -1)) + 1);
  return levels;
}

function countsOf(levels: readonly number[]): readonly number[] {
  return [...new Set(levels)].map((level) => levels.filter((one) => one === level).length);
}

/** Work in hours, and the time it takes with so many slots when whoever can start first does. Null without estimates. */
function hoursOf(parts: readonly PlannedPart[], slots: number): Shape["hours"] {
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

const MOST_PAIRS = 2000;

/** Pairs of parts that may run at the same time and may change the same files. */
export function meetingsOf(parts: readonly PlannedPart[]): {
  readonly meetings: readonly ScopeMeeting[];
  readonly pairs: number;
} {
  const before = ancestorsOf(parts);
  const meetings: ScopeMeeting[] = [];
  let pairs = 0;
  for (const [index, one] of parts.entries())
    for (const [offset, other] of parts.slice(index + 1).entries()) {
      if (before[index + 1 + offset]?.has(index) === true || pairs >= MOST_PAIRS) continue;
      if (one.scope.length === 0 || other.scope.length === 0) continue;
      pairs += 1;
      const at = findOverlap(one.scope, other.scope);
      if (at !== undefined) meetings.push({ one: one.name, other: other.name, at });
    }
  return { meetings, pairs };
}

function ancestorsOf(parts: readonly PlannedPart[]): readonly ReadonlySet<number>[] {
  const all: Set<number>[] = [];
  for (const { after } of parts) {
    const mine = new Set(after);
    for (const place of after) for (const earlier of all[place] ?? []) mine.add(earlier);
    all.push(mine);
  }
  return all;
}
