import * as z from "zod";
import { readLatestOutput } from "./logs/read-latest.ts";
import type { StoryFollower } from "./project/story-follower.ts";
import { withSupervisor } from "./project/connect-supervisor.ts";
import { findTarget } from "./project/find-target.ts";
import { followStory } from "./follow/follow-story.ts";
import { followedSchema } from "./follow/story-ending.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

/**
 * Follows a story until it ends. This is also the way back after a crash: the supervisor that it starts continues what
 * the old one left.
 */
export const attachUseCase = defineUseCase({
  input: () => z.strictObject({ id: z.string() }),
  output: () => followedSchema().partial().extend({ story: z.string().nullable() }),
  isReadOnly: true,
  run: async (context, { id }) => {
    const found = await readStore(context, async (reader, { stateDirectory }) => {
      const target = await findTarget(reader, id);
      if (reader === undefined || target === undefined) return undefined;
      const tree = await reader.storyTree(target.story.id);
      const running = tree.filter(({ state }) => state === "running");
      return { story: target.story.id, running, stateDirectory };
    });
    if (found === undefined) return { story: null };
    const { story, running, stateDirectory } = found;
    const showLatest = ({ latest }: StoryFollower): void => {
      for (const worker of running) {
        const output = readLatestOutput(stateDirectory, worker);
        if (output !== undefined) latest?.(worker.id, output);
      }
    };
    return withSupervisor(context, (client) => followStory(context, client, { story, showLatest }));
  },
});
