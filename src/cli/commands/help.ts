import type { Command } from "commander";
import { usageError } from "../../errors/usage.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandOutcome } from "../input/command-module.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";

export function register(command: Command, act: Act): void {
  command
    .description(`Explain a command, or one of the topics ${topicNames.join(", ")}.`)
    .argument("[topic...]", "a topic, or a command and its subcommand")
    .option("--all", "list every command and flag; with a command: every option of it")
    .action(
      act((_context, invocation) => {
        const words = invocation.argumentList("topic");
        if (words.join(" ") === "all") return listCommands(command.parent);
        if (!invocation.flag("all")) return explain(command, words);
        return words.length === 0 ? listCommands(command.parent) : explainEveryOption(command, words);
      }),
    );
  command.addHelpText("after", "\nExample:\n  ambit help limits");
}

async function listCommands(program: Command | null): Promise<CommandOutcome> {
  const { renderAllCommands } = await import("../render/top-help.ts");
  const entries = program?.commands ?? [];
  const help = renderAllCommands(
    entries.map((entry) => ({ name: entry.name(), summary: entry.summary(), group: entry.helpGroup() })),
    program?.options ?? [],
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

/** The help of a command shows the options that most stories need; this shows the others, too. */
async function explainEveryOption(help: Command, words: readonly string[]): Promise<CommandOutcome> {
  const command = help.parent?.commands.find((one) => one.name() === words[0]);
  command?.configureHelp({ ...command.configureHelp(), visibleOptions: ({ options }) => [...options] });
  return explainCommand(help, words);
}

/** Asks the program itself, which loads the command and answers a request for help by throwing. */
async function explainCommand(help: Command, words: readonly string[]): Promise<never> {
  const program = help.parent;
  const [first] = words;
  const isKnown = first === undefined || program?.commands.some((command) => command.name() === first);
  if (isKnown === true) await program?.parseAsync([...words, "--help"], { from: "user" });
  throw usageError(
    `There is no command or help topic "${quoteExcerpt(words.join(" "))}"`,
    `Topics: ${topicNames.join(", ")}. Commands: ambit --help.`,
  );
}
