import { DelegationError } from "../../base/delegation-error.ts";
import type { RunSettings, RunTools } from "../ports/run-tools.ts";
import type { StoryRequest } from "../../contract/story-request.ts";

export interface CheckedStory extends StoryRequest {
  readonly settings: RunSettings;
  /** What is unusual about the repository and was dealt with: told to the worker. */
  readonly notes: readonly string[];
}

/** Refuses before anything is made: a repository no workspace can be made in, an id that is taken. */
export async function preflightStory(tools: RunTools, request: StoryRequest): Promise<CheckedStory> {
  const { refusal, notes } = await tools.git.inspect();
  if (refusal !== undefined) throw new DelegationError(refusal);
  const { id, delegationConfig } = request;
  const settings = await tools.settings({ id, delegationConfig });
  const { limits } = settings;
  const timeoutSeconds = Math.min(request.timeoutSeconds ?? limits.timeoutSeconds, limits.timeoutSeconds);
  return { ...request, settings: { ...settings, limits: { ...limits, timeoutSeconds } }, notes };
}
