import { DelegationError } from "../base/delegation-error.ts";
import { builtInCommands } from "./command-definitions/built-in-commands.ts";
import type { CommandDefinition } from "./command-definitions/command-definition.ts";
import { interpretCommand } from "./command-definitions/interpret-command.ts";
import { readFile } from "./definitions/read-folder.ts";

export type { CommandDefinition } from "./command-definitions/command-definition.ts";

/** Where commands are described, in the order in which they are asked. */
const folders = [
  ".ambit/commands",
  ".claude/commands",
  ".claude/command",
  ".opencode/command",
  ".opencode/commands",
] as const;

/**
 * The definition of a workflow command: the project's own, else one of another tool that has `routing:`, else the
 * built-in one. Throws `CONFIG_INVALID` when our own file is there and cannot be used.
 */
export async function readCommand(projectRoot: string, name: string): Promise<CommandDefinition | undefined> {
  for (const path of folders) {
    const found = readFile(projectRoot, { ...markdown, path }, name);
    if (found === undefined) continue;
    const isOurs = path === ".ambit/commands";
    if (found.text === undefined && isOurs) throw unusable(found.file, found.problem ?? "it cannot be read");
    const definition =
      found.text === undefined ? undefined : await interpretCommand(name, found.file, found.text);
    if (definition !== undefined) return definition;
    if (isOurs)
      throw unusable(found.file, "it has no routing: with language_based and target_agent or default");
  }
  const text = Object.entries(builtInCommands).find(([known]) => known === name)?.[1];
  return text === undefined ? undefined : interpretCommand(name, "", text);
}

const markdown = {
  source: "ambit",
  extension: ".md",
  adapter: undefined,
  isNamedByFile: true,
  levels: 0,
} as const;

function unusable(file: string, problem: string): DelegationError {
  return new DelegationError({
    code: "CONFIG_INVALID",
    message: `The command definition ${file} is not usable: ${problem}.`,
    recommendation: "Correct it, or remove it: then the built-in command is used.",
  });
}
