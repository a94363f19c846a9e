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
  notInProject: (what: string): DelegationError =>
    makeError({
      code: "DELEGATION_NOT_FOUND",
      message: `There is no ${what} in this project.`,
      advice: "Go back to the list of stories; it may have been removed.",
    }),
};
