import type { Command } from "commander";
import type { Act } from "../input/command-module.ts";
import { registerWorkflow } from "./register-workflow.ts";

export function register(command: Command, act: Act): void {
  registerWorkflow(command, act, {
    name: "research",
    description: "Research a task; the report lands in its folder, status and links follow.",
    example: "ambit research 197",
  });
}
