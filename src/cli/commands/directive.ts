import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command.description("Find and judge [delegate:description:hours] directives in text.");
  registerParse(command.command("parse"), act);
  registerValidate(command.command("validate"), act);
  registerCount(command.command("count"), act);
  command.addHelpText("after", "\nExample:\n  ambit directive parse - --parent US-007 < answer.md");
}

function registerParse(command: Command, act: Act): void {
  command
    .description("Read every directive outside code; malformed ones are reported, exit 1.")
    .argument("<file>", "the text, or - for standard input")
    .usage("<file> --parent <id> [--depth <n>]")
    .option("--parent <id>", "story or delegation the work belongs to")
    .option("--depth <n>", "depth of that parent; taken from its id when left out")
    .action(
      act(async (context, invocation) => {
        const { parseText } = await import("./directive/parse-text.ts");
        return parseText(context, invocation);
      }),
    );
  command.addHelpText("after", "\nExample:\n  ambit directive parse answer.md --parent US-007 --json");
}

function registerValidate(command: Command, act: Act): void {
  command
    .description("Whether a text is exactly one well-formed directive; exit 1 when not.")
    .argument("<text>", "put -- before text that starts with -")
    .action(
      act(async (context, invocation) => {
        const { validateText } = await import("./directive/parse-text.ts");
        return validateText(context, invocation);
      }),
    );
  command.addHelpText("after", '\nExample:\n  ambit directive validate "[delegate:Write the parser:4]"');
}

function registerCount(command: Command, act: Act): void {
  command
    .description("Count well-formed and malformed directives; exit 1 when one is malformed.")
    .argument("<file>", "the text, or - for standard input")
    .action(
      act(async (context, invocation) => {
        const { countText } = await import("./directive/parse-text.ts");
        return countText(context, invocation);
      }),
    );
  command.addHelpText("after", "\nExample:\n  ambit directive count answer.md");
}
