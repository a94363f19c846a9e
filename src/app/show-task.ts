import * as z from "zod";
import { describeTask, taskSchema } from "./tasks/describe-task.ts";
import { findListedTask } from "./tasks/find-task.ts";
import { readTasks } from "./tasks/open-tasks.ts";
import { defineUseCase } from "./use-case.ts";

const output = () =>
  taskSchema().extend({
    description: z.string(),
    criteria: z.array(z.string()),
    effort: z.string(),
    folder: z.string().describe("From the project's root"),
    fields: z.record(z.string(), z.unknown()).describe("The entry as it is in the file"),
    related: z
      .array(z.looseObject({ id: z.string(), status: z.string().nullable() }))
      .describe("The tasks that it names; null for those that are nowhere"),
  });

export type TaskCard = z.output<ReturnType<typeof output>>;

/** One task with everything that is written about it; archived tasks are found too. */
export const showTaskUseCase = defineUseCase({
  input: () => z.strictObject({ id: z.string() }),
  output,
  isReadOnly: true,
  run: async (context, { id }) => {
    const reader = await readTasks(context);
    const task = findListedTask(reader, id);
    const { dependencies, subtasks, parent } = task;
    const named = new Set([...dependencies, ...subtasks, ...(parent === undefined ? [] : [parent])]);
    return {
      ...describeTask(task),
      description: task.description,
      criteria: [...task.criteria],
      effort: task.effort,
      folder: reader.findFolder(task),
      fields: { ...task.raw },
      related: [...named].map((other) => ({ id: other, status: reader.find(other)?.status ?? null })),
    };
  },
});
