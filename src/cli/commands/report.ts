import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { nothingYet } from "../render/nothing-yet.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Write a story as one HTML page: tree, timeline, criteria, cost, changes.")
    .argument("[story]", "an id or its beginning; by default the newest story")
    .option("--html", "the format; HTML is the only one")
    .option("--output <file>", "write to this file instead of stdout")
    .action(act(writeReport))
    .addHelpText("after", "\nExample:\n  ambit report US-007 --html > report.html");
}

async function writeReport(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { reportUseCase } = await import("../../app/report.ts");
  const json = await reportUseCase.run(context, { story: invocation.argument("story") });
  if (json.story === null) return { exitCode: exitCode.completed, json, text: nothingYet };
  const file = invocation.option("output");
  if (file === undefined) return { exitCode: exitCode.completed, json, text: json.html };
  writeFileSync(resolve(context.directory, file), json.html);
  const { html: _, ...facts } = json;
  return { exitCode: exitCode.completed, json: { ...facts, file }, text: `${file} shows ${json.story}.` };
}
