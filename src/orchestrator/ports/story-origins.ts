import type { StoryVariables } from "../../contract/environment-variables.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The origin of a story: facts about the command that asked for it. */
export interface StoryOrigin {
  /** The variables of the shell in which the command ran. */
  readonly environment: Environment;
  /** The root of the checkout in which it ran: the base, the settings and the agents come from there. */
  readonly checkout: string;
  /** The variables that the command added to the project's settings (`--env`). */
  readonly variables: StoryVariables;
}

/** The origins of all open stories. Values are never in the journal. */
export interface StoryOrigins {
  /** Remembers the origin; the variables that `names` match are kept for the next process, too. */
  keep(story: string, origin: StoryOrigin, names: readonly string[]): void;
  /** The origin of a story; this process's own variables if none is known. */
  read(story: string): StoryOrigin;
  forget(story: string): void;
  /** Forgets what earlier processes kept for stories that are not among these. */
  forgetOthers(stories: ReadonlySet<string>): void;
}

/** The command that asks for a story. */
export interface StoryCaller {
  /** The variables of its shell; our own if it has none. */
  readonly environment?: Environment | undefined;
  /** The checkout it runs in; our own if it has none. */
  readonly checkout?: string | undefined;
  /** Gives the person the warnings that are also in the story's notes. */
  readonly warn?: ((text: string) => void) | undefined;
}
