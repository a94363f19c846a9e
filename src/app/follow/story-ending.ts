import * as z from "zod";
import { outcomes } from "../../contract/outcome.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import type { StoryEnding } from "../project/story-follower.ts";

/** How a story ended. `outcome` is null while it keeps working: after a detach, or when the person stopped watching. */
export const followedSchema = () =>
  z.looseObject({
    story: z.string(),
    outcome: z.enum(outcomes).nullable(),
    code: z.string().nullable().optional(),
    summary: z.string().optional(),
    files_changed: z.int().optional(),
    branch: z.string().nullable().optional().describe("The branch with its work"),
    merged: z.boolean().optional().describe("Whether the branch holds proven work"),
  });

export type FollowedStory = z.output<ReturnType<typeof followedSchema>>;

/** Reads the end out of a story's events. */
export class EndingReader {
  readonly #story: string;
  #merged = false;

  constructor(story: string) {
    this.#story = story;
  }

  /** The ending when this event is the end; undefined while the story goes on. */
  readEvent(event: JournalEvent): StoryEnding | undefined {
    if (event.type === "delegation-merged" && event.data.into === `refs/heads/ambit/${this.#story}`)
      this.#merged = true;
    if (event.type !== "delegation-closed" || event.delegation !== this.#story) return undefined;
    const { outcome, code, summary, filesChanged } = event.data;
    return { story: this.#story, outcome, code, summary, filesChanged, merged: this.#merged };
  }
}

export function describeEnding(ending: StoryEnding): FollowedStory {
  const { story, outcome, code, summary, filesChanged, merged } = ending;
  const unproven = outcome === "completed" || filesChanged.length === 0 ? null : `delegation/${story}`;
  const branch = merged ? `ambit/${story}` : unproven;
  return { story, outcome, code, summary, files_changed: filesChanged.length, branch, merged };
}
