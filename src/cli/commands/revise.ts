import type { Command } from "commander";
import type { Act } from "../command-module.ts";
import { addWorkflowOptions } from "./workflow/options.ts";

export function register(command: Command, act: Act): void {
  addWorkflowOptions(
    command.description("Have a new version of a task's plan written; the old one stays."),
    "revise",
  )
    .action(
      act(async (...call) => (await import("./workflow/run-workflow.ts")).runWorkflow("revise", ...call)),
    )
    .addHelpText("after", "\nExample:\n  ambit revise 191 'split phase 2'");
}
