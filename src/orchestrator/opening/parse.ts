import * as z from "zod";
import { DelegationError } from "../../base/delegation-error.ts";
import { delegationRequestSchema } from "../../contract/delegation-request.ts";
import { isRecord } from "../../contract/lenient.ts";
import { storyRequestSchema, type StoryRequest } from "../../contract/story-request.ts";

const MAX_LIST = 100;

/** What a manager asks for, however it asks: a list, because several CLIs make parallel calls one after the other. */
const delegationsSchema = z.strictObject({ tasks: z.array(delegationRequestSchema).min(1).max(MAX_LIST) });

export type DelegationsRequest = z.infer<typeof delegationsSchema>["tasks"];

/** Everything from outside passes one schema, once. */
export function parseStory(input: unknown): StoryRequest {
  return parse(storyRequestSchema, input);
}

export function parseDelegations(input: unknown): DelegationsRequest {
  const { tasks } = parse(delegationsSchema, underOneName(input));
  return tasks;
}

/** `{delegations: […]}` is the form of R4, at the top or as the list itself. Each of them passes the same schema. */
function underOneName(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const { delegations, tasks, ...rest } = input;
  if (delegations !== undefined && tasks === undefined) return { ...rest, tasks: delegations };
  return isRecord(tasks) && tasks["delegations"] !== undefined
    ? { ...input, tasks: tasks["delegations"] }
    : input;
}

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new DelegationError({
    code: "USAGE",
    message: `The request is not usable: ${z.prettifyError(parsed.error)}`,
    recommendation: "Correct it and ask again; nothing was started.",
  });
}
