import type { AppContext } from "../project/app-context.ts";
import type { StoryFollower } from "../project/story-follower.ts";

/**
 * One follower for a story that is followed more than once, because its supervisor is killed in between: past events are
 * told once, and the picture stays until the story ends or the person leaves.
 */
export class SteadyFollower {
  #follower: StoryFollower | undefined;
  #lastSeq = 0;
  #isOver = false;

  /** A surface whose followers are all this one. */
  wrap(surface: AppContext): AppContext {
    const { followStory } = surface;
    if (followStory === undefined) return surface;
    return {
      ...surface,
      followStory: async (story) => {
        const follower = (this.#follower ??= await followStory(story));
        return { ...follower, event: (event) => this.#tell(event), close: (ending) => this.#close(ending) };
      },
    };
  }

  note(text: string): void {
    this.#follower?.note?.(text);
  }

  /** The supervisor was killed on purpose: what follows continues the same picture. */
  readonly #tell: StoryFollower["event"] = (event) => {
    if (event.seq <= this.#lastSeq) return;
    this.#lastSeq = event.seq;
    this.#follower?.event(event);
  };

  #close(ending: Parameters<StoryFollower["close"]>[0]): void {
    const { stop, leave } = this.#follower ?? {};
    if (ending !== undefined || stop?.aborted === true || leave?.aborted === true) this.#end(ending);
  }

  #end(ending: Parameters<StoryFollower["close"]>[0]): void {
    if (!this.#isOver) this.#follower?.close(ending);
    this.#isOver = true;
  }

  /** Whatever happened, the terminal is given back. */
  release(): void {
    this.#end(undefined);
  }
}
