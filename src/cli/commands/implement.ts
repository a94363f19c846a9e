import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";
import { registerWorkflow } from "./register-workflow.ts";

export function register(command: Command, act: Act): void {
  registerWorkflow(command, act, {
    name: "implement",
    description: "Do a task, phase by phase where it has a plan; proven work lands on ambit/<story>.",
    example: "ambit implement 191",
  });
}
