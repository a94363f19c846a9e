import * as z from "zod";
import { readErrors, type ErrorRecord } from "../orchestrator/workflow-errors.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const MAX_EVENTS = 50_000;

const input = () =>
  z.strictObject({
    story: z.string().optional().describe("Only errors of this story"),
    task: z.string().optional().describe("Only errors of this task"),
    type: z.string().optional().describe("Only these: timeout, validation, execution, refused, …"),
  });

const errorSchema = () =>
  z.looseObject({
    at: z.string(),
    type: z.string(),
    code: z.string(),
    message: z.string(),
    story: z.string(),
    subagent: z.string().nullable(),
    task_number: z.union([z.number(), z.string()]).nullable(),
    recommendation: z.string(),
  });

const groupSchema = () =>
  z.looseObject({
    count: z.int(),
    type: z.string(),
    code: z.string(),
    subagent: z.string().nullable(),
    last: z.string().describe("Time of the newest"),
    story: z.string().describe("Story of the newest"),
    recommendation: z.string(),
  });

const output = () =>
  z.looseObject({ errors: z.array(errorSchema()), groups: z.array(groupSchema()), count: z.int() });

export type ErrorList = z.output<ReturnType<typeof output>>;

/** Lists recent failures from the journal; groups are sorted by how often they occurred (R100). */
export const listErrorsUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  run: (context, { story, task, type }) =>
    readStore(context, async (reader) => {
      const question = { events: MAX_EVENTS, ...(story === undefined ? {} : { story }) };
      const all = reader === undefined ? [] : await readErrors(reader, question);
      const errors = all.filter(
        (error) =>
          (task === undefined || String(error.task_number) === task) &&
          (type === undefined || error.type === type),
      );
      const described = errors.map(describeError);
      return { errors: described, groups: groupErrors(errors), count: errors.length };
    }),
});

function describeError(error: ErrorRecord): ErrorList["errors"][number] {
  return { ...error };
}

/** By code and agent, the most frequent first. */
function groupErrors(errors: readonly ErrorRecord[]): ErrorList["groups"] {
  const groups = new Map<string, ErrorList["groups"][number]>();
  for (const { type, code, subagent, at, story, recommendation } of errors) {
    const key = `${code} ${subagent ?? ""}`;
    const count = (groups.get(key)?.count ?? 0) + 1;
    groups.set(key, { count, type, code, subagent, last: at, story, recommendation });
  }
  return [...groups.values()].toSorted(
    (left, right) => right.count - left.count || (left.last < right.last ? 1 : -1),
  );
}
