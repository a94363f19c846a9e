import { projectErrors } from "../../errors/project.ts";
import { findProjectRoot } from "../../project/find-project.ts";
import { adoptState, checkState, getStateDirectory, putStateAside } from "../../project/state-directory.ts";

/** Applies a person's decision about a state folder that was copied or that somebody else made. */
export function settleForeignState(directory: string, decision: "aside" | "adopt"): void {
  const root = findProjectRoot(directory);
  if (root === undefined) throw projectErrors.notARepository(directory);
  const state = getStateDirectory(root);
  const { kind } = checkState(state);
  if (kind === "ours" || kind === "absent") return;
  if (decision === "adopt") adoptState(state);
  else putStateAside(state);
}
