import { readEventFields, type Fields } from "./fields.ts";
import type { SeenEvent } from "./seen-event.ts";

/** In the order in which a delegation passes them. */
export const stages = ["queue", "prepare", "work", "validate", "prove", "merge", "settle"] as const;
export type Stage = (typeof stages)[number];

export interface StageSpan {
  readonly stage: Stage;
  readonly attempt: number;
  readonly durationMs: number;
}

export interface MeasuredDelegation {
  readonly spans: readonly StageSpan[];
  readonly worktreeMs: readonly number[];
  readonly isClosed: boolean;
}

/** The stages of each delegation. Stories are left out: the work of their manager is not overhead of delegating. */
export function measureStages(events: readonly SeenEvent[]): ReadonlyMap<string, MeasuredDelegation> {
  const measured = new Map<string, Measuring>();
  for (const event of events) {
    const { delegation } = event;
    if (delegation === null || delegation === event.story) continue;
    const known = measured.get(delegation);
    const measuring = known ?? { spans: [], worktreeMs: [], isClosed: false, mark: null, markMs: 0 };
    if (known === undefined) measured.set(delegation, measuring);
    addStageEvent(measuring, event);
  }
  return measured;
}

/** Time the runtime itself took. Proving is left out: its time is that of the project's own checks. */
export function sumOverhead(spans: readonly StageSpan[]): number {
  const own: ReadonlySet<Stage> = new Set(["prepare", "validate", "merge", "settle"]);
  return spans.filter(({ stage }) => own.has(stage)).reduce((sum, { durationMs }) => sum + durationMs, 0);
}

/** Grows while the events of one delegation are read in order. */
interface Measuring extends MeasuredDelegation {
  readonly spans: StageSpan[];
  readonly worktreeMs: number[];
  isClosed: boolean;
  /** The newest event that can begin a stage. */
  mark: string | null;
  markMs: number;
}

/** The stage between two events. Other pairs are not measured, because part of the stage was not seen. */
const between: ReadonlyMap<string, Stage> = new Map([
  ["delegation-admitted attempt-started", "queue"],
  ["attempt-retried attempt-started", "queue"],
  ["attempt-lost attempt-started", "queue"],
  ["delegation-resumed attempt-started", "queue"],
  ["attempt-ended delegation-returned", "validate"],
  ["attempt-ended attempt-retried", "validate"],
  ["attempt-ended attempt-lost", "validate"],
  ["attempt-ended delegation-parked", "validate"],
  ["delegation-returned delegation-verified", "prove"],
  ["delegation-returned attempt-retried", "prove"],
  ["delegation-verified delegation-merged", "merge"],
  ["delegation-merged delegation-closed", "settle"],
  ["delegation-verified delegation-closed", "settle"],
]);

const marks: ReadonlySet<string> = new Set([...between.keys()].flatMap((pair) => pair.split(" ")));

function addStageEvent(measuring: Measuring, event: SeenEvent): void {
  const { type, attempt } = event;
  const data = readEventFields(event.data);
  const atMs = Date.parse(event.at);
  if (type === "workspace-created") measuring.worktreeMs.push(data.amount("durationMs"));
  if (!marks.has(type) || Number.isNaN(atMs)) return;
  if (type === "attempt-ended") addProcessRun(measuring, data, { atMs, attempt });
  const stage = between.get(`${measuring.mark ?? ""} ${type}`);
  if (stage !== undefined)
    measuring.spans.push({ stage, attempt, durationMs: Math.max(0, atMs - measuring.markMs) });
  measuring.mark = type;
  measuring.markMs = atMs;
  measuring.isClosed = type === "delegation-closed";
}

/** The process reports how long it ran; the rest of the time since the attempt began went into preparing it. */
function addProcessRun(
  measuring: Measuring,
  data: Fields,
  { atMs, attempt }: { atMs: number; attempt: number },
): void {
  const workMs = data.amount("durationMs");
  measuring.spans.push({ stage: "work", attempt, durationMs: workMs });
  if (measuring.mark !== "attempt-started") return;
  measuring.spans.push({
    stage: "prepare",
    attempt,
    durationMs: Math.max(0, atMs - measuring.markMs - workMs),
  });
}
