import type { RunTools } from "../../ports/run-tools.ts";
import type { JudgedAttempt } from "./validate-return.ts";
import type { NextStep } from "./next-step.ts";
import { writeSalvagedReturn } from "./salvage.ts";
import type { Settlement } from "../../../journal/store.ts";

/** Writes the decision down; what follows from it starts at the new state. A close is answered, for the caller to do. */
export async function takeStep(
  tools: RunTools,
  attempt: JudgedAttempt,
  step: NextStep,
): Promise<Settlement | undefined> {
  const { id, story, attempt: number } = attempt.delegation;
  const about = { story, delegation: id, attempt: number };
  switch (step.kind) {
    case "nothing":
      return undefined;
    case "park":
      await tools.store.record({
        ...about,
        type: "delegation-parked",
        data: { waitingFor: [...step.waitingFor], note: step.note },
      });
      return undefined;
    case "again": {
      if (step.turn === "repair") await recordRejection(tools, attempt);
      const { turn, reason, afterMs } = step;
      await tools.store.record({ ...about, type: "attempt-retried", data: { reason, kind: turn, afterMs } });
      return undefined;
    }
    case "held": {
      const { reason, provider, afterMs } = step;
      await tools.store.record({ ...about, type: "attempt-retried", data: { reason, provider, afterMs } });
      return undefined;
    }
    case "returned": {
      const { status, summary, artifacts } = step;
      const data = { status, summary, artifacts: [...artifacts] };
      await tools.store.record({ ...about, type: "delegation-returned", data });
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

/** The original stays in its file; the journal has what was wrong with it. */
async function recordRejection(tools: RunTools, { delegation, verdict }: JudgedAttempt): Promise<void> {
  if (verdict.valid) return;
  const { id, story, attempt, turn } = delegation;
  const data = { codes: [...verdict.codes], repair: turn.counts.repair ?? 0 };
  await tools.store.record({ type: "return-rejected", story, delegation: id, attempt, data });
}
