import * as z from "zod";
import { outcomes } from "../../contract/outcome.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import type { CheckMeaning } from "../../contract/task.ts";
import { copyFields } from "../wire/copy-fields.ts";
import { storyProofs, type StoryEnding, type StoryProof } from "../project/story-follower.ts";

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
    proof: z
      .enum(storyProofs)
      .nullable()
      .optional()
      .describe("What its checks prove, compared with the tree it started from; null if it was not checked"),
    errors: z
      .array(z.looseObject({ code: z.string(), message: z.string(), recommendation: z.string() }))
      .optional()
      .describe("What its worker says went wrong, with its advice"),
    next_steps: z.string().optional().describe("What its worker advises next"),
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
  #isAccepted: boolean | undefined;
  /** The newest meaning of each criterion that passed; undefined where the tree before is not known. */
  readonly #meanings = new Map<string, CheckMeaning | undefined>();
  #start: StoryEnding["start"] = null;
  #advice: StoryEnding["advice"] = { errors: [], nextSteps: "" };

  constructor(story: string) {
    this.#story = story;
  }

  /** The ending when this event is the end; undefined while the story goes on. */
  readEvent(event: JournalEvent): StoryEnding | undefined {
    if (event.type === "delegation-merged" && event.data.into === `refs/heads/ambit/${this.#story}`)
      this.#merged = true;
    if (event.type === "workspace-created" && event.delegation === this.#story)
      this.#start = event.data.start ?? this.#start;
    if (event.delegation !== this.#story) return undefined;
    this.#readProof(event);
    if (event.type === "delegation-returned")
      this.#advice = { errors: event.data.errors ?? [], nextSteps: event.data.nextSteps ?? "" };
    if (event.type !== "delegation-closed") return undefined;
    const { outcome, code, summary, filesChanged } = event.data;
    const [story, merged, start, advice] = [this.#story, this.#merged, this.#start, this.#advice];
    const proof = this.#judgeProof();
    return { story, outcome, code, summary, filesChanged, merged, start, proof, advice };
  }

  #readProof(event: JournalEvent): void {
    if (event.type === "delegation-verified") this.#isAccepted = event.data.passed > 0;
    if (event.type !== "criterion-checked") return;
    if (event.data.verdict === "passed") this.#meanings.set(event.data.criterionId, event.data.meaning);
    else this.#meanings.delete(event.data.criterionId);
  }

  /** The best of what its checks show: one that was red before proves the work, whatever the others say. */
  #judgeProof(): StoryProof | null {
    if (this.#isAccepted === undefined) return null;
    if (!this.#isAccepted) return "unchecked";
    const meanings = [...this.#meanings.values()];
    const hasOnly = (...weak: readonly CheckMeaning[]): boolean =>
      meanings.length > 0 && meanings.every((meaning) => meaning !== undefined && weak.includes(meaning));
    if (hasOnly("proves-nothing")) return "nothing";
    return hasOnly("proves-nothing", "no-regression", "red-before") ? "no-regression" : "proven";
  }
}

function describeStart({ leftOut, ...start }: NonNullable<StoryEnding["start"]>) {
  return { ...start, left_out: [...leftOut] };
}

export function describeEnding(ending: StoryEnding): FollowedStory {
  const { story, outcome, code, summary, filesChanged, merged, start, proof, advice } = ending;
  const unproven = outcome === "completed" || filesChanged.length === 0 ? null : `delegation/${story}`;
  const branch = merged ? `ambit/${story}` : unproven;
  const facts = { story, outcome, code, summary, files_changed: filesChanged.length, branch, merged, proof };
  const { errors, nextSteps } = advice;
  return {
    ...facts,
    ...(errors.length === 0 ? {} : { errors: errors.map(copyFields) }),
    ...(nextSteps === "" ? {} : { next_steps: nextSteps }),
    starts_from: start === null ? null : describeStart(start),
  };
}
