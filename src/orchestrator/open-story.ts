import { OUTSIDE_ADAPTER } from "./delegation/kind.ts";
import { pickCallerTools } from "./delegation/story-tools.ts";
import type { StoryCaller } from "./ports/story-origins.ts";
import type { RunTools } from "./ports/run-tools.ts";
import { admitStory } from "./opening/admit.ts";
import { parseStory } from "./opening/parse.ts";
import { preflightStory } from "./opening/preflight.ts";
import { routeStory, type RoutedStory } from "./opening/route.ts";

/** Parse, preflight and route refuse before anything is made; then the story enters the journal. Returns its id. */
export async function openStory(shared: RunTools, input: unknown, caller: StoryCaller = {}): Promise<string> {
  const request = parseStory(input);
  const tools = await pickCallerTools(shared, caller);
  const checked = await preflightStory(tools, request);
  const routed = await fixStart(tools, await routeStory(tools, checked));
  await admitStory(tools, routed);
  for (const text of [...routed.warnings, ...routed.missing]) caller.warn?.(text);
  return routed.id;
}

/** Other machines do not see the person's files: the start of a story is kept where they find it. */
async function fixStart(tools: RunTools, story: RoutedStory): Promise<RoutedStory> {
  const { elsewhere, git } = tools;
  if (elsewhere === undefined || story.work.adapter === OUTSIDE_ADAPTER) return story;
  const base = story.work.base ?? (await git.snapshot(story.id)).commit;
  await elsewhere.keepBase(story.id, base);
  return { ...story, work: { ...story.work, base } };
}

/** The id of the story that a request is about; refuses an unusable request. */
export function readStoryId(input: unknown): string {
  return parseStory(input).id;
}
