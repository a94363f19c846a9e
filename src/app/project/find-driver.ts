import type { Delegation } from "../../journal/store.ts";
import { findOwner, type ProjectOwner } from "../../supervisor/project-owner.ts";
import { supervisorFiles } from "../../supervisor/supervisor-files.ts";
import type { AppContext } from "./app-context.ts";
import { findProject } from "./open-project.ts";
import type { OpenQuestion } from "./open-questions.ts";

/**
 * The process that drives the project's work: its supervisor, or a command that runs a story itself. Open work stands still
 * without one, whatever the journal says about it.
 */
export function findDriver(context: Pick<AppContext, "directory">): ProjectOwner | undefined {
  return findOwner(supervisorFiles(findProject(context).root).owner);
}

/**
 * Whether work that could go on stands still because no process drives it. A supervisor leaves while all that is open
 * waits for a person, so then nothing is interrupted.
 */
export function isInterrupted(
  context: Pick<AppContext, "directory">,
  tree: readonly Delegation[],
  questions: readonly OpenQuestion[],
): boolean {
  const isAsking = ({ id }: Delegation): boolean => questions.some(({ delegation }) => delegation.id === id);
  const isWaiting = ({ waitingFor }: Delegation): boolean =>
    waitingFor.some((id) => tree.some((one) => one.id === id && one.state !== "closed"));
  const couldGoOn = tree.some((one) => one.state !== "closed" && !isAsking(one) && !isWaiting(one));
  return couldGoOn && findDriver(context) === undefined;
}
