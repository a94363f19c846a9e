import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandOutcome } from "../input/command-module.ts";
import { usage } from "../input/option-values.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";

export function register(command: Command, act: Act): void {
  command
    .description(`Explain a command, or one of the topics ${topicNames.join(", ")}.`)
    .argument("[topic...]", "a topic, or a command and its subcommand")
    .option("--all", "list every command, by group")
    .action(
      act((_context, invocation) =>
        invocation.flag("all")
          ? listCommands(command.parent)
          : explain(command, invocation.argumentList("topic")),
      ),
    );
  command.addHelpText("after", "\nExample:\n  ambit help limits");
}

async function listCommands(program: Command | null): Promise<CommandOutcome> {
  const { renderAllCommands } = await import("../render/top-help.ts");
  const entries = program?.commands ?? [];
  const help = renderAllCommands(
    entries.map((entry) => ({ name: entry.name(), summary: entry.summary(), group: entry.helpGroup() })),
  );
  return { exitCode: exitCode.completed, json: { help }, text: help };
}

export const topicNames = ["exit-codes", "limits", "contract", "env", "troubleshooting"] as const;

async function explain(help: Command, words: readonly string[]): Promise<CommandOutcome> {
  const [first = ""] = words;
  const topic = words.length === 1 ? topicNames.find((name) => name === first) : undefined;
  if (topic === undefined) return explainCommand(help, words);
  const { helpTopics } = await import("./help-topics.ts");
  const text = helpTopics[topic]();
  return { exitCode: exitCode.completed, json: { topic: first, help: text }, text };
}

/** Asks the program itself, which loads the command and answers a request for help by throwing. */
async function explainCommand(help: Command, words: readonly string[]): Promise<never> {
  const program = help.parent;
  const [first] = words;
  const isKnown = first === undefined || program?.commands.some((command) => command.name() === first);
  if (isKnown === true) await program?.parseAsync([...words, "--help"], { from: "user" });
  throw usage(
    `There is no command or help topic "${quoteExcerpt(words.join(" "))}"`,
    `Topics: ${topicNames.join(", ")}. Commands: ambit --help.`,
  );
}
