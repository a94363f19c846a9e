import type { Command } from "commander";
import { countThings } from "../../base/count-things.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { operationOutcome } from "../outcome/operation-outcome.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Archive all tasks that are completed or abandoned. Their folders stay.")
    .option("--dry-run", "say what would change, change nothing")
    .action(act(archiveFinished))
    .addHelpText("after", "\nTo undo: ambit task recover <numbers>\nExample:\n  ambit todo --dry-run");
}

async function archiveFinished(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { archiveFinishedTasksUseCase, isTaskOperation } =
    await import("../../app/archive-finished-tasks.ts");
  const json = await archiveFinishedTasksUseCase.run(context, { dryRun: invocation.flag("dryRun") });
  if (isTaskOperation(json)) return operationOutcome(context, json);
  const { open } = json;
  const text = `Nothing to archive: none of ${countThings(open, "task")} is completed or abandoned.`;
  return { exitCode: exitCode.completed, json, text };
}
