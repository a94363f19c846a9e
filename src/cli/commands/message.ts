import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command.description("Write to the agents of a story, and read what they said to each other.");
  command
    .command("send")
    .description("Tell a worker something; it reads it in its next turn, or when it looks.")
    .argument("<to>", "story or delegation; for agents: manager, person or one of their workers")
    .argument("<text...>", "what to say; agents may give a message as JSON")
    .option("--wait <seconds>", "for agents: how long to wait for an answer", "60")
    .action(act(async (...call) => (await import("./messages/send.ts")).sendMessage(...call)))
    .addHelpText(
      "after",
      `
Examples:
  ambit message send S-4k2m9x-DEL-001 "ids are bigint"
  ambit message send manager '{"type":"ack"}'`,
    );
  command
    .command("list")
    .description("What was said in a story, oldest first. Needs no supervisor.")
    .argument("[story]", "story or delegation; the newest story when absent", "")
    .option("--pending", "only what has not been read yet")
    .option("--limit <number>", "at most so many, the newest", "50")
    .action(act(async (...call) => (await import("./messages/list.ts")).listMessages(...call)))
    .addHelpText("after", "\nExample:\n  ambit message list --pending --json");
  command
    .command("read")
    .description("For agents inside a story: what you have not read yet.")
    .action(act(async (context) => (await import("./messages/read.ts")).readOwn(context)))
    .addHelpText("after", "\nExample:\n  ambit message read");
  command.addHelpText("after", '\nExample:\n  ambit message send 2.1 "use the staging database"');
}
