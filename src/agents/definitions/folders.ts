import type { ProgramDefinitions, ProgramFolder } from "../adapter-types/agent-program.ts";
import { agentPrograms } from "../adapters/agent-programs.ts";

/** A folder of the project in which agents are defined. */
export interface DefinitionFolder extends ProgramFolder {
  /** `ambit`, or the program that the folder belongs to. */
  readonly source: string;
  /** The adapter of its agents unless they name one; our own must name one. */
  readonly adapter: string | undefined;
  /** How the program's own fields are read; none for our own folder. */
  readonly rules: ProgramDefinitions | undefined;
}

const ownFolder: DefinitionFolder = {
  source: "ambit",
  path: ".ambit/agents",
  extension: ".md",
  adapter: undefined,
  isNamedByFile: true,
  levels: 0,
  rules: undefined,
};

/** In the order in which they are searched: our own first. */
export const definitionFolders: readonly DefinitionFolder[] = [
  ownFolder,
  ...agentPrograms
    .toSorted((one, other) => one.definitions.precedence - other.definitions.precedence)
    .flatMap(({ adapter: { name }, definitions }) =>
      definitions.agentFolders.map((folder) => ({
        ...folder,
        source: name,
        adapter: name,
        rules: definitions,
      })),
    ),
];
