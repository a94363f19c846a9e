import * as z from "zod";
import { isSigningExpected } from "../workspace/look-up.ts";
import { previewMerge, type MergePreview } from "../workspace/user-merge.ts";
import { changedFileSchema, describeChangedFile } from "./project/changed-files.ts";
import type { Mergeable } from "./merge/find-mergeable.ts";
import {
  describeImpossible,
  mergeInput,
  shortenBranch,
  unmergedSchemas,
  withMergeable,
} from "./merge/open-merge.ts";
import { defineUseCase } from "./use-case.ts";

const plannedShape = () => ({
  story: z.string(),
  title: z.string(),
  source: z.string().describe("The branch with the story's work"),
  tip: z.string(),
  unproven: z.array(z.string()),
  merged: z.literal(false),
  dry_run: z.literal(true),
});

const readySchema = () =>
  z.looseObject({
    ...plannedShape(),
    status: z.literal("ready"),
    way: z.enum(["fast-forward", "merge-commit", "squash"]),
    branch: z.string(),
    from: z.string(),
    is_checked_out: z.boolean(),
    files: z.array(changedFileSchema()),
    edited: z
      .array(z.string())
      .describe(
        "Files of yours with uncommitted changes in other lines; they are merged and stay uncommitted",
      ),
    added: z.int(),
    removed: z.int(),
  });

const unfinishedSchema = () =>
  z.looseObject({
    ...plannedShape(),
    status: z.literal("unfinished"),
    interrupted: z.string().describe("The story whose merge was killed and is completed first"),
  });

const output = () =>
  z.discriminatedUnion("status", [readySchema(), unfinishedSchema(), ...unmergedSchemas()]);

export type MergePlan = z.output<ReturnType<typeof readySchema> | ReturnType<typeof unfinishedSchema>>;

/** Previews the merge of a story into the user's branch. Changes nothing. */
export const previewMergeUseCase = defineUseCase({
  input: mergeInput,
  output,
  onlyPeople: "never merges into your branch",
  run: (context, input) =>
    withMergeable(context, input, async ({ merging, mergeable, request }) => {
      const preview = await previewMerge(merging, request);
      if (preview.status === "ready" && input.sign !== true && (await isSigningExpected(merging.repository)))
        context.warn("commit.gpgSign is set: --sign merges this as one commit with your signature.");
      return preview.status === "ready" || preview.status === "unfinished"
        ? describePlan(mergeable, preview)
        : describeImpossible(mergeable, preview);
    }),
});

type Possible = Extract<MergePreview, { readonly status: "ready" | "unfinished" }>;

function describePlan({ story, title, source, tip, unproven }: Mergeable, preview: Possible): MergePlan {
  const work = { story, title, source, tip, unproven: [...unproven] };
  const common = { ...work, merged: false, dry_run: true } as const;
  if (preview.status === "unfinished")
    return { ...common, status: preview.status, interrupted: preview.story };
  const { status, way, branch, from, isCheckedOut, diff, edited } = preview;
  return {
    ...common,
    status,
    way,
    branch: shortenBranch(branch),
    from,
    is_checked_out: isCheckedOut,
    files: diff.files.map(describeChangedFile),
    edited: [...edited],
    added: diff.added,
    removed: diff.removed,
  };
}
