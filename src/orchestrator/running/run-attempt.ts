import type { Delegation } from "../../journal/store.ts";
import { pickStoryTools } from "../delegation/story-tools.ts";
import type { LiveAttempts } from "../live/live-attempts.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { closeWith, moved, type Step } from "../ports/step.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";
import { invokeAgent } from "./invoke/invoke-agent.ts";
import { decideNextStep } from "./judge/decide-step.ts";
import { recordNextStep } from "./judge/take-step.ts";
import { type JudgedAttempt, validateReturn } from "./judge/validate-return.ts";
import { prepareAttempt } from "./prepare/prepare-attempt.ts";

/** Runs one process of an agent, from its slot to the journal line with its consequence: here, or on another machine. */
export async function runAttempt(shared: RunTools, live: LiveAttempts, queued: Delegation): Promise<Step> {
  if (shared.elsewhere !== undefined) {
    await shared.elsewhere.run(queued);
    return moved;
  }
  const tools = await pickStoryTools(shared, queued.story);
  // This comes before the journal says that it runs: an attempt that waits for room has not begun.
  tools.git.requireRoom();
  const prepared = await prepareAttempt(tools, queued);
  if (prepared === undefined) return { kind: "no-slot" };
  const returned = await invokeAgent(tools, live, prepared);
  const judged = await validateReturn(tools, returned);
  if (!hasCompleted(judged) && tools.git.isDiskFull()) throw orchestratorErrors.attemptWithoutRoom(queued.id);
  const step = await decideNextStep(tools, live, judged);
  const settlement = await recordNextStep(tools, judged, step);
  return settlement === undefined ? moved : closeWith(settlement);
}

/** Whether it was stopped, which is reason enough for its end, or its return says that it completed. */
function hasCompleted({ stopped, verdict }: JudgedAttempt): boolean {
  return stopped !== undefined || (verdict.valid && verdict.value.status === "completed");
}
