import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { chooseAscii, replaceGlyphs } from "../terminal/choose-ascii.ts";
import { chooseColor } from "../terminal/choose-color.ts";
import { chooseReporter, type ReporterName } from "./choose-reporter.ts";
import type { CommandContext } from "./command-module.ts";
import type { Environment, Terminal } from "../terminal/terminal.ts";
import type { GlobalOptions } from "./global-options.ts";
import { visibleText } from "../../base/visible-text.ts";

export interface ContextFacts {
  readonly version: string;
  readonly options: GlobalOptions;
  readonly terminal: Terminal;
}

export function createContext({ version, options, terminal }: ContextFacts): CommandContext {
  const { environment } = terminal;
  const directory = findDirectory(options.directory, terminal);
  const ascii = chooseAscii({ wanted: options.ascii, environment });
  const write = (text: string): void => terminal.writeError(ascii ? replaceGlyphs(text) : text);
  let reporter: Promise<ReporterName> | undefined;
  return {
    version,
    directory,
    json: options.json,
    reporter: () => (reporter ??= findReporter(options, terminal)),
    color: (stream) => chooseColor({ allowed: options.color, isTty: terminal.isTty(stream), environment }),
    ascii,
    quiet: options.quiet,
    verbose: options.verbose,
    input: () => options.input && terminal.isTty("stdin") && terminal.isTty("stderr"),
    yes: options.yes,
    configFile: options.configFile === undefined ? undefined : resolve(directory, options.configFile),
    environment,
    homeDirectory: findHome(environment),
    program: [process.execPath, process.argv[1] ?? ""],
    stdin: terminal.stdin,
    show: (text) => write(`${text}\n`),
    progress: (text) => {
      if (!options.quiet) write(`${visibleText(text)}\n`);
    },
    warn: (text) => {
      if (!options.quiet) write(`⚠ ${visibleText(text)}\n`);
    },
  };
}

function findDirectory(requested: string | undefined, terminal: Terminal): string {
  const current = readCurrentDirectory(terminal);
  if (requested === undefined) return current;
  const directory = resolve(current, requested);
  if (isDirectory(directory)) return directory;
  throw new DelegationError({
    code: "USAGE",
    message: `-C ${requested}: ${directory} is not a directory that can be used`,
    recommendation: "Name an existing directory, or leave -C out to work in the current one.",
  });
}

/** A relative or empty HOME would make files appear wherever one happens to be. */
function findHome(environment: Environment): string | undefined {
  const home = environment["HOME"] ?? "";
  return isAbsolute(home) ? home : undefined;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, forbidden or a loop of links: unusable in every case.
    return false;
  }
}

function readCurrentDirectory(terminal: Terminal): string {
  try {
    return terminal.currentDirectory();
  } catch (error) {
    throw new DelegationError({
      code: "INPUT_UNREADABLE",
      message: `The current directory cannot be used: ${readErrorMessage(error)}`,
      recommendation: "It may have been removed: change to another directory and try again.",
      cause: error,
    });
  }
}

async function findReporter(options: GlobalOptions, terminal: Terminal): Promise<ReporterName> {
  const { isAgent, isCI } = await import("std-env");
  return chooseReporter({
    requested: options.reporter,
    json: options.json,
    isAgent,
    isCi: isCI,
    isTty: terminal.isTty("stderr"),
    environment: terminal.environment,
  });
}
