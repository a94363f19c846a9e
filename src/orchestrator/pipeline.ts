import type { Delegation } from "../journal/store.ts";
import { readDelegationKind } from "./delegation/kind.ts";
import { pickStoryTools } from "./delegation/story-tools.ts";
import type { ExternalManagers } from "./external-manager/sessions.ts";
import { settleMerged } from "./merged/close-delegation.ts";
import { resumeParked } from "./parked/resume-parked.ts";
import type { RunTools } from "./ports/run-tools.ts";
import { closeWith, type Step } from "./ports/step.ts";
import { startQueued } from "./queued/start-queued.ts";
import type { Proofs } from "./returned/proofs.ts";
import { settleReturned } from "./returned/prove-work.ts";
import { settleReview } from "./review/settle-review.ts";
import { mergeVerified } from "./verified/merge-work.ts";
import { advanceWorkflow } from "./workflow/advance-workflow.ts";

export interface Pipeline {
  readonly tools: RunTools;
  readonly outside: ExternalManagers;
  readonly proofs: Proofs;
  readonly consider: (id: string) => void;
}

/**
 * Moves a delegation on from the state that the journal gives it; the engine calls it. Each function writes its journal
 * line before the effect, so it can be repeated after a crash. The seven stages of the specification happen here:
 *
 * | stage       | state             | code                                              |
 * | 1 parse     | none yet          | `opening/parse.ts`                                |
 * | 2 preflight | none yet          | `opening/preflight.ts`                            |
 * | 3 route     | none yet          | `opening/route.ts`                                |
 * | 4 prepare   | queued, running   | `opening/admit.ts`, `queued/`, `running/prepare/` |
 * | 5 invoke    | running, parked   | `running/invoke/`, `parked/`                      |
 * | 6 validate  | running, returned | `running/judge/`, `returned/`                     |
 * | 7 settle    | verified, merged  | `verified/`, `merged/`                            |
 */
export async function advanceDelegation(pipeline: Pipeline, delegation: Delegation): Promise<Step> {
  const { outside, proofs, consider } = pipeline;
  const tools = await pickStoryTools(pipeline.tools, delegation.story);
  const kind = readDelegationKind(delegation);
  if (kind === "workflow") return advanceWorkflow(tools, delegation, consider);
  if (kind === "external-manager") return outside.advance(delegation);
  if (delegation.cancelRequested) return closeWith({ outcome: "cancelled", summary: "Stopped on request." });
  switch (delegation.state) {
    case "queued":
      return startQueued(tools, delegation);
    case "parked":
      return resumeParked(tools, delegation);
    case "returned":
      if (delegation.work?.review !== undefined) return settleReview(tools, delegation);
      return proofs.holdBranch(delegation, settleReturned);
    case "verified":
      return proofs.holdBranch(delegation, mergeVerified);
    case "merged":
      return settleMerged(delegation);
    // While it runs, `runAttempt` moves it on; once closed, nothing does.
    case "running":
    case "closed":
      return { kind: "nothing" };
  }
}
