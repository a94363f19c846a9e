import { attemptSpanId, traceIdOf, type TracedStory } from "./spans/trace-ids.ts";
import { readTraceSettings } from "./trace-settings.ts";

/**
 * What a worker finds in its environment so that spans of its own hang below its attempt: nothing where no traces are
 * exported, because then there would be no such span.
 */
export function traceEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  story: TracedStory,
  { id, attempt }: { readonly id: string; readonly attempt: number },
): Readonly<Record<string, string>> {
  if (readTraceSettings(environment).kind !== "on") return {};
  return { TRACEPARENT: `00-${traceIdOf(story)}-${attemptSpanId(story, id, attempt)}-01` };
}
