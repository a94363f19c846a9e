import * as z from "zod";
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
    const target = await readStore(context, (reader) => findTarget(reader, id));
    if (target === undefined) return { story: null };
    return withSupervisor(context, (client) => followStory(context, client, { story: target.story.id }));
  },
});
