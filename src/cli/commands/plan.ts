import type { Command } from "commander";
import type { Act } from "../command-module.ts";
import { addWorkflowOptions } from "./workflow/options.ts";

export function register(command: Command, act: Act): void {
  addWorkflowOptions(
    command.description("Have a plan of phases written for a task; it lands in the task's folder."),
    "plan",
  )
    .action(act(async (...call) => (await import("./workflow/run-workflow.ts")).runWorkflow("plan", ...call)))
    .addHelpText("after", "\nExample:\n  ambit plan 191");
}
