import * as z from "zod";
import { safeText } from "../base/safe-text.ts";
import { reviewErrors } from "../errors/work.ts";
import { isSigningExpected } from "../workspace/look-up.ts";
import { applyMerge, previewMerge } from "../workspace/user-merge.ts";
import {
  describeImpossible,
  mergeInput,
  shortenBranch,
  unmergedSchemas,
  withMergeable,
} from "./merge/open-merge.ts";
import { defineUseCase } from "./use-case.ts";

export type { Unmerged } from "./merge/open-merge.ts";

const mergedSchema = () =>
  z.looseObject({
    story: z.string(),
    merged: z.literal(true),
    status: z.literal("merged"),
    way: z.enum(["fast-forward", "merge-commit", "squash"]),
    branch: z.string(),
    from: z.string(),
    to: z.string(),
    undo: z.string().describe("The command that takes it back"),
  });

const output = () => z.discriminatedUnion("status", [mergedSchema(), ...unmergedSchemas()]);

/** Brings a story's proven work into a branch of the user's. It can be undone. */
export const mergeUseCase = defineUseCase({
  input: () =>
    mergeInput().extend({
      tip: z
        .string()
        .optional()
        .describe("The commit that was shown; a story that has moved since is refused"),
    }),
  output,
  onlyPeople: "never merges into your branch",
  run: (context, { tip, ...input }) =>
    withMergeable(context, input, async ({ merging, mergeable, request }) => {
      const { story, title } = mergeable;
      if (tip !== undefined && tip !== mergeable.tip) throw reviewErrors.storyMoved(story);
      const preview = await previewMerge(merging, request);
      const isOneCommit = preview.status === "ready" && preview.way === "squash";
      const subject = safeText(title);
      const message = isOneCommit ? `${subject}\n\nStory: ${story}\n` : `Merge ambit/${story}: ${subject}\n`;
      const signing = input.sign === true ? { signing: context.environment } : {};
      const applied = await applyMerge(merging, { ...request, message, ...signing });
      if (applied.status !== "merged") return describeImpossible(mergeable, applied);
      const { status, way, branch, from, to } = applied;
      if (input.sign !== true && (await isSigningExpected(merging.repository)))
        context.warn(
          `commit.gpgSign is set, and Ambit's commits are not signed. Sign them: git rebase --rebase-merges --force-rebase --gpg-sign ${from.slice(0, 12)}`,
        );
      const undo = `ambit merge ${story} --undo`;
      return { story, merged: true, status, way, branch: shortenBranch(branch), from, to, undo } as const;
    }),
});
