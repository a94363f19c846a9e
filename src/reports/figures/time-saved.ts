import type { Delegation } from "../../journal/store.ts";

type Span = readonly [startMs: number, endMs: number];

/**
 * The share of time saved by running workers in parallel, 0–1: one minus the time in which any worker was running,
 * divided by the sum of their own times. A manager's own time does not include the time it waits for its workers.
 * Null until a worker has ended.
 */
export function computeTimeSaved(delegations: readonly Delegation[]): number | null {
  const spans = new Map<string, Span>();
  const ofWorkers = new Map<string, Span[]>();
  for (const delegation of delegations) {
    const span = readWorkSpan(delegation);
    if (span === undefined || delegation.depth === 0 || delegation.parent === null) continue;
    spans.set(delegation.id, span);
    const siblings = ofWorkers.get(delegation.parent);
    if (siblings === undefined) ofWorkers.set(delegation.parent, [span]);
    else siblings.push(span);
  }
  const wallMs = measureUnion([...spans.values()]);
  let workMs = 0;
  for (const [id, span] of spans) {
    const workers = (ofWorkers.get(id) ?? []).map((worker) => clipToSpan(worker, span));
    workMs += span[1] - span[0] - measureUnion(workers);
  }
  return workMs <= 0 ? null : 1 - wallMs / workMs;
}

function readWorkSpan({ startedAt, closedAt }: Delegation): Span | undefined {
  if (startedAt === null || closedAt === null) return undefined;
  const startMs = Date.parse(startedAt);
  return [startMs, Math.max(startMs, Date.parse(closedAt))];
}

function clipToSpan([startMs, endMs]: Span, [firstMs, lastMs]: Span): Span {
  const clippedMs = Math.min(Math.max(startMs, firstMs), lastMs);
  return [clippedMs, Math.max(clippedMs, Math.min(endMs, lastMs))];
}

/** Length of the union of spans. */
function measureUnion(spans: readonly Span[]): number {
  let covered = 0;
  let reachedMs = Number.NEGATIVE_INFINITY;
  for (const [startMs, endMs] of spans.toSorted((one, other) => one[0] - other[0])) {
    covered += Math.max(0, endMs - Math.max(startMs, reachedMs));
    reachedMs = Math.max(reachedMs, endMs);
  }
  return covered;
}
