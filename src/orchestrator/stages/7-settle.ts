import type { Outcome } from "../../contract/outcome.ts";
import type { Delegation, Settlement } from "../../journal/store.ts";
import type { KeptWork } from "../work-place.ts";
import type { RunTools } from "../run-tools.ts";
import type { JudgedRun } from "./6-validate.ts";

export interface SettledRun {
  readonly delegation: Delegation;
  readonly settlement: Settlement;
  readonly work: KeptWork;
}

/** Keeps the work first, ends the delegation second, frees the workspace last. */
export async function settleRun(tools: RunTools, run: JudgedRun): Promise<SettledRun> {
  const { delegation } = run;
  const work = await run.place.keepWork(commitMessage(run));
  const settlement = { ...decide(run, work), filesChanged: work.filesChanged };
  if (settlement.outcome === "completed") await recordProof(tools, run);
  await tools.store.settle(delegation.id, delegation.attempt, settlement);
  await run.place.release(work.filesChanged.length > 0);
  tools.watch({
    kind: "closed",
    delegation: delegation.id,
    outcome: settlement.outcome,
    summary: settlement.summary,
  });
  return { delegation, settlement, work };
}

function commitMessage(run: JudgedRun): string {
  return `${run.title}\n\nDelegation: ${run.delegation.id}\nSession: ${run.delegation.sessionId}\n`;
}

/** Exit codes are no verdict: a limit, then the return, then what is on disk decide. */
function decide(run: JudgedRun, work: KeptWork): Settlement {
  const { exit, stopped, verdict } = run;
  const changed = work.filesChanged.length;
  const kept = changed === 0 ? "Nothing was changed." : `${changed} file(s) kept on its branch.`;
  if (stopped === "cancelled") return { outcome: "cancelled", summary: `Stopped on request. ${kept}` };
  if (stopped === "budget")
    return { outcome: "partial", code: "COST_LIMIT_EXCEEDED", summary: `Stopped at its budget. ${kept}` };
  if (exit.errorCode !== null) {
    const outcome: Outcome = exit.reason === "timeout" || exit.reason === "stalled" ? "timed_out" : "partial";
    return { outcome, code: exit.errorCode, summary: `Ended by the limit ${exit.errorCode}. ${kept}` };
  }
  if (verdict.valid) return { outcome: verdict.value.status, summary: verdict.value.summary };
  const summary = `No usable return (${verdict.codes.join(", ")}); the program ${run.end.reason}. ${kept}`;
  return {
    outcome: changed === 0 ? "failed" : "partial",
    code: verdict.codes[0] ?? "NOT_JSON",
    summary,
  };
}

/** A story without criteria has nothing to prove; the journal says so before it says completed. */
async function recordProof(tools: RunTools, run: JudgedRun): Promise<void> {
  const { delegation, verdict } = run;
  if (!verdict.valid) return;
  const about = { story: delegation.story, delegation: delegation.id, attempt: delegation.attempt };
  const { status, summary, artifacts } = verdict.value;
  const paths = artifacts.map((artifact) => artifact.path);
  await tools.store.record({
    ...about,
    type: "delegation-returned",
    data: { status, summary, artifacts: paths },
  });
  await tools.store.record({
    ...about,
    type: "delegation-verified",
    data: { passed: 0, failed: 0, unverified: 0 },
  });
}
