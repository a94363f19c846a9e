import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { openTasks } from "../task/open-tasks.ts";
import { operationOutcome } from "../task/operation-outcome.ts";

/** `todo`: the list is cleared of what is finished (R154). Direct: no agent is asked. */
export async function archiveFinished(
  context: CommandContext,
  invocation: Invocation,
): Promise<CommandOutcome> {
  const tasks = await openTasks(context);
  const dryRun = invocation.flag("dryRun");
  // What people wrote into TODO.md by hand counts first.
  if (!dryRun) await tasks.refresh();
  const finished = tasks.list({ statuses: ["completed", "abandoned"] }).map(({ id }) => id);
  if (finished.length > 0) return operationOutcome(context, await tasks.archive(finished, { dryRun }));
  const open = tasks.list().length;
  return {
    exitCode: exitCode.completed,
    json: { operation: "archive_tasks", status: "completed", dry_run: dryRun, archived: [], open },
    text: `Nothing to archive: none of ${open} task${open === 1 ? "" : "s"} is completed or abandoned.`,
  };
}
