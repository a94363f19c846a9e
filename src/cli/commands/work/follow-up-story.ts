import * as z from "zod";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { optionalWholeNumber, usage } from "../../option-values.ts";
import { followStory } from "./follow-story.ts";
import { startedSupervisor } from "./project-supervisor.ts";
import { readDollars } from "./read-story-request.ts";

/** What a person may change when work is taken up again; everything else stays as it was agreed. */
export type Changes = Readonly<Record<string, string | number>>;

const LONGEST_NOTE = 4000;

export function readChanges(invocation: Invocation): Changes {
  const note = invocation.option("note");
  const agent = invocation.option("agent");
  const budget = invocation.option("budget");
  const timeoutSeconds = optionalWholeNumber(invocation, "timeout");
  if (note !== undefined && note.length > LONGEST_NOTE)
    throw usage(`--note has ${note.length} characters`, `Use at most ${LONGEST_NOTE}.`);
  if (timeoutSeconds === 0) throw usage("--timeout is 0", "Give at least one second.");
  return {
    ...(note === undefined ? {} : { note }),
    ...(agent === undefined ? {} : { agent }),
    ...(budget === undefined ? {} : { budgetMicroUsd: readDollars(budget) }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  };
}

export interface FollowUp {
  readonly id: string;
  readonly from: "work" | "base";
  readonly changes: Changes;
  readonly detach: boolean;
}

const startedSchema = z.object({ story: z.string() });

/** What ended stays as it is; a new story with the same contract begins, and is followed. */
export async function followUpStory(context: CommandContext, wish: FollowUp): Promise<CommandOutcome> {
  const { id, from, changes, detach } = wish;
  const client = await startedSupervisor(context);
  try {
    const { story } = startedSchema.parse(await client.call("follow-up", { id, from, ...changes }));
    context.progress(
      `${story} ${from === "work" ? "goes on from the work of" : "begins anew instead of"} ${id}`,
    );
    return detach ? detached(story, id) : await followStory(context, client, story);
  } finally {
    client.close();
  }
}

/** `after` is the work it takes up; the story itself when it was only interrupted. */
export function detached(story: string, after: string): CommandOutcome {
  return {
    exitCode: exitCode.completed,
    json: { story, after, outcome: null },
    text: `${story} is running.\n  watch  ambit attach ${story}\n  stop   ambit stop ${story}`,
  };
}
