import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandOutcome } from "../input/command-module.ts";

export function register(command: Command, act: Act): void {
  command.action(act((context) => versionOutcome(context.version)));
  command.addHelpText("after", "\nExample:\n  ambit version --json");
}

export function versionOutcome(version: string): CommandOutcome {
  return { exitCode: exitCode.completed, json: { version }, text: version };
}
