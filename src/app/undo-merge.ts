import * as z from "zod";
import { reviewErrors } from "../errors/work.ts";
import { undoMerge } from "../workspace/user-merge.ts";
import { findUndoneStory, openCheckout, shortenBranch } from "./merge/open-merge.ts";
import { defineUseCase } from "./use-case.ts";

const ONLY_PEOPLE = "never merges into your branch";
const input = () => z.strictObject({ id: z.string().describe("A story id or its beginning") });

const output = () =>
  z.looseObject({
    story: z.string().nullable().describe("Null before the first story"),
    merged: z.boolean().optional(),
    status: z.literal("undone").optional(),
    branch: z.string().optional(),
    from: z.string().optional(),
    to: z.string().optional(),
  });

/** The story whose newest merge would be taken back. Changes nothing. */
export const previewUndoUseCase = defineUseCase({
  input,
  output: () => z.looseObject({ story: z.string().nullable() }),
  onlyPeople: ONLY_PEOPLE,
  run: async (context, { id }) => ({ story: (await findUndoneStory(context, id)) ?? null }),
});

/** Takes the newest merge of a story back: branch, index and files become what they were. */
export const undoMergeUseCase = defineUseCase({
  input,
  output,
  onlyPeople: ONLY_PEOPLE,
  run: async (context, { id }) => {
    const story = await findUndoneStory(context, id);
    if (story === undefined) return { story: null };
    const undone = await undoMerge(await openCheckout(context), { story });
    if (undone.status === "refused") throw reviewErrors.mergeRefused(story, undone);
    const { status, branch, from, to } = undone;
    return { story, merged: false, status, branch: shortenBranch(branch), from, to };
  },
});
