import type { JournalEvent } from "../../contract/journal-event.ts";
import { omitUnknown, type Attributes, type Span } from "./span.ts";
import { attemptSpanId } from "./trace-ids.ts";
import type { SpanFrame } from "./frame.ts";
import { useAttributes, sumUse } from "./use.ts";

type Started = Extract<JournalEvent, { type: "attempt-started" }>;
type Ended = Extract<JournalEvent, { type: "attempt-ended" | "attempt-lost" }>;

/** One span per process run; its use is under names of our own, because that of the delegation holds it already. */
export function attemptSpans(frame: SpanFrame): readonly Span[] {
  const starts = frame.events.filter((event) => event.type === "attempt-started");
  return starts.map((started, index) => {
    const ended = findAttemptEnd(frame.events, started.attempt);
    const next = starts[index + 1];
    const endMs =
      ended === undefined ? (next === undefined ? frame.endMs : Date.parse(next.at)) : Date.parse(ended.at);
    const startMs = Date.parse(started.at);
    return {
      traceId: frame.traceId,
      spanId: attemptSpanId(frame.story, frame.id, started.attempt),
      parentSpanId: frame.spanId,
      name: `attempt ${started.attempt}`,
      startMs,
      endMs: Math.max(startMs, endMs),
      attributes: { ...describeAttempt(frame, started), ...endAttributes(ended) },
      events: [],
      error: findAttemptError(ended),
    };
  });
}

function findAttemptEnd(events: readonly JournalEvent[], attempt: number): Ended | undefined {
  return events
    .filter((event) => event.type === "attempt-ended" || event.type === "attempt-lost")
    .find((event) => event.attempt === attempt);
}

function describeAttempt({ story, id, events }: SpanFrame, { attempt, seq }: Started): Attributes {
  const turn = events.findLast(
    (event) => event.seq < seq && (event.type === "attempt-retried" || event.type === "delegation-resumed"),
  );
  const kind =
    turn?.type === "attempt-retried" || turn?.type === "delegation-resumed" ? turn.data.kind : undefined;
  return omitUnknown({
    "ambit.story.id": story.id,
    "ambit.delegation.id": id,
    "ambit.attempt": attempt,
    "ambit.turn": kind ?? (attempt === 1 ? "begin" : "retry"),
    ...useAttributes(sumUse(events, attempt), "ambit.usage"),
  });
}

function endAttributes(ended: Ended | undefined): Attributes {
  if (ended === undefined) return {};
  if (ended.type === "attempt-lost") return { "error.type": "lost" };
  const { exitCode, reason, durationMs } = ended.data;
  return omitUnknown({
    "process.exit.code": exitCode,
    "ambit.end.reason": reason,
    "ambit.process.duration_ms": Math.round(durationMs),
    "error.type": findAttemptError(ended),
  });
}

function findAttemptError(ended: Ended | undefined): string | null {
  if (ended === undefined) return null;
  if (ended.type === "attempt-lost") return "lost";
  const { code, exitCode } = ended.data;
  return code ?? (exitCode === null || exitCode === 0 ? null : `exit ${exitCode}`);
}
