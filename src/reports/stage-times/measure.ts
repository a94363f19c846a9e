import { readFields, type Fields } from "../story-view/fields.ts";
import type { SeenEvent } from "../story-view.ts";

/** In the order in which they come. */
export const stages = ["queue", "prepare", "work", "validate", "prove", "merge", "settle"] as const;
export type Stage = (typeof stages)[number];

export interface StageSpan {
  readonly stage: Stage;
  readonly attempt: number;
  readonly durationMs: number;
}

export interface Measured {
  readonly spans: readonly StageSpan[];
  readonly worktreeMs: readonly number[];
  readonly isClosed: boolean;
}

/** The stages of each delegation; stories are not among them: what their manager does is no overhead of delegating. */
export function spansByStage(events: readonly SeenEvent[]): ReadonlyMap<string, Measured> {
  const measured = new Map<string, Measuring>();
  for (const event of events) {
    const { delegation } = event;
    if (delegation === null || delegation === event.story) continue;
    const known = measured.get(delegation);
    const measuring = known ?? { spans: [], worktreeMs: [], isClosed: false, mark: null, markMs: 0 };
    if (known === undefined) measured.set(delegation, measuring);
    see(measuring, event);
  }
  return measured;
}

/** What the runtime itself took. Proving is not in it: its time is that of the checks a project asks for. */
export function overheadOf(spans: readonly StageSpan[]): number {
  const own: ReadonlySet<Stage> = new Set(["prepare", "validate", "merge", "settle"]);
  return spans.filter(({ stage }) => own.has(stage)).reduce((sum, { durationMs }) => sum + durationMs, 0);
}

/** Grows while the events of its delegation are read, in their order. */
interface Measuring extends Measured {
  readonly spans: StageSpan[];
  readonly worktreeMs: number[];
  isClosed: boolean;
  /** The newest event that a stage begins with. */
  mark: string | null;
  markMs: number;
}

/** Which stage lies between two events. What is not here was not seen whole, and is not measured. */
const between: ReadonlyMap<string, Stage> = new Map([
  ["delegation-admitted attempt-started", "queue"],
  ["attempt-retried attempt-started", "queue"],
  ["attempt-lost attempt-started", "queue"],
  ["delegation-resumed attempt-started", "queue"],
  ["attempt-ended delegation-returned", "validate"],
  ["attempt-ended attempt-retried", "validate"],
  ["attempt-ended delegation-parked", "validate"],
  ["delegation-returned delegation-verified", "prove"],
  ["delegation-returned attempt-retried", "prove"],
  ["delegation-verified delegation-merged", "merge"],
  ["delegation-merged delegation-closed", "settle"],
  ["delegation-verified delegation-closed", "settle"],
]);

const marks: ReadonlySet<string> = new Set([...between.keys()].flatMap((pair) => pair.split(" ")));

function see(measuring: Measuring, event: SeenEvent): void {
  const { type, attempt } = event;
  const data = readFields(event.data);
  const atMs = Date.parse(event.at);
  if (type === "workspace-created") measuring.worktreeMs.push(data.amount("durationMs"));
  if (!marks.has(type) || Number.isNaN(atMs)) return;
  if (type === "attempt-ended") addRun(measuring, data, { atMs, attempt });
  const stage = between.get(`${measuring.mark ?? ""} ${type}`);
  if (stage !== undefined)
    measuring.spans.push({ stage, attempt, durationMs: Math.max(0, atMs - measuring.markMs) });
  measuring.mark = type;
  measuring.markMs = atMs;
  measuring.isClosed = type === "delegation-closed";
}

/** The process says how long it ran; what is left since the attempt began went into making it ready. */
function addRun(
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
