import * as z from "zod";
import { exitCode } from "../../../contract/exit-code.ts";
import { exitCodeFor } from "../../../contract/error-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { parseWholeNumber, usage } from "../../option-values.ts";
import { callRuntime } from "./call-runtime.ts";

const answerSchema = z.object({
  done: z.boolean(),
  advice: z.string(),
  tasks: z.array(
    z.union([
      z.object({
        admitted: z.literal(true),
        delegation_id: z.string(),
        result: z.looseObject({ success: z.boolean(), summary: z.string() }).nullable(),
      }),
      z.object({ admitted: z.literal(false), codes: z.array(z.string()), explanation: z.string() }),
    ]),
  ),
});

export async function delegateFromWorker(
  context: CommandContext,
  invocation: Invocation,
): Promise<CommandOutcome> {
  const waitSeconds = parseWholeNumber(invocation.option("wait") ?? "60", "--wait");
  const tasks = readTasks(invocation);
  const answer = answerSchema.parse(await callRuntime(context, "delegate", { tasks, waitSeconds }));
  const lines = answer.tasks.map((task) => {
    if (!task.admitted) return `refused  ${task.explanation}`;
    if (task.result === null) return `at work  ${task.delegation_id}`;
    return `${task.result.success ? "done   " : "failed "}  ${task.delegation_id}  ${JSON.stringify(task.result)}`;
  });
  const refused = answer.tasks.find((task) => !task.admitted);
  const code = refused?.admitted === false ? exitCodeFor(refused.codes[0] ?? "USAGE") : exitCode.completed;
  return { exitCode: code, json: { ...answer }, text: [...lines, answer.advice].join("\n") };
}

function readTasks(invocation: Invocation): unknown {
  const json = invocation.option("tasks");
  const description = invocation.argument("description");
  if ((json === undefined) === (description === ""))
    throw usage("give one description or --tasks", 'For example: ambit delegate "Write the tests"');
  if (json !== undefined) return parseJson(json);
  const lists = { accept: "accept", file_scope: "scope", depends_on: "dependsOn" } as const;
  const texts = {
    agent: "agent",
    priority: "priority",
    context: "context",
    budget_usd: "budget",
    timeout_seconds: "timeout",
  } as const;
  const given = [
    ...Object.entries(lists).map(([field, name]) => {
      const values = invocation.optionList(name);
      return [field, values.length === 0 ? undefined : values];
    }),
    ...Object.entries(texts).map(([field, name]) => [field, invocation.option(name)]),
  ].filter(([, value]) => value !== undefined);
  return [{ description, ...Object.fromEntries(given) }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usage("--tasks is not JSON", 'Give a list such as [{"description": "Write the tests"}].');
  }
}
