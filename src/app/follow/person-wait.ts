import { joinSentences } from "../../base/join-sentences.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";
import type { EventData, JournalEvent } from "../../contract/journal-event.ts";
import type { FollowedStory } from "./story-ending.ts";

/** How often to look whether a story with an open question still moves. */
const LOOK_MS = 250;
/** An answer needs a moment to set the story in motion again. */
const QUIET_LOOKS = 3;

/** Notices that a story waits for a person and for nothing else: where no person can answer, it would wait in vain. */
export class PersonWait {
  readonly #story: string;
  readonly #open = new Map<string, EventData<"approval-requested">>();

  constructor(story: string) {
    this.#story = story;
  }

  readEvent(event: JournalEvent): void {
    if (event.type === "approval-requested") this.#open.set(event.data.approvalId, event.data);
    if (event.type === "approval-answered") this.#open.delete(event.data.approvalId);
  }

  /** Resolves as soon as only a person can set the story in motion; never once `ended` is aborted. */
  async whenAsked(isBusy: () => Promise<boolean>, ended: AbortSignal): Promise<FollowedStory> {
    let quiet = 0;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      if (ended.aborted) return new Promise(() => undefined);
      quiet = this.#open.size > 0 && !(await isBusy()) ? quiet + 1 : 0;
      if (quiet >= QUIET_LOOKS) return this.#describe();
    }
  }

  #describe(): FollowedStory {
    const questions = [...this.#open.values()].map(({ question }) => quoteExcerpt(question));
    const summary = joinSentences(
      `${this.#story} waits for you, and no person can answer here: ${questions.join("; ")}`,
      "Its work is kept.",
    );
    return { story: this.#story, outcome: "blocked", code: "ANSWER_NEEDED", summary };
  }
}
