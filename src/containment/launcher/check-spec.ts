import { statSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { DelegationError, messageOf } from "../../base/delegation-error.ts";
import type { ContainmentTier, LaunchSpec } from "../contained-process.ts";
import type { ContainmentReport } from "../probe-containment.ts";
import { resolveProgram } from "../resolve-program.ts";

const RUN_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Refuses, before anything starts, what cannot be started. */
export function checkSpec(spec: LaunchSpec): void {
  if (!isMainThread) {
    // The kernel ties a process's death signal to the thread that started it.
    throw broken(
      "Processes are launched from the main thread only",
      "Move the call out of the worker thread.",
    );
  }
  if (!RUN_ID.test(spec.runId))
    throw broken(`The run id "${spec.runId}" has other characters than A–Z a–z 0–9 _ -`);
  if (resolveProgram(spec.argv[0] ?? "", spec.environment, spec.cwd) === undefined) {
    throw new DelegationError({
      code: "TOOL_UNAVAILABLE",
      message: `The program "${spec.argv[0] ?? ""}" is not there or not executable`,
      recommendation: "Install it, or give its full path.",
    });
  }
  if (statSync(spec.cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new DelegationError({
      code: "FILE_NOT_FOUND",
      message: `The folder to work in, ${spec.cwd}, is not there`,
      recommendation: "It may have been deleted by hand; start the delegation again.",
    });
  }
}

export function broken(message: string, recommendation = "Report this as a defect."): DelegationError {
  return new DelegationError({ code: "INTERNAL", message, recommendation });
}

export function chooseTier(
  containment: ContainmentReport,
  forced: ContainmentTier | undefined,
): ContainmentTier {
  if (forced === undefined) return containment.best.tier;
  const report = containment.tiers.find(({ tier }) => tier === forced);
  if (report?.available === true) return forced;
  throw new DelegationError({
    code: "TOOL_UNAVAILABLE",
    message: `This machine cannot contain with "${forced}": ${report?.reason ?? "unknown tier"}`,
    recommendation: `Use "${containment.best.tier}", or see what \`ambit doctor\` says.`,
  });
}

export function unwritable(spec: LaunchSpec, cause: unknown): DelegationError {
  return new DelegationError({
    code: "STORE_UNUSABLE",
    message: `Nothing can be written to ${spec.logDirectory}: ${messageOf(cause)}`,
    recommendation: "Free some space, or make the folder writable.",
    cause,
  });
}
