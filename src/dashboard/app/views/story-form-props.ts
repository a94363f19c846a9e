import type { LiveStory } from "../live/story.ts";

/** The properties of every form of a story: tree, timeline and graph. */
export interface StoryFormProps {
  readonly live: LiveStory;
  readonly story: string;
  /** The delegation whose panel is open. */
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}
