import type { Delegation } from "../../journal/store.ts";
import { pickStoryTools } from "../delegation/story-tools.ts";
import type { LiveAttempts } from "../live/live-attempts.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { closeWith, moved, type Step } from "../ports/step.ts";
import { invokeAgent } from "./invoke/invoke-agent.ts";
import { decideNextStep } from "./judge/decide-step.ts";
import { recordNextStep } from "./judge/take-step.ts";
import { validateReturn } from "./judge/validate-return.ts";
import { prepareAttempt } from "./prepare/prepare-attempt.ts";

/** One process run of an agent, from its slot to the journal line that says what follows from it. */
export async function runAttempt(shared: RunTools, live: LiveAttempts, queued: Delegation): Promise<Step> {
  const tools = await pickStoryTools(shared, queued.story);
  const prepared = await prepareAttempt(tools, queued);
  if (prepared === undefined) return { kind: "no-slot" };
  const returned = await invokeAgent(tools, live, prepared);
  const judged = await validateReturn(tools, returned);
  const settlement = await recordNextStep(tools, judged, await decideNextStep(tools, judged));
  return settlement === undefined ? moved : closeWith(settlement);
}
