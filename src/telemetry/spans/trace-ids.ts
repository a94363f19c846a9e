import { createHash } from "node:crypto";

/** Identifies a story, even among stories of the same name in other repositories. */
export interface TracedStory {
  readonly id: string;
  /** ISO time, as its first event says it. */
  readonly openedAt: string;
}

const TRACE_ID_DIGITS = 32;
const SPAN_ID_DIGITS = 16;

/** The same story always has the same trace id, however often it is exported. */
export function buildTraceId({ id, openedAt }: TracedStory): string {
  return hashParts([id, openedAt], TRACE_ID_DIGITS);
}

/** The span of a delegation, or of one part of it: `attempt 2`, `merge 1`. */
export function buildSpanId(story: TracedStory, delegation: string, part = ""): string {
  return hashParts([story.id, story.openedAt, delegation, part], SPAN_ID_DIGITS);
}

export function attemptSpanId(story: TracedStory, delegation: string, attempt: number): string {
  return buildSpanId(story, delegation, `attempt ${attempt}`);
}

/** All zeros would mean no id; the first digit keeps that from ever being one. */
function hashParts(parts: readonly string[], digits: number): string {
  const hash = createHash("sha256")
    .update(JSON.stringify(["ambit", ...parts]))
    .digest("hex");
  return hash.slice(0, digits).replace(/^0/, "1");
}
