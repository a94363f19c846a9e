import * as z from "zod";
import { visibleText } from "../../base/visible-text.ts";
import { storyVariablesSchema } from "../../contract/environment-variables.ts";
import { workErrors } from "../../errors/work.ts";
import { usageError } from "../../errors/usage.ts";
import { parseMicroUsd } from "../../base/money.ts";
import type { AppContext } from "../project/app-context.ts";
import { withSupervisor } from "../project/connect-supervisor.ts";
import { followStory } from "./follow-story.ts";
import { followedSchema } from "./story-ending.ts";

const MAX_NOTE = 4000;

/** A person may change these when work is continued; everything else stays as it was agreed. */
export const changesInput = () =>
  z.strictObject({
    note: z.string().optional().describe("A note about what to do differently"),
    agent: z.string().optional(),
    budgetUsd: z.number().min(0).optional(),
    timeoutSeconds: z.int().optional(),
    env: storyVariablesSchema.optional(),
  });

export const followUpInput = () =>
  z.strictObject({
    id: z.string().describe("An id, its beginning, @last or a path such as 2.1"),
    changes: changesInput().default({}),
    detach: z.boolean().optional(),
  });

export const followUpOutput = () =>
  followedSchema().extend({
    story: z.string().nullable().describe("Null before the first story"),
    after: z.string().optional().describe("The work that it continues"),
  });

export type Changes = z.output<ReturnType<typeof changesInput>>;
export type FollowUpAnswer = z.output<ReturnType<typeof followUpOutput>>;

/** Refuses changes that no story can have, before anything is read. */
export function checkChanges({ note = "", timeoutSeconds }: Changes): void {
  if (note.length > MAX_NOTE) throw workErrors.textTooLong("--note", note.length, MAX_NOTE);
  if (timeoutSeconds === 0) throw usageError("--timeout is 0", "Give at least one second.");
}

export interface FollowUp {
  readonly id: string;
  readonly from: "work" | "base";
  readonly changes: Changes;
  readonly detach: boolean | undefined;
}

/** Ended work stays as it is; a new story with the same contract begins, and is followed. */
export function startFollowUp(context: AppContext, followUp: FollowUp): Promise<FollowUpAnswer> {
  const { id, from, changes, detach } = followUp;
  const { isProjectTrusted = false } = context;
  const { budgetUsd, ...rest } = changes;
  const budget = budgetUsd === undefined ? {} : { budgetMicroUsd: parseMicroUsd(budgetUsd) };
  return withSupervisor(context, async (client) => {
    const { story, warnings } = await client.call("follow-up", {
      id,
      from,
      isProjectTrusted,
      ...rest,
      ...budget,
    });
    for (const warning of warnings) context.warn(visibleText(warning));
    context.progress(
      `${story} ${from === "work" ? "continues the work of" : "starts over instead of"} ${id}`,
    );
    return detach === true
      ? { story, after: id, outcome: null }
      : await followStory(context, client, { story });
  });
}
