import type { JournalEvent } from "../../contract/journal-event.ts";
import { omitUnknown, type Span } from "./span.ts";
import { buildSpanId } from "./trace-ids.ts";
import { latestBefore, type SpanFrame } from "./frame.ts";

/**
 * One span per verdict on a criterion. The journal has a verdict's time and not its beginning: a span begins when the
 * proof did, which is the worker's return, or what was judged before.
 */
export function checkSpans(frame: SpanFrame): readonly Span[] {
  return frame.events.flatMap((event) => {
    if (event.type !== "criterion-checked") return [];
    const { criterionId, verdict, by, text } = event.data;
    const attributes = omitUnknown({
      "ambit.criterion.id": criterionId,
      "ambit.criterion.verdict": verdict,
      "ambit.criterion.by": by,
      "ambit.criterion.text": frame.withContent ? text : "",
    });
    const error = verdict === "failed" ? "CHECK_FAILED" : null;
    return [partSpan(frame, event, { name: `check ${criterionId}`, part: "check", attributes, error })];
  });
}

/** One span per merge that was made or refused. */
export function mergeSpans(frame: SpanFrame): readonly Span[] {
  return frame.events.flatMap((event) => {
    if (event.type === "delegation-merged") {
      const { into, commit, filesChanged } = event.data;
      const attributes = {
        "ambit.merge.into": into,
        "ambit.merge.commit": commit,
        "ambit.files_changed": filesChanged.length,
      };
      return [partSpan(frame, event, { name: "merge", part: "merge", attributes, error: null })];
    }
    if (event.type !== "merge-refused") return [];
    const { code, files } = event.data;
    const attributes = { "error.type": code, "ambit.merge.files_in_the_way": files.length };
    return [partSpan(frame, event, { name: "merge", part: "merge", attributes, error: code })];
  });
}

interface Part extends Pick<Span, "name" | "attributes" | "error"> {
  readonly part: string;
}

const beginnings = {
  check: ["delegation-returned", "merge-repeated"],
  merge: ["delegation-returned", "delegation-verified", "criterion-checked", "merge-repeated"],
} as const;

function partSpan(frame: SpanFrame, event: JournalEvent, { part, ...rest }: Part): Span {
  const endMs = Date.parse(event.at);
  const types = part === "check" ? beginnings.check : beginnings.merge;
  return {
    ...rest,
    traceId: frame.traceId,
    spanId: buildSpanId(frame.story, frame.id, `${part} ${event.seq}`),
    parentSpanId: frame.spanId,
    startMs: Math.min(endMs, latestBefore(frame.events, event.seq, types) ?? endMs),
    endMs,
    attributes: { "ambit.story.id": frame.story.id, "ambit.delegation.id": frame.id, ...rest.attributes },
    events: [],
  };
}
