import * as z from "zod";
import { outcomes } from "../../contract/outcome.ts";
import { isDirectChild } from "../../contract/child-id.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import { findWeakestProof, workProofs, type WorkProof } from "../../contract/work-proof.ts";
import { copyFields } from "../wire/copy-fields.ts";
import { noticesSchema, readNotice, type Notice } from "../project/notices.ts";
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
    proof: z
      .enum(workProofs)
      .nullable()
      .optional()
      .describe(
        "The proof by its checks, compared with the tree it started from; null if it was not checked",
      ),
    errors: z
      .array(z.looseObject({ code: z.string(), message: z.string(), recommendation: z.string() }))
      .optional()
      .describe("Problems that its worker reports, with its advice"),
    next_steps: z.string().optional().describe("The next steps that its worker advises"),
    noticed: noticesSchema(),
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
  #proof: WorkProof | null = null;
  /** Of workers right below the story, by their ids. */
  readonly #proofsBelow = new Map<string, WorkProof>();
  #start: StoryEnding["start"] = null;
  #advice: StoryEnding["advice"] = { errors: [], nextSteps: "" };
  readonly #noticed: Notice[] = [];

  constructor(story: string) {
    this.#story = story;
  }

  /** The ending when this event is the end; undefined while the story goes on. */
  readEvent(event: JournalEvent): StoryEnding | undefined {
    if (event.type === "delegation-merged" && event.data.into === `refs/heads/ambit/${this.#story}`)
      this.#merged = true;
    if (event.type === "workspace-created" && event.delegation === this.#story)
      this.#start = event.data.start ?? this.#start;
    this.#noticed.push(...readNotice(event));
    if (event.type === "delegation-verified") this.#takeProof(event);
    if (event.delegation !== this.#story) return undefined;
    if (event.type === "delegation-returned")
      this.#advice = { errors: event.data.errors ?? [], nextSteps: event.data.nextSteps ?? "" };
    if (event.type !== "delegation-closed") return undefined;
    const { outcome, code, summary, filesChanged } = event.data;
    const [story, merged, start, advice] = [this.#story, this.#merged, this.#start, this.#advice];
    const [proof, noticed] = [this.#proof, this.#noticed];
    return { story, outcome, code, summary, filesChanged, merged, start, proof, advice, noticed };
  }

  /** A story that no agent leads records no proof of its own: it is proven by its workers. */
  #takeProof({ delegation, data }: Extract<JournalEvent, { type: "delegation-verified" }>): void {
    const { proof, passed, filesChanged = [] } = data;
    if (delegation === this.#story)
      this.#proof = proof ?? (passed > 0 ? "proven" : findWeakestProof([...this.#proofsBelow.values()]));
    else if (delegation !== null && isDirectChild(delegation, this.#story) && filesChanged.length > 0)
      this.#proofsBelow.set(delegation, proof ?? "unchecked");
  }
}

function describeStart({ leftOut, ...start }: NonNullable<StoryEnding["start"]>) {
  return { ...start, left_out: [...leftOut] };
}

export function describeEnding(ending: StoryEnding): FollowedStory {
  const { story, outcome, code, summary, filesChanged, merged, start, proof, advice, noticed } = ending;
  const unproven = outcome === "completed" || filesChanged.length === 0 ? null : `delegation/${story}`;
  const branch = merged ? `ambit/${story}` : unproven;
  const facts = { story, outcome, code, summary, files_changed: filesChanged.length, branch, merged, proof };
  const { errors, nextSteps } = advice;
  return {
    ...facts,
    ...(errors.length === 0 ? {} : { errors: errors.map(copyFields) }),
    ...(nextSteps === "" ? {} : { next_steps: nextSteps }),
    ...(noticed.length === 0 ? {} : { noticed: noticed.map(copyFields) }),
    starts_from: start === null ? null : describeStart(start),
  };
}
