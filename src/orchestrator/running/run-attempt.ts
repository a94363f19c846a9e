import type { Delegation, Settlement } from "../../journal/store.ts";
import { pickStoryTools } from "../delegation/story-tools.ts";
import type { LiveAttempts } from "../live/live-attempts.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { closeWith, moved, type Step } from "../ports/step.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";
import { addNote, recordEvent } from "../delegation/record.ts";
import type { AgainStep } from "../delegation/turn-limits.ts";
import { invokeAgent } from "./invoke/invoke-agent.ts";
import { decideNextStep } from "./judge/decide-step.ts";
import { type JudgedAttempt, validateReturn } from "./judge/validate-return.ts";
import { prepareAttempt } from "./prepare/prepare-attempt.ts";
import { MISSING_RETURN_NOTE } from "./judge/missing-return.ts";
import type { NextStep } from "./judge/next-step.ts";
import { writeMissingReturn, writeSalvagedReturn } from "./judge/salvage.ts";

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

/** Records the decision; everything after it starts from the new state. Returns a settlement for the caller to close. */
async function recordNextStep(
  tools: RunTools,
  attempt: JudgedAttempt,
  step: NextStep,
): Promise<Settlement | undefined> {
  const { delegation } = attempt;
  switch (step.kind) {
    case "nothing":
      return undefined;
    case "park": {
      const data = { waitingFor: [...step.waitingFor], note: step.note };
      await recordEvent(tools, delegation, { type: "delegation-parked", data });
      return undefined;
    }
    case "again": {
      if (step.turn === "repair") await recordRejection(tools, attempt);
      await recordTurn(tools, delegation, step);
      return undefined;
    }
    case "held": {
      const { reason, provider, afterMs } = step;
      await recordEvent(tools, delegation, { type: "attempt-retried", data: { reason, provider, afterMs } });
      return undefined;
    }
    case "lost": {
      const data = { reason: step.reason };
      await recordEvent(tools, delegation, { type: "attempt-lost", data });
      return undefined;
    }
    case "returned": {
      const { kept: data } = step;
      if (!attempt.verdict.valid) {
        await addNote(tools, delegation, MISSING_RETURN_NOTE);
        writeMissingReturn(attempt, data.summary);
      }
      await recordEvent(tools, delegation, { type: "delegation-returned", data });
      return undefined;
    }
    case "close":
      if (!attempt.verdict.valid) {
        await recordRejection(tools, attempt);
        writeSalvagedReturn(attempt, step.settlement);
      }
      return step.settlement;
  }
}

/** The rejected return stays in its file; the journal records its faults. */
async function recordRejection(tools: RunTools, { delegation, verdict }: JudgedAttempt): Promise<void> {
  if (verdict.valid) return;
  const data = { codes: [...verdict.codes], repair: delegation.turn.counts.repair ?? 0 };
  await recordEvent(tools, delegation, { type: "return-rejected", data });
}

async function recordTurn(tools: RunTools, delegation: Delegation, step: AgainStep): Promise<void> {
  const { turn: kind, reason, afterMs, handedTo } = step;
  if (handedTo !== undefined) {
    const [why = ""] = reason.split(";");
    const earlier = delegation.agent ?? "the earlier agent";
    await addNote(tools, delegation, `${handedTo.agent} takes the place of ${earlier}: ${why}`);
  }
  const data = { reason, kind, afterMs, ...(handedTo === undefined ? {} : { handedTo }) };
  await recordEvent(tools, delegation, { type: "attempt-retried", data });
}
