import { pickCallerTools } from "../delegation/story-tools.ts";
import type { StoryCaller } from "../ports/story-origins.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { admitStory } from "./admit.ts";
import { parseStory } from "./parse.ts";
import { preflightStory } from "./preflight.ts";
import { routeStory } from "./route.ts";

/**
 * Parse, preflight and route refuse before anything is made; then the story enters the journal. Answers its id.
 */
export async function openStory(shared: RunTools, input: unknown, caller: StoryCaller = {}): Promise<string> {
  const request = parseStory(input);
  const tools = await pickCallerTools(shared, caller);
  const checked = await preflightStory(tools, request);
  const routed = await routeStory(tools, checked);
  await admitStory(tools, routed);
  for (const text of [...routed.warnings, ...routed.missing]) caller.warn?.(text);
  return routed.id;
}

/** The id of the story that a request is about; refuses an unusable request. */
export function readStoryId(input: unknown): string {
  return parseStory(input).id;
}
