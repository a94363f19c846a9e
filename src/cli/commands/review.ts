import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";
import { registerWorkflow } from "./register-workflow.ts";

export function register(command: Command, act: Act): void {
  registerWorkflow(command, act, {
    name: "review",
    description: "Review the work of a task, or anything you name; the result is a report.",
    example: "ambit review 191",
  });
}
