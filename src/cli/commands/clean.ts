import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Remove leftovers of finished work. Never a commit, never unsaved work.")
    .option("--dry-run", "only say what would be removed")
    .action(act(cleanProject))
    .addHelpText("after", "\nExample:\n  ambit clean --dry-run");
}

async function cleanProject(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { cleanUseCase } = await import("../../app/clean.ts");
  const json = await cleanUseCase.run(context, { dryRun: invocation.flag("dryRun") });
  const lines = [
    ...json.removed.map((line) => `removed  ${line}`),
    ...json.left.map((line) => `left     ${line}`),
    `${json.removed.length} removed, ${json.left.length} left, ${json.trees} folder(s) deleted`,
  ];
  return { exitCode: exitCode.completed, json, text: lines.join("\n") };
}
