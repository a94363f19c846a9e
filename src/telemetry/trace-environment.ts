import { attemptSpanId, buildTraceId, type TracedStory } from "./spans/trace-ids.ts";
import { readOtlpSettings } from "./otlp-settings.ts";

/**
 * The environment that puts a worker's own spans below its attempt; empty where no traces are exported, because then
 * that span does not exist.
 */
export function traceEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  story: TracedStory,
  { id, attempt }: { readonly id: string; readonly attempt: number },
): Readonly<Record<string, string>> {
  if (readOtlpSettings(environment, "traces").kind !== "on") return {};
  return { TRACEPARENT: `00-${buildTraceId(story)}-${attemptSpanId(story, id, attempt)}-01` };
}
