import { agentErrors } from "../errors/agents.ts";
import { agentPrograms } from "./adapters/agent-programs.ts";
import { builtInCommands } from "./command-definitions/built-in-commands.ts";
import type { CommandDefinition } from "./command-definitions/command-definition.ts";
import { interpretCommand } from "./command-definitions/interpret-command.ts";
import { readDefinitionFile } from "./definitions/read-folder.ts";

export type { CommandDefinition } from "./command-definitions/command-definition.ts";

const OWN_FOLDER = ".ambit/commands";

/** In the order in which they are searched: our own first. */
const folders: readonly string[] = [
  OWN_FOLDER,
  ...agentPrograms.flatMap(({ definitions }) => definitions.commandFolders),
];

/**
 * The definition of a workflow command: the project's own, else one of another tool that has `routing:`, else the
 * built-in one. Throws `CONFIG_INVALID` when our own file is there and cannot be used.
 */
export async function readCommandDefinition(
  projectRoot: string,
  name: string,
): Promise<CommandDefinition | undefined> {
  for (const path of folders) {
    const found = readDefinitionFile(projectRoot, { path, extension: ".md" }, name);
    if (found === undefined) continue;
    const isOurs = path === OWN_FOLDER;
    if (found.text === undefined && isOurs)
      throw agentErrors.commandDefinitionUnusable(found.file, found.problem ?? "it cannot be read");
    const definition =
      found.text === undefined ? undefined : await interpretCommand(name, found.file, found.text);
    if (definition !== undefined) return definition;
    if (isOurs)
      throw agentErrors.commandDefinitionUnusable(
        found.file,
        "it has no routing: with language_based and target_agent or default",
      );
  }
  const text = Object.entries(builtInCommands).find(([known]) => known === name)?.[1];
  return text === undefined ? undefined : interpretCommand(name, "", text);
}
