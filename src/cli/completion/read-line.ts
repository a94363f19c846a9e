import { resolve } from "node:path";
import { Command, type Option } from "commander";
import type { CommandEntry } from "../input/command-module.ts";
import { addGlobalOptions } from "../input/global-options.ts";

/** The meaning of the word that is being typed. */
export type Spot =
  | { readonly kind: "command" }
  | { readonly kind: "subcommand"; readonly command: Command }
  | { readonly kind: "option"; readonly options: readonly Option[] }
  | { readonly kind: "value"; readonly option: Option }
  | { readonly kind: "argument"; readonly path: string; readonly name: string }
  | { readonly kind: "other" };

export interface ReadLine {
  readonly spot: Spot;
  /** Where the command would work: `-C` counts. */
  readonly directory: string;
}

export interface LineStart {
  /** The words before the one that is being typed. */
  readonly before: readonly string[];
  readonly current: string;
  readonly directory: string;
  readonly commands: readonly CommandEntry[];
}

/** Walks over the words before the one that is being typed, as commander will. */
export async function readLine({ before, current, ...start }: LineStart): Promise<ReadLine> {
  const walk = new Walk(start);
  for (const word of before) await walk.step(word);
  return { spot: walk.spot(current), directory: walk.directory };
}

function globalOptions(): readonly Option[] {
  const program = new Command("ambit");
  addGlobalOptions(program);
  return program.options;
}

class Walk {
  directory: string;
  readonly #commands: readonly CommandEntry[];
  readonly #globals = globalOptions();
  #command: Command | undefined;
  #path = "";
  #pending: Option | undefined;
  #arguments = 0;
  #isOver = false;
  #isUnknown = false;

  constructor({ commands, directory }: Pick<LineStart, "commands" | "directory">) {
    this.#commands = commands;
    this.directory = directory;
  }

  async step(word: string): Promise<void> {
    if (this.#isOver) return;
    if (word === "--") this.#isOver = true;
    else if (this.#pending !== undefined && !word.startsWith("-")) this.#takeValue(word);
    else if (word.startsWith("-")) this.#takeOption(word);
    else if (this.#command === undefined) await this.#enter(word);
    else if (this.#command.commands.length > 0) this.#enterBelow(word);
    else this.#arguments += 1;
  }

  spot(current: string): Spot {
    if (this.#isOver || this.#isUnknown) return { kind: "other" };
    if (this.#pending !== undefined && !current.startsWith("-"))
      return { kind: "value", option: this.#pending };
    const command = this.#command;
    const equals = current.startsWith("--") ? current.indexOf("=") : -1;
    const named = equals < 0 ? undefined : this.#find(current.slice(0, equals));
    if (named !== undefined) return { kind: "value", option: named };
    if (current.startsWith("-"))
      return { kind: "option", options: [...(command?.options ?? []), ...this.#globals] };
    if (command === undefined) return { kind: "command" };
    if (command.commands.length > 0) return { kind: "subcommand", command };
    return this.#argumentSpot(command);
  }

  #argumentSpot(command: Command): Spot {
    const declared = command.registeredArguments;
    const argument = declared[Math.min(this.#arguments, declared.length - 1)];
    const isPast = this.#arguments >= declared.length && argument?.variadic !== true;
    return argument === undefined || isPast
      ? { kind: "other" }
      : { kind: "argument", path: this.#path, name: argument.name() };
  }

  #find(flag: string): Option | undefined {
    return [...(this.#command?.options ?? []), ...this.#globals].find(
      (option) => option.long === flag || option.short === flag,
    );
  }

  #takeOption(word: string): void {
    const option = this.#find(word.split("=")[0] ?? word);
    this.#pending = option?.required === true && !word.includes("=") ? option : undefined;
  }

  #takeValue(word: string): void {
    if (this.#pending?.short === "-C") this.directory = resolve(this.directory, word);
    if (this.#pending?.variadic !== true) this.#pending = undefined;
  }

  async #enter(word: string): Promise<void> {
    const entry = this.#commands.find(({ name, alias }) => name === word || alias === word);
    if (entry === undefined) {
      this.#isUnknown = true;
      return;
    }
    const command = new Command(word);
    (await entry.load()).register(command, () => () => Promise.resolve());
    this.#command = command;
    this.#path = word;
  }

  #enterBelow(word: string): void {
    const below = this.#command?.commands.find((command) => command.name() === word);
    if (below === undefined) this.#isUnknown = true;
    this.#command = below ?? this.#command;
    this.#path = `${this.#path} ${word}`;
  }
}
