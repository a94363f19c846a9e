import type { Command } from "commander";
import type { Act } from "../command-module.ts";
import { addWorkflowOptions } from "./workflow/options.ts";

export function register(command: Command, act: Act): void {
  addWorkflowOptions(
    command.description(
      "Have a task done, phase by phase where it has a plan; proven work lands on ambit/<story>.",
    ),
    "implement",
  )
    .action(
      act(async (...call) => (await import("./workflow/run-workflow.ts")).runWorkflow("implement", ...call)),
    )
    .addHelpText("after", "\nExample:\n  ambit implement 191");
}
