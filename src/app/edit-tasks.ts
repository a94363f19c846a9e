import * as z from "zod";
import { taskListErrors } from "../errors/work.ts";
import type { NewTask, TaskOperation } from "../tasks/task.ts";
import { keepTrust } from "./project/require-trust.ts";
import { operationSchema, reportOperation } from "./tasks/describe-operation.ts";
import { openTasks } from "./tasks/open-tasks.ts";
import { defineUseCase } from "./use-case.ts";

const ONLY_PEOPLE = "never changes tasks";

const fieldsInput = () =>
  z.strictObject({
    description: z.string().optional(),
    language: z.string().optional(),
    priority: z.string().optional().describe("high, medium or low"),
    dependencies: z.array(z.string()).optional().describe("An empty list removes all"),
    criteria: z.array(z.string()).optional(),
  });

/** Adds a task, which gets the next number. */
export const addTaskUseCase = defineUseCase({
  input: () => fieldsInput().extend({ title: z.string(), dryRun: z.boolean().optional() }),
  output: operationSchema,
  onlyPeople: ONLY_PEOPLE,
  run: async (context, { title, dryRun = false, ...fields }) => {
    const store = await openTasks(context);
    const create = (): Promise<TaskOperation> => store.create({ ...pickFields(fields), title }, { dryRun });
    return reportOperation(context, await keepTrust(context, create, { writesCriteria: true }));
  },
});

/** Changes fields of tasks; all others stay as they are. */
export const editTasksUseCase = defineUseCase({
  input: () =>
    fieldsInput().extend({
      tasks: z.string().describe("Numbers, ranges or all: 343-345,337"),
      title: z.string().optional(),
      dryRun: z.boolean().optional(),
      continueOnError: z.boolean().optional(),
    }),
  output: operationSchema,
  onlyPeople: ONLY_PEOPLE,
  run: async (context, { tasks, title, dryRun = false, continueOnError = false, ...given }) => {
    const { criteria, ...plain } = pickFields(given);
    const fields = {
      ...plain,
      ...(title === undefined ? {} : { title }),
      ...(criteria === undefined ? {} : { extra: { criteria } }),
    };
    if (Object.keys(fields).length === 0) throw taskListErrors.nothingToEdit();
    const store = await openTasks(context);
    const options = { dryRun, continueOnError };
    const update = (): Promise<TaskOperation> => store.updateMetadata(tasks, fields, options);
    return reportOperation(context, await keepTrust(context, update, { writesCriteria: true }));
  },
});

/** Adds tasks from another tool's file: Task Master, a JSON list, a TODO.md. */
export const importTasksUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      text: z.string(),
      source: z.string().describe("Named in the tasks, so that importing it again adds nothing twice"),
      dryRun: z.boolean().optional(),
      continueOnError: z.boolean().optional(),
    }),
  output: operationSchema,
  onlyPeople: ONLY_PEOPLE,
  run: async (context, { text, source, dryRun = false, continueOnError = false }) => {
    const store = await openTasks(context);
    return reportOperation(context, await store.importTasks({ text, source }, { dryRun, continueOnError }));
  },
});

function pickFields(fields: z.output<ReturnType<typeof fieldsInput>>): Omit<NewTask, "parent" | "title"> {
  const { description, language, priority, dependencies, criteria = [] } = fields;
  return {
    ...(description === undefined ? {} : { description }),
    ...(language === undefined ? {} : { language }),
    ...(priority === undefined ? {} : { priority }),
    ...(dependencies === undefined ? {} : { dependencies }),
    ...(criteria.length === 0 ? {} : { criteria }),
  };
}
