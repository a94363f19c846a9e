import { readErrorMessage, type DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** Starting, containing and sandboxing processes. */
export const containmentErrors = {
  notOnMainThread: (): DelegationError =>
    makeError({
      code: "INTERNAL",
      message: "Processes can only be launched from the main thread",
      advice: "Move the call out of the worker thread.",
    }),
  invalidRunId: (runId: string): DelegationError =>
    makeError({
      code: "INTERNAL",
      message: `The run id "${runId}" contains characters other than A–Z a–z 0–9 _ -`,
      advice: "Report this as a defect.",
    }),
  processUnreadable: (pid: number): DelegationError =>
    makeError({
      code: "INTERNAL",
      message: `The process ${pid} cannot be read right after its start`,
      advice: "Report this as a defect.",
    }),
  programMissing: (program: string): DelegationError =>
    makeError({
      code: "TOOL_UNAVAILABLE",
      message: `The program "${program}" does not exist or is not executable`,
      advice: "Install it, or give its full path.",
    }),
  folderMissing: (folder: string): DelegationError =>
    makeError({
      code: "FILE_NOT_FOUND",
      message: `The working folder ${folder} does not exist`,
      advice: "It may have been deleted by hand; start the delegation again.",
    }),
  tierUnavailable: (tier: string, reason: string, bestTier: string): DelegationError =>
    makeError({
      code: "TOOL_UNAVAILABLE",
      message: `This machine cannot contain processes with "${tier}": ${reason}`,
      advice: `Use "${bestTier}", or see what \`ambit doctor\` reports.`,
    }),
  logsUnwritable: (folder: string, cause: unknown): DelegationError =>
    makeError({
      code: "STORE_UNUSABLE",
      message: `Nothing can be written to ${folder}: ${readErrorMessage(cause)}`,
      advice: "Free some space, or make the folder writable.",
      cause,
    }),
  notStarted: (command: string, program: string, cause: unknown): DelegationError =>
    makeError({
      code: "TOOL_UNAVAILABLE",
      message: `Cannot start "${command}" through ${program}: ${readErrorMessage(cause)}`,
      advice: "Run `ambit doctor` to see what this machine can start.",
      cause,
    }),
  pathNotSandboxable: (path: string): DelegationError =>
    makeError({
      code: "INTERNAL",
      message: `"${path}" cannot be mounted in a sandbox`,
      advice: "Give an absolute path without '..' that is not the root folder.",
    }),
  sandboxUnavailable: (reason: string): DelegationError =>
    makeError({
      code: "SANDBOX_UNAVAILABLE",
      message: `A worker cannot be sandboxed: ${reason}`,
      advice: "Install the package bubblewrap, or choose `isolation: worktree`; see `ambit doctor`.",
    }),
  notForwarded: (cause: unknown): DelegationError =>
    makeError({
      code: "TOOL_UNAVAILABLE",
      message: `The services of workspace.services cannot be forwarded: ${readErrorMessage(cause)}`,
      advice: "Make the folder for temporary files writable, or remove workspace.services.",
      cause,
    }),
  invalidProgramName: (name: string): DelegationError =>
    makeError({
      code: "INTERNAL",
      message: `"${name}" cannot be the name of a program`,
      advice: "Use letters, digits, dots, dashes and underscores.",
    }),
};
