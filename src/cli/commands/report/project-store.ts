import { DelegationError } from "../../../base/delegation-error.ts";
import { findProjectRoot } from "../../../config/find-project.ts";
import { openReader } from "../../../journal/open-reader.ts";
import { storeFile } from "../../../journal/store-file.ts";
import type { StoreReader } from "../../../journal/store.ts";
import type { CommandContext } from "../../command-module.ts";

export interface Project {
  readonly root: string;
  readonly storeFile: string;
}

/** The repository around the command's directory; every worktree of it has the same one. */
export function findProject(context: Pick<CommandContext, "directory">): Project {
  const root = findProjectRoot(context.directory);
  if (root !== undefined) return { root, storeFile: storeFile(root) };
  throw new DelegationError({
    code: "NOT_A_REPOSITORY",
    message: `${context.directory} is not inside a git repository`,
    recommendation: "Change to a repository, name one with -C <dir>, or make one with git init.",
  });
}

/** Reads the store of the project, with no supervisor and no write; the reader is undefined when there is none yet. */
export async function readStore<Result>(
  context: Pick<CommandContext, "directory">,
  read: (reader: StoreReader | undefined, project: Project) => Promise<Result>,
): Promise<Result> {
  const project = findProject(context);
  const reader = openReader(project.storeFile);
  try {
    return await read(reader, project);
  } finally {
    await reader?.close();
  }
}

/** What every report says where nothing was ever stored. */
export const nothingYet = "Nothing has been delegated here yet.";
