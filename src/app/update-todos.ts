import * as z from "zod";
import { defineUseCase } from "./use-case.ts";
import { callRuntime } from "./worker/call-runtime.ts";

const delegationSchema = () =>
  z.looseObject({
    todo: z.string(),
    admitted: z.boolean(),
    codes: z.array(z.string()),
    explanation: z.string(),
    delegation_id: z.string().nullable(),
  });

const output = () =>
  z.looseObject({
    accepted: z.boolean(),
    codes: z.array(z.string()),
    problems: z.array(z.looseObject({ code: z.string(), message: z.string() })).default([]),
    warnings: z.array(z.string()).default([]),
    advice: z.string().default(""),
    delegations: z.array(delegationSchema()).default([]),
    todos: z.array(z.looseObject({ id: z.string(), status: z.string(), content: z.string() })).default([]),
  });

/** For agents inside a story: replaces the todo list of the manager that asks. */
export const updateTodosUseCase = defineUseCase({
  input: () => z.strictObject({ todos: z.string().describe("The list as JSON") }),
  output,
  isForAgents: true,
  run: async (context, { todos }) => output().parse(await callRuntime(context, "task_update", { todos })),
});
