import { readFileSync } from "node:fs";
import { projectConfigPath, userConfigPath } from "../../config/config-paths.ts";
import { findProjectRoot } from "../../project/find-project.ts";
import { projectErrors } from "../../errors/project.ts";
import type { AppContext } from "../project/app-context.ts";

const DEFAULT_FOLDER = "specs";

export interface TaskPlace {
  readonly projectRoot: string;
  /** Relative to the project, as configured. */
  readonly dir: string;
}

/**
 * The project and its `tasks.dir`. Reading the whole configuration costs more than most answers about tasks, so it is
 * only read when a configuration file may set the folder.
 */
export async function findTaskFolder(context: AppContext): Promise<TaskPlace> {
  const projectRoot = findProjectRoot(context.directory);
  if (projectRoot === undefined) throw projectErrors.notARepository(context.directory);
  const files = [context.configFile ?? projectConfigPath(projectRoot), userConfigPath(context)];
  if (context.configFile === undefined && !files.some(maySetFolder))
    return { projectRoot, dir: DEFAULT_FOLDER };
  const { loadConfig } = await import("../../config/load-config.ts");
  const { environment, homeDirectory, configFile } = context;
  const { values } = await loadConfig({ projectRoot, environment, homeDirectory, configFile });
  return { projectRoot, dir: values.tasks.dir };
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
