import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** Finding the project and the work a request is about. */
export const projectErrors = {
  notARepository: (directory: string): DelegationError =>
    makeError({
      code: "NOT_A_REPOSITORY",
      message: `${directory} is not inside a git repository.`,
      advice: "Change to a repository, name one with -C <dir>, or create one with git init.",
    }),
  stateNotOurs: (folder: string, reason: string): DelegationError =>
    makeError({
      code: "STATE_NOT_OURS",
      message: `Ambit does not use the state folder ${folder}: ${reason}.`,
      advice:
        "Look at it; ambit clean --foreign-state aside renames it, and the next command starts without it.",
    }),
  stateUnplaced: (folder: string): DelegationError =>
    makeError({
      code: "STATE_NOT_OURS",
      message: `The state folder ${folder} has a journal, but no readable place.json, which says where the folder was made.`,
      advice:
        "If you did not copy the folder here, continue it: ambit clean --foreign-state adopt. Otherwise start without it: ambit clean --foreign-state aside.",
    }),
  stateCopied: (folder: string, original: string): DelegationError =>
    makeError({
      code: "STATE_NOT_OURS",
      message: `The state folder ${folder} was copied from ${original}. Stories open there are not continued here.`,
      advice:
        "Start without it: ambit clean --foreign-state aside. If the original is gone and you want to continue it: ambit clean --foreign-state adopt.",
    }),
  treesNotOurs: (folder: string, reason: string): DelegationError =>
    makeError({
      code: "STATE_NOT_OURS",
      message: `Ambit cannot keep its workspaces in ${folder}: ${reason}.`,
      advice: "Choose another folder: ambit config set workspace.dir <folder>.",
    }),
  nothingKept: (work: {
    readonly id: string;
    readonly state: string;
    readonly path?: string | undefined;
  }): DelegationError =>
    makeError({
      code: "WORKSPACE_NOT_FOUND",
      message: `${work.id} is ${work.state} and has no saved work yet.${work.path === undefined ? "" : ` Its files are in ${work.path}.`}`,
      advice: `Read its output with ambit logs ${work.id}; its work is saved when it ends.`,
      recoverable: true,
    }),
  attemptNotKept: (id: string, attempt: number): DelegationError =>
    makeError({
      code: "WORKSPACE_NOT_FOUND",
      message: `Nothing was kept of attempt ${attempt} of ${id}.`,
      advice: `Read its output with ambit logs ${id}.`,
      recoverable: true,
    }),
  notInProject: (what: string): DelegationError =>
    makeError({
      code: "DELEGATION_NOT_FOUND",
      message: `There is no ${what} in this project.`,
      advice: "Go back to the list of stories; it may have been removed.",
    }),
};
