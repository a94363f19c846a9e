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
    starts_from: startSchema()
      .nullable()
      .optional()
      .describe("Your commit, and how many of your uncommitted files the story started with"),
  });

const startSchema = () =>
  z.looseObject({
    head: z.string(),
    changed: z.int(),
    untracked: z.int(),
    left_out: z.array(z.looseObject({ path: z.string(), reason: z.string() })),
  });

export type FollowedStory = z.output<ReturnType<typeof followedSchema>>;

/** Reads the end out of a story's events. */
export class EndingReader {
  readonly #story: string;
  #merged = false;
  #start: StoryEnding["start"] = null;

  constructor(story: string) {
    this.#story = story;
  }

  /** The ending when this event is the end; undefined while the story goes on. */
  readEvent(event: JournalEvent): StoryEnding | undefined {
    if (event.type === "delegation-merged" && event.data.into === `refs/heads/ambit/${this.#story}`)
      this.#merged = true;
    if (event.type === "workspace-created" && event.delegation === this.#story)
      this.#start = event.data.start ?? this.#start;
    if (event.type !== "delegation-closed" || event.delegation !== this.#story) return undefined;
    const { outcome, code, summary, filesChanged } = event.data;
    const [story, merged, start] = [this.#story, this.#merged, this.#start];
    return { story, outcome, code, summary, filesChanged, merged, start };
  }
}

function describeStart({ leftOut, ...start }: NonNullable<StoryEnding["start"]>) {
  return { ...start, left_out: [...leftOut] };
}

export function describeEnding(ending: StoryEnding): FollowedStory {
  const { story, outcome, code, summary, filesChanged, merged, start } = ending;
  const unproven = outcome === "completed" || filesChanged.length === 0 ? null : `delegation/${story}`;
  const branch = merged ? `ambit/${story}` : unproven;
  const facts = { story, outcome, code, summary, files_changed: filesChanged.length, branch, merged };
  return { ...facts, starts_from: start === null ? null : describeStart(start) };
}
