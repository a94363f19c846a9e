import type { Action, Invocation } from "../input/command-module.ts";
import { createContext } from "../input/create-context.ts";
import type { GlobalOptions } from "../input/global-options.ts";
import { replaceGlyphs } from "../terminal/choose-ascii.ts";
import { processTerminal } from "../terminal/process-terminal.ts";
import { renderDocument } from "../render/document.ts";
import { writeOutput } from "../terminal/write-output.ts";

export interface QuickStart {
  readonly words: readonly string[];
  readonly version: string;
}

/**
 * Answers the questions that people and scripts ask all the time, without the parser that every other command needs:
 * starting it would double their time. False when the words are unusual or anything goes wrong; nothing has been
 * printed then, and the whole program says what there is to say.
 */
export async function answerQuickly(
  { words, version }: QuickStart,
  commands: readonly QuickCommand[],
): Promise<boolean> {
  const question = readQuestion(words, commands);
  if (question === undefined) return false;
  try {
    const { json, invocation } = question;
    const context = createContext({ version, terminal: processTerminal, options: { ...plain, json } });
    const outcome = await question.answer(context, invocation);
    const isPlain = context.ascii && processTerminal.isTty("stdout");
    const shown = isPlain ? replaceGlyphs(outcome.text) : outcome.text;
    const text = json ? renderDocument(outcome.json) : shown;
    const { status } = await writeOutput("stdout", text);
    process.exitCode = outcome.exitCode;
    return status !== "failed";
  } catch {
    // The program comes to the same error and explains it.
    return false;
  }
}

const plain: GlobalOptions = {
  directory: undefined,
  json: false,
  reporter: "auto",
  color: true,
  ascii: false,
  quiet: false,
  verbose: false,
  input: true,
  yes: false,
  configFile: undefined,
};

/** A command that is answered here, with those of its words that are understood here. */
export interface QuickCommand {
  readonly name: readonly string[];
  readonly answer: Action;
  readonly argument?: { readonly name: string; readonly isRequired: boolean };
  readonly flags?: readonly string[];
  readonly options?: readonly string[];
}

interface Question {
  readonly answer: Action;
  readonly json: boolean;
  readonly invocation: Invocation;
}

/** One of the commands with the words it names and `--json`; whatever else is asked is not for here. */
function readQuestion(words: readonly string[], commands: readonly QuickCommand[]): Question | undefined {
  const command = commands.find(({ name }) => name.every((word, index) => words[index] === word));
  if (command === undefined) return undefined;
  const { argument, flags = [], options = [], answer } = command;
  const rest = words.slice(command.name.length);
  const given = new Map<string, string>();
  const plainWords: string[] = [];
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index] ?? "";
    const name = word.slice(2);
    const value = rest[index + 1];
    if (!word.startsWith("-")) plainWords.push(word);
    else if (word === "--json" || (flags.includes(name) && word === `--${name}`)) given.set(name, "");
    else if (!options.includes(name) || value === undefined || value.startsWith("-")) return undefined;
    else {
      given.set(name, value);
      index += 1;
    }
  }
  if (plainWords.length > (argument === undefined ? 0 : 1) || plainWords.includes("")) return undefined;
  if (argument?.isRequired === true && plainWords.length === 0) return undefined;
  const invocation: Invocation = {
    argument: (name) => (name === argument?.name ? (plainWords[0] ?? "") : ""),
    argumentList: () => [],
    wordsAfterDashes: () => 0,
    option: (name) => (options.includes(name) ? given.get(name) : undefined),
    optionList: () => [],
    flag: (name) => flags.includes(name) && given.has(name),
  };
  return { answer, json: given.has("json"), invocation };
}
