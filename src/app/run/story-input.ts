import * as z from "zod";
import { randomBase36 } from "../../base/ids.ts";
import { storyIdSchema } from "../../contract/identity.ts";
import { storyRequestSchema, type StoryRequest } from "../../contract/story-request.ts";
import { parseMicroUsd } from "../../base/money.ts";

/** A story as people ask for it: the id may be missing, the budget is in dollars. */
export const storyInput = () =>
  storyRequestSchema.omit({ id: true, budgetMicroUsd: true, isProjectTrusted: true, ways: true }).extend({
    id: storyIdSchema.optional(),
    budgetUsd: z.number().min(0).optional(),
    checks: z.array(z.string().trim().min(1)).max(100).optional().describe("Commands that must pass"),
  });

export type StoryInput = z.output<ReturnType<typeof storyInput>>;

/** The request for the runtime; an id that starts with `prefix` is made up if none was given. */
export function buildStoryRequest(
  { id, budgetUsd, checks = [], criteria = [], ...story }: StoryInput,
  prefix: string,
): StoryRequest {
  const all = [...criteria, ...checks.map(describeCommand)];
  return {
    ...story,
    ...(all.length === 0 ? {} : { criteria: all }),
    id: id ?? `${prefix}-${randomBase36(6)}`,
    ...(budgetUsd === undefined ? {} : { budgetMicroUsd: parseMicroUsd(budgetUsd) }),
  };
}

/** A command alone is a criterion, whatever it looks like. */
function describeCommand(command: string): NonNullable<StoryRequest["criteria"]>[number] {
  return { text: `\`${command}\` exits with code 0`, check: { command } };
}

/** How a story is started: by which template it is divided, and whether the command waits for it. */
export const startInput = () => ({
  template: z
    .string()
    .optional()
    .describe("A way to divide the story, or several with commas: one of them is chosen at random"),
  inProcess: z.boolean().optional().describe("Run it here, without a supervisor"),
  detach: z.boolean().optional().describe("Return as soon as it has started"),
});

/** The same for a story whose title comes from a task or a file. */
export const storyOptionsInput = () => storyInput().omit({ title: true });

export type StoryOptions = z.output<ReturnType<typeof storyOptionsInput>>;
