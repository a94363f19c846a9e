import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";
import { registerWorkflow } from "./register-workflow.ts";

export function register(command: Command, act: Act): void {
  registerWorkflow(command, act, {
    name: "revise",
    description: "Write a new version of a task's plan; the old one stays.",
    example: "ambit revise 191 'split phase 2'",
  });
}
