import type { Delegation } from "../journal/store.ts";
import { toKnownUsd } from "../base/money.ts";
import { divideRounded, computeMedian, computeP95 } from "./figures/figures.ts";

export const performanceKeys = ["agent", "model", "day", "template"] as const;
export type PerformanceKey = (typeof performanceKeys)[number];

/** How the delegations of one group went (R192). Stories are not counted. */
export interface PerformanceGroup {
  /** Empty if the agent, model or template is not known. */
  readonly group: string;
  readonly total_delegations: number;
  readonly open: number;
  readonly completed: number;
  readonly partial: number;
  readonly failed: number;
  readonly blocked: number;
  readonly cancelled: number;
  readonly timed_out: number;
  /** All that ended except cancelled ones. */
  readonly finished: number;
  readonly success_rate: number | null;
  readonly median_duration_ms: number | null;
  readonly p95_duration_ms: number | null;
  /** Attempts per delegation that began. */
  readonly avg_attempts: number | null;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly total_cost_usd: number | null;
  readonly estimated: boolean;
}

/** Groups sorted by name. The day of a delegation is the UTC day it was admitted. */
export function groupPerformance(
  delegations: readonly Delegation[],
  key: PerformanceKey,
): readonly PerformanceGroup[] {
  const groups = new Map<string, Delegation[]>();
  const roots = new Map(delegations.filter(({ depth }) => depth === 0).map((root) => [root.id, root]));
  for (const delegation of delegations) {
    if (delegation.depth === 0) continue;
    // A template divides a whole story, so the story's root names it.
    const name = findGroupName(
      key === "template" ? (roots.get(delegation.story) ?? delegation) : delegation,
      key,
    );
    const members = groups.get(name);
    if (members === undefined) groups.set(name, [delegation]);
    else members.push(delegation);
  }
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, members]) => summarizeGroup(name, members));
}

function findGroupName({ agent, work, admittedAt }: Delegation, key: PerformanceKey): string {
  switch (key) {
    case "agent":
      return agent ?? "";
    case "model":
      return work?.model ?? "";
    case "template":
      return work?.template ?? "";
    case "day":
      return admittedAt.slice(0, "2026-01-20".length);
  }
}

function summarizeGroup(group: string, members: readonly Delegation[]): PerformanceGroup {
  const count = (outcome: Delegation["outcome"]): number =>
    members.filter((member) => member.outcome === outcome).length;
  const durations = members.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]));
  const begun = members.filter(({ attempt }) => attempt > 0);
  const sum = (amount: (member: Delegation) => number): number =>
    members.reduce((total, member) => total + amount(member), 0);
  const completed = count("completed");
  const finished = members.length - count(null) - count("cancelled");
  return {
    group,
    total_delegations: members.length,
    open: count(null),
    completed,
    partial: count("partial"),
    failed: count("failed"),
    blocked: count("blocked"),
    cancelled: count("cancelled"),
    timed_out: count("timed_out"),
    finished,
    success_rate: divideRounded(completed, finished, 3),
    median_duration_ms: roundOrNull(computeMedian(durations)),
    p95_duration_ms: roundOrNull(computeP95(durations)),
    avg_attempts: divideRounded(
      begun.reduce((total, { attempt }) => total + attempt, 0),
      begun.length,
      3,
    ),
    tokens_in: sum(({ inputTokens, cachedTokens }) => inputTokens + cachedTokens),
    tokens_out: sum(({ outputTokens }) => outputTokens),
    total_cost_usd: toKnownUsd(sum(({ microUsd }) => microUsd)),
    estimated: members.some(({ estimated }) => estimated),
  };
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
