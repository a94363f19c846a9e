import { Command, CommanderError } from "commander";
import { exitCode, type ExitCode } from "../contract/exit-code.ts";
import { chooseAscii, replaceGlyphs } from "./terminal/choose-ascii.ts";
import { chooseColor } from "./terminal/choose-color.ts";
import type { Act, CommandContext, CommandOutcome } from "./input/command-module.ts";
import { commands } from "./commands.ts";
import { createContext } from "./input/create-context.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { calledCommand, createProgram, MAX_HELP_WIDTH, wordsOfUnknownCommand } from "./create-program.ts";
import type { ExplainedFailure } from "./outcome/explain-failure.ts";
import { type OutputFlags, peekOutputFlags, readGlobalOptions } from "./input/global-options.ts";
import { terminalWidth } from "./terminal/terminal-width.ts";
import { watchTerminal } from "./terminal/watch-terminal.ts";
import { processTerminal } from "./terminal/process-terminal.ts";
import { readInvocation } from "./input/read-invocation.ts";
import { renderDocument } from "./render/document.ts";
import { writeOutput } from "./terminal/write-output.ts";

/** Runs one command line in this process: what it ends with is printed and becomes the exit status. */
export async function runProgram(words: Omit<ProgramStart, "terminal">): Promise<void> {
  const endWithTerminal = watchTerminal();
  const start = { ...words, terminal: processTerminal };
  const ending = await reachEnding(start);
  endWithTerminal();
  // Not process.exit: text still on its way into a pipe would be lost.
  process.exitCode = ending.exitCode;
  await writeOutput("stderr", ending.stderr);
  const written = await writeOutput("stdout", ending.stdout);
  if (written.status !== "failed") return;
  const lost = await explain(written.error, { start, command: new Command("ambit") });
  process.exitCode = lost.exitCode;
  await writeOutput("stderr", lost.text);
}

export interface ProgramStart {
  readonly argv: readonly string[];
  readonly version: string;
  readonly terminal: Terminal;
}

export interface Ending {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** Every way a command line can end: an answer, a help text or an explained error. Never throws. */
export async function reachEnding(start: ProgramStart): Promise<Ending> {
  let help = "";
  let outcome: CommandOutcome | undefined;
  const act: Act =
    (action) =>
    async (...received) => {
      const command = received.at(-1);
      if (!(command instanceof Command)) throw new TypeError("An action was called without its command");
      const options = readGlobalOptions(program);
      const context = createContext({ ...start, options });
      const ask: CommandContext["askTrust"] = async (question) =>
        (await import("./outcome/ask-trust.ts")).askTrust(context, question);
      outcome = await action({ ...context, askTrust: ask }, readInvocation(command, start.argv));
    };
  const helpWidth = Math.min(MAX_HELP_WIDTH, terminalWidth(start.terminal.environment) ?? MAX_HELP_WIDTH);
  const program = createProgram({ ...start, act, helpWidth, writeHelp: (text) => (help += text) });
  const { json } = peekOutputFlags(start.argv);
  try {
    await parse(program, start.argv);
    if (outcome === undefined) throw new Error("The command ended without an answer");
    return answer(outcome, start);
  } catch (error) {
    const command = calledCommand(program);
    const context = (): CommandContext => createContext({ ...start, options: readGlobalOptions(program) });
    const information = await findInformation(error, { command, help, context, version: start.version });
    if (information !== undefined) return answer(await folded(information, helpWidth), start);
    const { failure, stack, text, ...told } = await explain(error, { start, command });
    if (!json) return { exitCode: told.exitCode, stdout: "", stderr: text + stack };
    return { exitCode: told.exitCode, stdout: renderDocument({ error: failure }), stderr: stack };
  }
}

/** On a narrow terminal, which would break lines inside words. */
async function folded(information: CommandOutcome, width: number): Promise<CommandOutcome> {
  if (width >= MAX_HELP_WIDTH) return information;
  const { foldLines } = await import("./render/fold-lines.ts");
  return { ...information, text: foldLines(information.text, width) };
}

async function parse(program: Command, argv: readonly string[]): Promise<void> {
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (usageCodeOf(error) !== "commander.helpDisplayed") throw error;
    const unknown = wordsOfUnknownCommand(program);
    // Asked again without --help, commander says what is wrong and what may have been meant.
    if (unknown !== undefined) await program.parseAsync(unknown, { from: "user" });
    throw error;
  }
}

interface Information {
  readonly command: Command;
  readonly help: string;
  readonly context: () => CommandContext;
  readonly version: string;
}

/** Commander ends requests for help and version by throwing; these are answers, not errors. */
async function findInformation(
  error: unknown,
  { command, help, context, version }: Information,
): Promise<CommandOutcome | undefined> {
  const isRoot = command.parent === null;
  switch (usageCodeOf(error)) {
    case "commander.version":
      return (await import("./commands/version.ts")).versionOutcome(version);
    case "commander.helpDisplayed":
      if (!isRoot) return helpOutcome(`${help}\nFlags of every command: ambit help --all`);
      return helpOutcome((await import("./render/top-help.ts")).renderTopHelp(commands));
    case "commander.help":
      return isRoot ? (await import("./commands/home.ts")).describeHome(context()) : undefined;
    default:
      return undefined;
  }
}

function usageCodeOf(error: unknown): string | undefined {
  return error instanceof CommanderError ? error.code : undefined;
}

function helpOutcome(help: string): CommandOutcome {
  return { exitCode: exitCode.completed, json: { help }, text: help };
}

function answer({ exitCode: code, json, text }: CommandOutcome, { argv, terminal }: ProgramStart): Ending {
  const flags = peekOutputFlags(argv);
  const isPlain = needsAscii(flags, terminal) && terminal.isTty("stdout");
  const stdout = flags.json ? renderDocument(json) : isPlain ? replaceGlyphs(text) : text;
  return { exitCode: code, stdout, stderr: "" };
}

function needsAscii({ ascii }: OutputFlags, { environment }: Terminal): boolean {
  return chooseAscii({ wanted: ascii, environment });
}

async function explain(
  error: unknown,
  { start, command }: { readonly start: ProgramStart; readonly command: Command },
): Promise<ExplainedFailure> {
  const { explainFailure } = await import("./outcome/explain-failure.ts");
  const { environment, isTty } = start.terminal;
  const flags = peekOutputFlags(start.argv);
  const { color: allowed, verbose } = flags;
  const place = { command, usageCode: usageCodeOf(error) };
  return explainFailure(error, place, {
    ascii: needsAscii(flags, start.terminal),
    color: chooseColor({ allowed, isTty: isTty("stderr"), environment }),
    stack: verbose || isOn(environment["DEBUG_DELEGATION"]),
  });
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}
