import type { Command } from "commander";
import type { Act } from "../command-module.ts";
import { addWorkflowOptions } from "./workflow/options.ts";

export function register(command: Command, act: Act): void {
  addWorkflowOptions(
    command.description("Have the work of a task, or anything you name, reviewed; the result is a report."),
    "review",
  )
    .action(
      act(async (...call) => (await import("./workflow/run-workflow.ts")).runWorkflow("review", ...call)),
    )
    .addHelpText("after", "\nExample:\n  ambit review 191");
}
