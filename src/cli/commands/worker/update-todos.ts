import * as z from "zod";
import { exitCodeFor } from "../../../contract/error-code.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { readInputText } from "../../read-input.ts";
import { callRuntime } from "./call-runtime.ts";

const answerSchema = z.looseObject({
  accepted: z.boolean(),
  codes: z.array(z.string()),
  problems: z.array(z.looseObject({ code: z.string(), message: z.string() })).default([]),
  warnings: z.array(z.string()).default([]),
  advice: z.string().default(""),
  delegations: z
    .array(
      z.looseObject({
        todo: z.string(),
        admitted: z.boolean(),
        codes: z.array(z.string()),
        explanation: z.string(),
        delegation_id: z.string().nullable(),
      }),
    )
    .default([]),
  todos: z.array(z.looseObject({ id: z.string(), status: z.string(), content: z.string() })).default([]),
});

/** The same as the tool task_update, from an agent's shell. */
export async function updateTodos(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const given = invocation.option("update") ?? "";
  const todos = given === "-" ? await readInputText("-", context) : given;
  const answer = answerSchema.parse(await callRuntime(context, "task_update", { todos }));
  const refused = answer.delegations.find(({ admitted }) => !admitted);
  const lines = [
    ...answer.problems.map(({ code, message }) => `refused  ${code}: ${message}`),
    ...answer.warnings.map((warning) => `warning  ${warning}`),
    ...answer.delegations.map((one) =>
      one.admitted
        ? `at work  ${one.todo} ${one.delegation_id ?? ""}`
        : `refused  ${one.todo} ${one.explanation}`,
    ),
    ...answer.todos.map(({ id, status, content }) => `[${status}] ${id}: ${content}`),
    answer.advice,
  ];
  const [code] = answer.accepted ? (refused?.codes ?? []) : answer.codes;
  return {
    exitCode: code === undefined ? exitCode.completed : exitCodeFor(code.split(":", 1)[0] ?? code),
    json: { ...answer },
    text: lines.filter((line) => line !== "").join("\n"),
  };
}
