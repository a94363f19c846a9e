import { describeSchemaIssues } from "../../base/schema-issues.ts";
import * as z from "zod";
import { delegationRequestSchema } from "../../contract/delegation-request.ts";
import { isRecord } from "../../base/json.ts";
import { storyRequestSchema, type StoryRequest } from "../../contract/story-request.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";

const MAX_DELEGATIONS = 100;

/** A manager always sends a list, because several agent CLIs run parallel calls one after the other. */
const delegationsSchema = z.strictObject({
  tasks: z.array(delegationRequestSchema).min(1).max(MAX_DELEGATIONS),
});

export type DelegationsRequest = z.infer<typeof delegationsSchema>["tasks"];

/** Every story request passes this one schema, wherever it comes from. */
export function parseStory(input: unknown): StoryRequest {
  return parseRequest(storyRequestSchema, input);
}

export function parseDelegations(input: unknown): DelegationsRequest {
  const { tasks } = parseRequest(delegationsSchema, renameList(input));
  return tasks;
}

/** Accepts `{delegations: […]}`, the form of R4, at the top or as the list itself. */
function renameList(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const { delegations, tasks, ...rest } = input;
  if (delegations !== undefined && tasks === undefined) return { ...rest, tasks: delegations };
  return isRecord(tasks) && tasks["delegations"] !== undefined
    ? { ...input, tasks: tasks["delegations"] }
    : input;
}

function parseRequest<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw orchestratorErrors.unusableRequest(describeSchemaIssues(parsed.error));
}
