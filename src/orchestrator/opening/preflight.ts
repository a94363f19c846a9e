import { DelegationError } from "../../base/delegation-error.ts";
import { findAdaptedDepth } from "../split/adapt-depth.ts";
import type { RunSettings, RunTools } from "../ports/run-tools.ts";
import type { StoryRequest } from "../../contract/story-request.ts";

export interface CheckedStory extends StoryRequest {
  readonly settings: RunSettings;
  /** Unusual facts about the repository that Ambit handled; the worker is told them. */
  readonly notes: readonly string[];
  /** The facts among them for the person. */
  readonly missing: readonly string[];
}

/** Refuses a repository in which no workspace can be made, before anything is made. */
export async function preflightStory(tools: RunTools, request: StoryRequest): Promise<CheckedStory> {
  const { refusal, notes, missing } = await tools.git.inspect();
  if (refusal !== undefined) throw new DelegationError(refusal);
  const read = await tools.settings({ story: request });
  const { settings, note } = await adaptDepth(tools, read);
  const { limits } = settings;
  const timeoutSeconds = Math.min(request.timeoutSeconds ?? limits.timeoutSeconds, limits.timeoutSeconds);
  return {
    ...request,
    settings: { ...settings, limits: { ...limits, timeoutSeconds } },
    notes: [...notes, ...note],
    missing: [...missing, ...note],
  };
}

interface AdaptedSettings {
  readonly settings: RunSettings;
  /** The reason why the depth differs from the settings. */
  readonly note: readonly string[];
}

/** The story begins with the depth that earlier stories suggest; the journal and the person get the reason (R183). */
async function adaptDepth(
  { store }: Pick<RunTools, "store">,
  settings: RunSettings,
): Promise<AdaptedSettings> {
  const { limits, origins, depthPolicy } = settings;
  const adapted = await findAdaptedDepth(store, depthPolicy, limits.maxDepth);
  if (adapted === undefined) return { settings, note: [] };
  const { depth: maxDepth, reason } = adapted;
  const origin = { name: DEPTH_KEY, value: maxDepth, origin: `adapted, ${reason}` };
  const others = origins.filter(({ name }) => name !== DEPTH_KEY);
  const text = `The depth of this story is ${maxDepth} instead of ${limits.maxDepth}: ${reason}. --depth or delegation.adaptDepth: off prevents this.`;
  return {
    settings: { ...settings, limits: { ...limits, maxDepth }, origins: [...others, origin] },
    note: [text],
  };
}

const DEPTH_KEY = "delegation.maxDepth";
