import type { AppContext } from "../project/app-context.ts";

/** A person who stops one story does not want the next one to start, even if the story was completed meanwhile. */
export function watchStops(context: AppContext): {
  readonly context: AppContext;
  readonly isStopped: () => boolean;
} {
  const { followStory } = context;
  const stops: AbortSignal[] = [];
  if (followStory === undefined) return { context, isStopped: () => false };
  const watching = async (story: string) => {
    const follower = await followStory(story);
    stops.push(follower.stop);
    return follower;
  };
  return {
    context: { ...context, followStory: watching },
    isStopped: () => stops.some(({ aborted }) => aborted),
  };
}
