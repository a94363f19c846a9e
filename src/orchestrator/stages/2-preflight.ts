import { DelegationError } from "../../base/delegation-error.ts";
import type { Limits } from "../../contract/limits.ts";
import { preflight as inspectRepository } from "../../workspace/preflight.ts";
import type { RunTools } from "../run-tools.ts";
import type { RunRequest } from "./1-parse.ts";

export interface CheckedRequest extends RunRequest {
  readonly limits: Limits;
  /** What is unusual about the repository and was dealt with: told to the worker. */
  readonly notes: readonly string[];
}

/** Refuses before anything is made: a repository no workspace can be made in, a time above the limit. */
export async function preflightRequest(tools: RunTools, request: RunRequest): Promise<CheckedRequest> {
  const { repository, stateDirectory } = tools.workspaces;
  const found = await inspectRepository({
    directory: repository.workTree,
    host: repository.host,
    stateDirectory,
  });
  const [refusal] = found.refusals;
  if (refusal !== undefined) throw new DelegationError(refusal);
  const timeoutSeconds = Math.min(
    request.timeoutSeconds ?? tools.limits.timeoutSeconds,
    tools.limits.timeoutSeconds,
  );
  return {
    ...request,
    limits: { ...tools.limits, timeoutSeconds },
    notes: found.notes.map((note) => note.message),
  };
}
