import type { OutlinedDelegation } from "../../journal/store.ts";
import { findOwner, type ProjectOwner } from "../../supervisor/project-owner.ts";
import { ownerFile } from "../../supervisor/supervisor-files.ts";
import type { AppContext } from "./app-context.ts";
import { findProject, type Project } from "./open-project.ts";
import type { OpenQuestion } from "./open-questions.ts";

/**
 * The process that drives the project's work: its supervisor, or a command that runs a story itself. Open work stands still
 * without one, whatever the journal says about it.
 */
export function findDriver(context: Pick<AppContext, "directory">): ProjectOwner | undefined {
  return findDriverOf(findProject(context));
}

export function findDriverOf({ stateDirectory }: Pick<Project, "stateDirectory">): ProjectOwner | undefined {
  return findOwner(ownerFile(stateDirectory));
}

type OpenWork = Pick<OutlinedDelegation, "id" | "state" | "waitingFor">;

/**
 * Whether open work is interrupted because no supervisor runs. A supervisor leaves while all that is open
 * waits for a person, so then nothing is interrupted.
 */
export function isInterrupted(
  project: Pick<Project, "stateDirectory">,
  tree: readonly OpenWork[],
  questions: readonly OpenQuestion[],
): boolean {
  const asking = new Set(questions.map(({ delegation }) => delegation.id));
  return canGoOn(tree, asking) && findDriverOf(project) === undefined;
}

/** Whether some open work waits neither for a person nor for other open work. */
export function canGoOn(tree: readonly OpenWork[], asking: ReadonlySet<string>): boolean {
  const open = new Set(tree.filter(({ state }) => state !== "closed").map(({ id }) => id));
  const isWaiting = ({ waitingFor }: OpenWork): boolean => waitingFor.some((id) => open.has(id));
  return tree.some((one) => open.has(one.id) && !asking.has(one.id) && !isWaiting(one));
}
