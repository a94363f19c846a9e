import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";
import { registerWorkflow } from "./register-workflow.ts";

export function register(command: Command, act: Act): void {
  registerWorkflow(command, act, {
    name: "meta",
    description: "Generate agents, commands or templates of this project; you approve them.",
    example: "ambit meta 'an agent that writes changelog entries'",
  });
}
