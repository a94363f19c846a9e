import * as z from "zod";
import type { NewSubtask } from "../tasks/task.ts";
import { followedSchema } from "./follow/story-ending.ts";
import { operationSchema, reportOperation } from "./tasks/describe-operation.ts";
import { openTasks } from "./tasks/open-tasks.ts";
import { parseSubtasks } from "./tasks/parse-subtasks.ts";
import { proposeSubtasks } from "./tasks/propose-subtasks.ts";
import { defineUseCase } from "./use-case.ts";

export { isTaskOperation } from "./tasks/describe-operation.ts";

const input = () =>
  z.strictObject({
    task: z.string(),
    titles: z.array(z.string()).optional().describe("The titles of the subtasks"),
    list: z
      .strictObject({ text: z.string(), source: z.string() })
      .optional()
      .describe("Instead: a JSON list of subtasks with every field"),
    prompt: z
      .string()
      .optional()
      .describe("Guidance for dividing; kept with the task. Without titles and list, an agent proposes them"),
    agent: z.string().optional().describe("The agent that proposes them, instead of the default one"),
    dryRun: z.boolean().optional(),
  });

type Input = z.output<ReturnType<typeof input>>;

interface Division {
  readonly subtasks: readonly NewSubtask[];
  readonly prompt?: string;
}

/** Splits a task into subtasks: all of them, or none. An agent proposes them where only a prompt is given (R137). */
export const divideTaskUseCase = defineUseCase({
  input,
  output: () => z.union([operationSchema(), followedSchema()]),
  onlyPeople: "never changes tasks",
  runsProject: (asked) => readGiven(asked) === undefined,
  run: async (context, asked) => {
    const { task, prompt = "", agent, dryRun = false } = asked;
    const store = await openTasks(context);
    const given = readGiven(asked);
    if (given !== undefined) return reportOperation(context, await store.divide(task, given, { dryRun }));
    const { subtasks, ended } = await proposeSubtasks(context, store, { task, prompt, agent });
    if (subtasks === undefined) return ended;
    return reportOperation(context, await store.divide(task, { subtasks, prompt }, { dryRun }));
  },
});

/** The subtasks that the person named; undefined where an agent is to propose them. */
function readGiven({ titles = [], list, prompt }: Input): Division | undefined {
  if (titles.length === 0 && list === undefined && prompt !== undefined) return undefined;
  const subtasks = list === undefined ? titles.map((title) => ({ title })) : parseSubtasks(list);
  return { subtasks, ...(prompt === undefined ? {} : { prompt }) };
}
