import type { Command } from "commander";
import type { Act } from "../command-module.ts";
import { addWorkflowOptions } from "./workflow/options.ts";

export function register(command: Command, act: Act): void {
  addWorkflowOptions(
    command.description("Have agents, commands or templates of this project written; you approve them."),
    "meta",
  )
    .action(act(async (...call) => (await import("./workflow/run-workflow.ts")).runWorkflow("meta", ...call)))
    .addHelpText("after", "\nExample:\n  ambit meta 'an agent that writes changelog entries'");
}
