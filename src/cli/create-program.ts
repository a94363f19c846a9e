import { Command, Help } from "commander";
import type { Act } from "./input/command-module.ts";
import { commands } from "./commands.ts";
import { addGlobalOptions } from "./input/global-options.ts";

export interface ProgramParts {
  readonly version: string;
  readonly act: Act;
  /** Receives help texts, which the frame prints like any other answer. */
  readonly writeHelp: (text: string) => void;
  readonly helpWidth?: number;
}

/** Names and summaries of all commands; the called one is filled in by its module just before it is parsed. */
export function createProgram({
  version,
  act,
  writeHelp,
  helpWidth = MAX_HELP_WIDTH,
}: ProgramParts): Command {
  const program = new Command("ambit");
  program
    .description("Bounded delegation for coding agents")
    .version(version, "-V, --version", "print the version")
    .helpCommand(false)
    .configureOutput({
      writeOut: writeHelp,
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
      getOutHasColors: () => false,
    })
    .configureHelp({
      visibleOptions: (command) => command.options.filter((option) => !option.hidden),
      subcommandTerm: (command) => command.name(),
      // Options are listed below the usage. An earlier name of the command works and is not shown.
      commandUsage: (command) =>
        standard.commandUsage(command).replace(" [options]", "").replace(`|${command.alias()}`, ""),
      optionDescription: (option) => asTyped(standard.optionDescription(option)),
      argumentDescription: (argument) => asTyped(standard.argumentDescription(argument)),
    })
    .exitOverride();
  addGlobalOptions(program);
  for (const { name, alias, summary, group } of commands) {
    const command = program.command(name).description(sentence(summary)).summary(summary);
    command.helpGroup(group).helpCommand(false);
    if (alias !== undefined) command.alias(alias);
  }
  const filled = new Set<Command>();
  program.hook("preSubcommand", async (_program, command) => {
    // Help requests may parse a second time.
    if (!filled.has(command)) await fillCommand(command, act);
    filled.add(command);
  });
  return program;
}

export const MAX_HELP_WIDTH = 80;
const standard = new Help();

/** Choices and defaults as they are typed, without quotes; an empty default says nothing. */
function asTyped(description: string): string {
  return description.replace(' (default: "")', "").replaceAll(/(?<=[ (])"|"(?=[,)])/g, "");
}

/** Loads the command's module and lets it declare arguments, options and actions. */
async function fillCommand(command: Command, act: Act): Promise<void> {
  const entry = commands.find(({ name }) => name === command.name());
  if (entry === undefined) throw new Error(`No module for the command ${command.name()}`);
  const { register } = await entry.load();
  register(command, act);
}

/** The command that was called, as far as the words went: it explains its own errors and help. */
export function calledCommand(program: Command): Command {
  const [name] = program.args;
  const child = program.commands.find((command) => [command.name(), command.alias()].includes(name ?? ""));
  return child === undefined ? program : calledCommand(child);
}

/** `check foo --help` shows the help of `check`; these are the words without the flag, when a command is unknown. */
export function wordsOfUnknownCommand(program: Command): string[] | undefined {
  const command = calledCommand(program);
  const [word] = command.args;
  const isUnknown = command.commands.length > 0 && word !== undefined && !word.startsWith("-");
  return isUnknown ? [...namesBelowProgram(command), word] : undefined;
}

function namesBelowProgram(command: Command): string[] {
  return command.parent === null ? [] : [...namesBelowProgram(command.parent), command.name()];
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
