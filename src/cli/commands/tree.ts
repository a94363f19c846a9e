import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  const format = command.createOption("--format <name>", "how the tree is drawn");
  command
    .description("Who delegated what to whom, and how far it is.")
    .argument("[story]", "an id or its beginning; @last or nothing for the newest story")
    .addOption(format.choices(["text", "json", "mermaid", "dot"]).default("text"))
    .action(
      act(async (context, invocation) => {
        const { showTree } = await import("./report/tree.ts");
        return showTree(context, invocation);
      }),
    )
    .addHelpText("after", "\nExample:\n  ambit tree US-007 --format mermaid");
}
