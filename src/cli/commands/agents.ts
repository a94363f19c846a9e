import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command.description("Who can work here: .ambit/agents, the agents of other tools, and installed programs.");
  command
    .command("list")
    .description("Every agent, how it is driven, whether its program is there, and its file.")
    .action(act(async (context) => (await import("./agents/list.ts")).listAgents(context)))
    .addHelpText("after", "\nExample:\n  ambit agents list --json");
  command
    .command("show")
    .description("One agent: each field of its file, honoured or not and why.")
    .argument("<name>", "such as reviewer")
    .action(act(async (...call) => (await import("./agents/show.ts")).showAgent(...call)))
    .addHelpText("after", "\nExample:\n  ambit agents show reviewer");
  command
    .command("check")
    .description("What is wrong with the definitions; exit 0 when all can be used.")
    .argument("[name]", "only this one; its program must be installed too")
    .action(act(async (...call) => (await import("./agents/check.ts")).checkAgents(...call)))
    .addHelpText("after", "\nExample:\n  ambit agents check");
  command.addHelpText("after", "\nExample:\n  ambit agents check reviewer");
}
