import { resolve } from "node:path";
import { Option, type Command } from "commander";
import { reporterNames } from "./choose-reporter.ts";

/** The values of the flags that every command accepts. */
export interface GlobalOptions {
  readonly directory: string | undefined;
  readonly json: boolean;
  readonly reporter: string;
  readonly color: boolean;
  readonly ascii: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly input: boolean;
  readonly yes: boolean;
  readonly configFile: string | undefined;
}

/** Declared on the program only: commander accepts a program's options before and after a command. */
export function addGlobalOptions(program: Command): void {
  const reporter = new Option(
    "--reporter <name>",
    "show progress as auto, tree, plain, agent, github or json",
  );
  program
    .addOption(new Option("-C <dir>", "work in this folder").argParser(addDirectory))
    .option("--json", "print one JSON document")
    .addOption(reporter.choices(["auto", ...reporterNames]).default("auto"))
    .option("--no-color", "no colours")
    .option("--ascii", "no glyphs outside ASCII")
    .option("-q, --quiet", "no progress, no warnings")
    .option("-v, --verbose", "more detail, and stacks of unexpected errors")
    .option("--no-input", "never ask a question")
    .option("-y, --yes", "answer questions with yes")
    .option("--config <file>", "read this file instead of the project's");
}

/** Each further `-C` is meant relative to the one before, as in git. */
function addDirectory(value: string, previous: unknown): string {
  return typeof previous === "string" ? resolve(previous, value) : value;
}

export function readGlobalOptions(program: Command): GlobalOptions {
  const text = (name: string): string | undefined => {
    const value: unknown = program.getOptionValue(name);
    return typeof value === "string" ? value : undefined;
  };
  const flag = (name: string): boolean => program.getOptionValue(name) === true;
  const reporter = text("reporter") ?? "auto";
  return {
    directory: text("C"),
    json: flag("json") || reporter === "json",
    reporter,
    color: flag("color"),
    ascii: flag("ascii"),
    quiet: flag("quiet"),
    verbose: flag("verbose"),
    input: flag("input"),
    yes: flag("yes"),
    configFile: text("config"),
  };
}

/** The flags that decide how an answer or an error is printed. */
export interface OutputFlags {
  readonly json: boolean;
  readonly ascii: boolean;
  readonly color: boolean;
  readonly verbose: boolean;
}

/**
 * Read from the bare words, because an error may be that the words cannot be parsed.
 * Words after `--` are text, not flags.
 */
export function peekOutputFlags(argv: readonly string[]): OutputFlags {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const asksJson = (word: string, index: number): boolean =>
    word === "--json" || word === "--reporter=json" || (word === "json" && words[index - 1] === "--reporter");
  return {
    json: words.some(asksJson),
    ascii: words.includes("--ascii"),
    color: !words.includes("--no-color"),
    verbose: words.includes("-v") || words.includes("--verbose"),
  };
}
