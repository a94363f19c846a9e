import type { Command } from "commander";
import type { ExitCode } from "../../contract/exit-code.ts";
import type { AppContext } from "../../app/use-case.ts";
import type { ReporterName } from "./choose-reporter.ts";
import type { Environment, OutputStream, StandardInput } from "../terminal/terminal.ts";

/** The answer of a command. The program prints `json` with `--json`, otherwise `text`, both on stdout. */
export interface CommandOutcome {
  readonly exitCode: ExitCode;
  /** Wire fields; the program adds `schema`. */
  readonly json: Readonly<Record<string, unknown>>;
  /** May be empty; a missing line end is added. */
  readonly text: string;
}

/** Everything the global flags and the environment decide, settled before an action begins. */
export interface CommandContext {
  readonly version: string;
  /** Absolute; relative paths on the command line are meant relative to it. */
  readonly directory: string;
  readonly json: boolean;
  /** Chosen once, on first use, because finding out costs start-up time. */
  readonly reporter: () => Promise<ReporterName>;
  readonly color: (stream: OutputStream) => boolean;
  readonly ascii: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Whether a question may be asked: a terminal is there and `--no-input` is not. */
  readonly input: () => boolean;
  readonly yes: boolean;
  readonly configFile: string | undefined;
  readonly environment: Environment;
  readonly homeDirectory: string | undefined;
  /** The words that start Ambit as another process. */
  readonly program: readonly string[];
  readonly stdin: () => StandardInput;
  /** Asks whether the project may run what it names. */
  readonly askTrust?: NonNullable<AppContext["askTrust"]>;
  /** Shows the subject of a question on stderr: already safe for a terminal, and possibly with colours. */
  readonly show: (text: string) => void;
  /** One line on stderr about how far it is, unless `--quiet`. */
  readonly progress: (text: string) => void;
  /** One line on stderr, marked as a warning, unless `--quiet`. */
  readonly warn: (text: string) => void;
}

/** The arguments and options of one call, by the names they were declared with. */
export interface Invocation {
  readonly argument: (name: string) => string;
  /** For `<name...>`: every value given. */
  readonly argumentList: (name: string) => readonly string[];
  readonly option: (name: string) => string | undefined;
  /** For an option that may be given several times (`--name <value...>`). */
  readonly optionList: (name: string) => readonly string[];
  readonly flag: (name: string) => boolean;
  /** How many words follow `--`; commander does not tell them from words before it. */
  readonly wordsAfterDashes: () => number;
}

export type Action = (
  context: CommandContext,
  invocation: Invocation,
) => CommandOutcome | Promise<CommandOutcome>;

/** Makes commander's action callback out of ours. */
export type Act = (action: Action) => (...received: unknown[]) => Promise<void>;

/** A file in `commands/` configures its commander command and hands each action to `act`. */
export interface CommandModule {
  readonly register: (command: Command, act: Act) => void;
}

/** Headings of `ambit --help`, in this order; a group without commands is not shown. */
export const commandGroups = {
  work: "Delegate",
  see: "See what happens",
  review: "Review and merge",
  tasks: "Tasks",
  checks: "Check limits and contracts",
  setup: "Set up",
  help: "Help",
} as const;

export type CommandGroup = keyof typeof commandGroups;

/** A row of the table of commands. */
export interface CommandEntry {
  readonly name: string;
  /** An earlier name, which works and is not shown. */
  readonly alias?: string;
  /** At most 55 characters, so that the list stays on one screen of 80 columns. */
  readonly summary: string;
  readonly group: CommandGroup;
  readonly load: () => Promise<CommandModule>;
}
