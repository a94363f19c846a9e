import type { LiveStory } from "../live/story.ts";

/** What every form of a story is given: tree, timeline and graph. */
export interface StoryFormProps {
  readonly live: LiveStory;
  readonly story: string;
  /** The delegation whose panel is open. */
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}
