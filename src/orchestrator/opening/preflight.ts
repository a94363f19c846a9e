import { DelegationError } from "../../base/delegation-error.ts";
import type { RunSettings, RunTools } from "../ports/run-tools.ts";
import type { StoryRequest } from "../../contract/story-request.ts";

export interface CheckedStory extends StoryRequest {
  readonly settings: RunSettings;
  /** Unusual facts about the repository that Ambit handled; the worker is told them. */
  readonly notes: readonly string[];
  /** Those of them that the person is told. */
  readonly missing: readonly string[];
}

/** Refuses a repository in which no workspace can be made, before anything is made. */
export async function preflightStory(tools: RunTools, request: StoryRequest): Promise<CheckedStory> {
  const { refusal, notes, missing } = await tools.git.inspect();
  if (refusal !== undefined) throw new DelegationError(refusal);
  const settings = await tools.settings({ story: request });
  const { limits } = settings;
  const timeoutSeconds = Math.min(request.timeoutSeconds ?? limits.timeoutSeconds, limits.timeoutSeconds);
  return { ...request, settings: { ...settings, limits: { ...limits, timeoutSeconds } }, notes, missing };
}
