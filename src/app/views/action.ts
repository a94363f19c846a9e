import * as z from "zod";
import { storyRequestSchema } from "../../contract/story-request.ts";

/** The fields of a story that a page can set; all others keep their defaults. */
export const draftSchema = () =>
  storyRequestSchema.pick({ title: true, agent: true, timeoutSeconds: true }).extend({
    criteria: z.array(z.string().trim().min(1).max(2000)).max(100).optional(),
    checks: z.array(z.string().trim().min(1)).max(100).optional().describe("Commands that must pass"),
    budgetUsd: z.number().min(0).optional(),
  });

export type StoryDraft = z.infer<ReturnType<typeof draftSchema>>;

export const MAX_TEXT_LENGTH = 4000;

/** `POST /api/actions`. */
export function actionSchema() {
  const id = z.string().min(1).max(400);
  const text = z.string().trim().min(1).max(MAX_TEXT_LENGTH);
  const optionalText = z.string().max(MAX_TEXT_LENGTH).optional();
  return z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("approve"), approval: id, reason: optionalText }),
    z.strictObject({ kind: z.literal("reject"), approval: id, reason: text }),
    z.strictObject({ kind: z.literal("reply"), approval: id, text }),
    // Gives a story that ended blocked what it needs; a new run continues it.
    z.strictObject({ kind: z.literal("unblock"), id, text }),
    z.strictObject({ kind: z.literal("stop"), id, reason: optionalText }),
    // From its kept work (`resume`), or from where it began (`retry`): a new run, whose id is answered.
    z.strictObject({
      kind: z.literal("resume"),
      id,
      note: optionalText,
      // A limit that stopped it, raised.
      budgetUsd: z.number().min(0).optional(),
      timeoutSeconds: z.int().min(1).optional(),
    }),
    z.strictObject({ kind: z.literal("retry"), id, note: optionalText }),
    // To a worker that is at work; about a place in its diff where `path` is given.
    z.strictObject({
      kind: z.literal("message"),
      id,
      text,
      path: z.string().min(1).max(4096).optional(),
      line: z.int().min(1).optional(),
    }),
    z.strictObject({
      kind: z.literal("task-status"),
      task: id,
      status: z.string().min(1).max(40),
      // The change is made even if TODO.md has another status.
      confirmed: z.boolean().optional(),
    }),
    z.strictObject({ kind: z.literal("start-story"), story: draftSchema() }),
    // `tip` is the commit of the preview: a story that has moved since is refused.
    z.strictObject({ kind: z.literal("merge"), story: id, tip: id, squash: z.boolean().optional() }),
    z.strictObject({ kind: z.literal("merge-undo"), story: id }),
    z.strictObject({ kind: z.literal("run-task"), task: id }),
    z.strictObject({ kind: z.literal("add-task"), title: text, description: optionalText }),
  ]);
}

export type Action = z.infer<ReturnType<typeof actionSchema>>;
