import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { usage } from "../input/option-values.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Remove leftovers of finished work. Never a commit, never unsaved work.")
    .option("--dry-run", "only say what would be removed")
    .option(
      "--foreign-state <aside|adopt>",
      "a state folder that was copied or is not yours: rename it, or continue a copy here",
    )
    .action(act(cleanProject))
    .addHelpText("after", "\nExample:\n  ambit clean --dry-run");
}

async function cleanProject(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { cleanUseCase } = await import("../../app/clean.ts");
  const json = await cleanUseCase.run(context, {
    dryRun: invocation.flag("dryRun"),
    foreignState: readForeignState(invocation),
  });
  const lines = [
    ...json.removed.map((line) => `removed  ${line}`),
    ...json.left.map((line) => `left     ${line}`),
    `${json.removed.length} removed, ${json.left.length} left, ${json.trees} folder(s) deleted`,
  ];
  return { exitCode: exitCode.completed, json, text: lines.join("\n") };
}

function readForeignState(invocation: Invocation): "aside" | "adopt" | undefined {
  const value = invocation.option("foreignState");
  if (value === undefined || value === "aside" || value === "adopt") return value;
  throw usage(`--foreign-state cannot be ${JSON.stringify(value)}.`, "Use aside or adopt.");
}
