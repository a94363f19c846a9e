import { findOwner, type ProjectOwner } from "../../supervisor/project-owner.ts";
import { supervisorFiles } from "../../supervisor/supervisor-files.ts";
import type { AppContext } from "./app-context.ts";
import { findProject } from "./open-project.ts";

/**
 * The process that drives the project's work: its supervisor, or a command that runs a story itself. Open work stands still
 * without one, whatever the journal says about it.
 */
export function findDriver(context: Pick<AppContext, "directory">): ProjectOwner | undefined {
  return findOwner(supervisorFiles(findProject(context).root).owner);
}
