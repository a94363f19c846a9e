import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";
import { registerWorkflow } from "./register-workflow.ts";

export function register(command: Command, act: Act): void {
  registerWorkflow(command, act, {
    name: "plan",
    description: "Write a plan of phases for a task; it lands in the task's folder.",
    example: "ambit plan 191",
  });
}
