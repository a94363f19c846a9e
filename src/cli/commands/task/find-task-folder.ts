import { readFileSync } from "node:fs";
import { projectConfigPath, userConfigPath } from "../../../config/config-paths.ts";
import { findProjectRoot } from "../../../config/find-project.ts";
import type { CommandContext } from "../../command-module.ts";

const DEFAULT_FOLDER = "specs";

export interface TaskPlace {
  readonly projectRoot: string;
  /** Relative to the project, as configured. */
  readonly folder: string;
}

/**
 * The project and its `tasks.dir`. Reading the whole configuration costs more than most answers about tasks, so it is
 * only read when a configuration file may speak of the folder at all.
 */
export async function findTaskFolder(context: CommandContext): Promise<TaskPlace> {
  const projectRoot = findProjectRoot(context.directory) ?? (await missingProject(context));
  const files = [context.configFile ?? projectConfigPath(projectRoot), userConfigPath(context)];
  if (context.configFile === undefined && !files.some(maySetFolder))
    return { projectRoot, folder: DEFAULT_FOLDER };
  const { loadConfig } = await import("../../../config/load-config.ts");
  const { environment, homeDirectory, configFile } = context;
  const { values } = await loadConfig({ projectRoot, environment, homeDirectory, configFile });
  return { projectRoot, folder: values.tasks.dir };
}

/** Says what every command says outside of a repository; loaded only there, as it brings the store along. */
async function missingProject(context: CommandContext): Promise<string> {
  const { findProject } = await import("../../../app/open-project.ts");
  return findProject(context).root;
}

/** A key cannot be written without its letters, except by escapes. */
function maySetFolder(file: string | undefined): boolean {
  if (file === undefined) return false;
  try {
    const text = readFileSync(file, "utf8");
    return text.includes("tasks") || text.includes("\\");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    // Whoever reads it whole can say what is wrong with it.
    return !isMissing;
  }
}
