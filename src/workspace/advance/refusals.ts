import { DelegationError } from "../../base/delegation-error.ts";

export function tampered(path: string, how: string): DelegationError {
  return new DelegationError({
    code: how === "folder-gone" ? "WORKSPACE_GONE" : "WORKSPACE_TAMPERED",
    message: `The workspace ${path} is not what was made there: ${how}`,
    recommendation: "Its work is kept under refs/ambit/work; give the rest of the task to a new worker.",
    recoverable: true,
  });
}

export function notSaved(code: string, path: string, reason: string): DelegationError {
  return new DelegationError({
    code,
    message: `The workspace ${path} is left as it is: ${reason}`,
    recommendation: "Import its work first; then try again.",
    recoverable: true,
  });
}
