import type { Command } from "commander";
import { countThings } from "../../base/count-things.ts";
import { usageError } from "../../errors/usage.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { isAgreed } from "../input/ask-person.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Remove leftovers of finished work. Never removes a commit or unsaved work.")
    .option("--dry-run", "only say what would be removed")
    .option("--history", "start a new journal instead, and move the old one aside")
    .option(
      "--foreign-state <aside|adopt>",
      "a state folder that was copied or is not yours: rename it, or continue a copy here",
    )
    .action(act(cleanProject))
    .addHelpText("after", "\nExample:\n  ambit clean --dry-run");
}

async function cleanProject(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  if (invocation.flag("history")) return clearHistory(context, invocation.flag("dryRun"));
  const { cleanUseCase } = await import("../../app/clean.ts");
  const json = await cleanUseCase.run(context, {
    dryRun: invocation.flag("dryRun"),
    foreignState: readForeignState(invocation),
  });
  const isDryRun = invocation.flag("dryRun");
  const { removed, left, folders } = json;
  // A dry run has the same lines: only the sum says that nothing has happened yet.
  const lines = [
    ...removed.map((line) => `removed  ${line}`),
    ...folders.map((folder) => `deleted  folder ${folder}`),
    ...left.map((line) => `left     ${line}`),
    `${removed.length} removed, ${left.length} left, ${folders.length} ${folders.length === 1 ? "folder" : "folders"} deleted`,
    ...(isDryRun ? ["Nothing has happened yet: this is what ambit clean would do."] : []),
  ];
  return { exitCode: exitCode.completed, json, text: lines.join("\n") };
}

async function clearHistory(context: CommandContext, dryRun: boolean): Promise<CommandOutcome> {
  const { clearHistoryUseCase } = await import("../../app/clear-history.ts");
  const before = await clearHistoryUseCase.run(context, { dryRun: true });
  const what = `This removes the history from all reports: ${countThings(before.events, "event")}.`;
  if (dryRun || before.events === 0)
    return {
      exitCode: exitCode.completed,
      json: before,
      text: before.events === 0 ? "There is no history." : what,
    };
  context.warn(`${what} Costs, trees and audit of earlier work are gone from them; branches stay.`);
  if (!(await isAgreed(context, "Clear the history?")))
    return { exitCode: exitCode.failed, json: before, text: "Nothing was changed." };
  const json = await clearHistoryUseCase.run(context, {});
  const text = `The history is in ${json.aside ?? "no folder"}; delete that folder to remove it for good.`;
  return { exitCode: exitCode.completed, json, text };
}

function readForeignState(invocation: Invocation): "aside" | "adopt" | undefined {
  const value = invocation.option("foreignState");
  if (value === undefined || value === "aside" || value === "adopt") return value;
  throw usageError(`--foreign-state cannot be ${JSON.stringify(value)}.`, "Use aside or adopt.");
}
