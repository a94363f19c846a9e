import * as z from "zod";
import { operationSchema, reportOperation } from "./tasks/describe-operation.ts";
import { openTasks } from "./tasks/open-tasks.ts";
import { defineUseCase } from "./use-case.ts";

export { isTaskOperation } from "./tasks/describe-operation.ts";

const nothingSchema = () =>
  z.looseObject({
    operation: z.literal("archive_tasks"),
    status: z.literal("completed"),
    dry_run: z.boolean(),
    archived: z.array(z.string()).max(0),
    open: z.int().describe("Tasks that are neither completed nor abandoned"),
  });

/** `todo`: archives every task that is completed or abandoned (R154). No agent is involved. */
export const archiveFinishedTasksUseCase = defineUseCase({
  input: () => z.strictObject({ dryRun: z.boolean().optional() }),
  output: () => z.union([operationSchema(), nothingSchema()]),
  onlyPeople: "never changes tasks",
  run: async (context, { dryRun = false }) => {
    const tasks = await openTasks(context);
    // Edits by hand in TODO.md count first.
    if (!dryRun) await tasks.refresh();
    const finished = tasks.list({ statuses: ["completed", "abandoned"] }).map(({ id }) => id);
    if (finished.length > 0) return reportOperation(context, await tasks.archive(finished, { dryRun }));
    const none = { operation: "archive_tasks", status: "completed", archived: [] } as const;
    return { ...none, archived: [], dry_run: dryRun, open: tasks.list().length };
  },
});
