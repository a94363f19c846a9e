import type { Command } from "commander";
import type { Act } from "../command-module.ts";
import { addWorkflowOptions } from "./workflow/options.ts";

export function register(command: Command, act: Act): void {
  addWorkflowOptions(
    command.description("Have a task researched; the report lands in its folder, status and links follow."),
    "research",
  )
    .action(
      act(async (...call) => (await import("./workflow/run-workflow.ts")).runWorkflow("research", ...call)),
    )
    .addHelpText("after", "\nExample:\n  ambit research 197");
}
