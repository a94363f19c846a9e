import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("What waits for you, and the command that answers it. Needs no supervisor.")
    .action(act(async (context) => (await import("./see/inbox.ts")).showInbox(context)))
    .addHelpText("after", "\nExample:\n  ambit inbox --json");
}
