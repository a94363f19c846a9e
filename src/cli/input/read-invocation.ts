import type { Command } from "commander";
import type { Invocation } from "./command-module.ts";

/** Reads what commander parsed, by declared names; an undeclared name is a defect of the command. */
export function readInvocation(command: Command, argv: readonly string[]): Invocation {
  const valueOf = (name: string): unknown => {
    const index = command.registeredArguments.findIndex((argument) => argument.name() === name);
    if (index === -1) throw new Error(`No argument <${name}> is declared on ${command.name()}`);
    return command.processedArgs[index];
  };
  return {
    argument: (name) => {
      const value = valueOf(name);
      // In a script it is a variable that was never set; it must not mean the newest story.
      if (value === "" && isOptional(command, name)) command.error(`The argument ${name} is empty`);
      return typeof value === "string" ? value : "";
    },
    argumentList: (name) => {
      const value = valueOf(name);
      return Array.isArray(value) ? value.map(String) : [];
    },
    option: (name) => {
      const value: unknown = command.getOptionValue(name);
      return typeof value === "string" ? value : undefined;
    },
    optionList: (name) => {
      const value: unknown = command.getOptionValue(name);
      return Array.isArray(value) ? value.map(String) : [];
    },
    flag: (name) => command.getOptionValue(name) === true,
    wordsAfterDashes: () => (argv.includes("--") ? argv.length - argv.indexOf("--") - 1 : 0),
  };
}

function isOptional(command: Command, name: string): boolean {
  return command.registeredArguments.some((argument) => argument.name() === name && !argument.required);
}
