import * as z from "zod";
import type { TaskOperation } from "../tasks/task.ts";
import type { ChangeOptions, TaskStore } from "../tasks/task-store.ts";
import type { AppContext } from "./project/app-context.ts";
import { operationSchema, reportOperation, type DescribedOperation } from "./tasks/describe-operation.ts";
import { openTasks } from "./tasks/open-tasks.ts";
import { defineUseCase } from "./use-case.ts";

export type { DescribedOperation };

/** A worker's word changes no task: the runtime settles what a worker did. */
const ONLY_PEOPLE = "never changes tasks";

const changeInput = () =>
  z.strictObject({
    tasks: z.string().describe("Numbers, ranges or all: 343-345,337"),
    dryRun: z.boolean().optional().describe("Say what would change, change nothing"),
    continueOnError: z.boolean().optional().describe("Do what can be done; without it, all or none"),
  });

/** Sets the status of tasks, as the transition table allows. */
export const setTaskStatusUseCase = defineUseCase({
  input: () => changeInput().extend({ status: z.string() }),
  output: operationSchema,
  onlyPeople: ONLY_PEOPLE,
  run: (context, { tasks, status, ...options }) =>
    changeTasks(context, (store) => store.updateStatus(tasks, status, readOptions(options))),
});

/** Moves finished tasks to the archive. */
export const archiveTasksUseCase = defineUseCase({
  input: changeInput,
  output: operationSchema,
  onlyPeople: ONLY_PEOPLE,
  run: (context, { tasks, ...options }) =>
    changeTasks(context, (store) => store.archive(tasks, readOptions(options))),
});

/** Brings archived tasks back. */
export const recoverTasksUseCase = defineUseCase({
  input: changeInput,
  output: operationSchema,
  onlyPeople: ONLY_PEOPLE,
  run: (context, { tasks, ...options }) =>
    changeTasks(context, (store) => store.recover(tasks, readOptions(options))),
});

/** Gives tasks up and archives them. */
export const abandonTasksUseCase = defineUseCase({
  input: () => changeInput().extend({ reason: z.string().optional() }),
  output: operationSchema,
  onlyPeople: ONLY_PEOPLE,
  run: (context, { tasks, ...options }) =>
    changeTasks(context, (store) => store.abandon(tasks, readOptions(options))),
});

/** Brings TODO.md and state.json together and says which side won. */
export const syncTasksUseCase = defineUseCase({
  input: changeInput,
  output: operationSchema,
  onlyPeople: ONLY_PEOPLE,
  run: (context, { tasks, ...options }) =>
    changeTasks(context, (store) => store.sync(tasks, readOptions(options))),
});

async function changeTasks(
  context: AppContext,
  change: (store: TaskStore) => Promise<TaskOperation>,
): Promise<DescribedOperation> {
  return reportOperation(context, await change(await openTasks(context)));
}

interface GivenOptions {
  readonly dryRun?: boolean | undefined;
  readonly continueOnError?: boolean | undefined;
  readonly reason?: string | undefined;
}

function readOptions({ dryRun = false, continueOnError = false, reason }: GivenOptions): ChangeOptions {
  return { dryRun, continueOnError, ...(reason === undefined ? {} : { reason }) };
}
