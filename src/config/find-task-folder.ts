import { readFileSync } from "node:fs";
import { projectConfigPath, userConfigPath, type UserFolders } from "./config-paths.ts";

const DEFAULT_FOLDER = "specs";

export interface TaskFolderInput extends UserFolders {
  readonly projectRoot: string;
  /** Read instead of the project's own files. */
  readonly configFile?: string | undefined;
}

/**
 * `tasks.dir`, relative to the project. Reading the whole configuration costs more than most answers about tasks, so it
 * is only read when a configuration file may set the folder.
 */
export async function findTaskFolder(input: TaskFolderInput): Promise<string> {
  const { projectRoot, configFile } = input;
  const files = [configFile ?? projectConfigPath(projectRoot), userConfigPath(input)];
  if (configFile === undefined && !files.some(maySetFolder)) return DEFAULT_FOLDER;
  const { loadConfig } = await import("./load-config.ts");
  return (await loadConfig(input)).values.tasks.dir;
}

/** A key cannot be written without its letters, except by escapes. */
function maySetFolder(file: string | undefined): boolean {
  if (file === undefined) return false;
  try {
    const text = readFileSync(file, "utf8");
    return text.includes("tasks") || text.includes("\\");
  } catch (error) {
    // A file that is there but unreadable is explained by reading the whole configuration.
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}
