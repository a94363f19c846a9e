import { countFiles } from "../../base/count-things.ts";
import type { Delegation } from "../../journal/store.ts";
import type { ComparedResult } from "../../verification/compare-base.ts";
import type { Judgement } from "../../verification/judge.ts";
import { orchestratorErrors } from "../../errors/orchestrator.ts";
import { listKeptChecks } from "../../verification/ratchet.ts";
import { askOncePerAttempt } from "../approvals/ask-approval.ts";
import { findMergeTarget } from "../delegation/manager-branch.ts";
import { recordEvent } from "../delegation/record.ts";
import { readReturnOutcome } from "../delegation/return-outcome.ts";
import { mayTakeTurn, planRetry } from "../delegation/turn-limits.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { closeWith, moved, type Step } from "../ports/step.ts";
import { requestReview } from "../review/request-review.ts";
import { mergeVerified } from "../verified/merge-work.ts";
import { acceptedChecks } from "./accepted-checks.ts";
import { gateChanges, judgeChanges } from "./gate-scope.ts";
import { judgeResults } from "./judge-results.ts";
import { makeCandidate, wasInConflict } from "./make-candidate.ts";
import type { Proof } from "./proof.ts";
import { settleTogether } from "./prove-together.ts";
import { recordProof } from "./record-proof.ts";
import { runCandidateChecks, type CandidateChecks } from "./run-candidate-checks.ts";
import type { BranchHold } from "./waiting-line.ts";

/**
 * Proves returned work on the merged tree, and merges it before another delegation can move the branch. Work that waits
 * behind it is proven together with it if that is possible.
 */
export async function settleReturned(
  tools: RunTools,
  delegation: Delegation,
  hold: BranchHold,
): Promise<Step> {
  const together = await settleTogether(tools, delegation, hold);
  if (together !== undefined) return together;
  const proof = await proveWork(tools, delegation, hold.signal);
  hold.line.noteAlone(delegation.id, proof.kind === "proven");
  if (proof.kind === "close" || proof.kind === "waiting") return proof;
  if (proof.kind === "again") return moved;
  return mergeVerified(tools, (await tools.store.delegation(delegation.id)) ?? delegation);
}

/**
 * Proves returned work before any branch moves: it is inside its scope, it merges without conflict, and every required
 * criterion passes on the merged tree, including those that earlier work was accepted for. The worker's claims do not
 * count. It can be repeated from the start after a crash, or after the signal stopped it.
 */
async function proveWork(tools: RunTools, delegation: Delegation, signal?: AbortSignal): Promise<Proof> {
  const { returnStatus, summary, filesChanged } = delegation;
  if (returnStatus !== "completed")
    return closeWith({ outcome: readReturnOutcome(returnStatus), summary, filesChanged: [...filesChanged] });
  const target = await findMergeTarget(tools, delegation);
  const candidate = await makeCandidate(tools, delegation, target);
  if (candidate.kind === "conflict") return returnConflict(tools, delegation, candidate.files);
  const { commit } = candidate;
  const { branchTip } = target;
  const scope = await judgeChanges(tools, delegation, { from: target.commit, to: commit, branchTip });
  const gate = await gateChanges(tools, delegation, scope);
  if (gate !== undefined) return gate;
  const changedFiles = scope?.filesChanged.map(({ path }) => path) ?? [];
  const unresolved = wasInConflict(delegation) ? await tools.git.findMarkers(commit, changedFiles) : [];
  if (unresolved.length > 0) return returnConflict(tools, delegation, unresolved);
  const accepted = await acceptedChecks(tools, delegation, { branchTip });
  const own = delegation.work?.criteria ?? [];
  const criteria = [...own, ...listKeptChecks(accepted, own).map(({ criterion }) => criterion)];
  const judged = await judgeCandidate(tools, {
    delegation,
    commit,
    criteria,
    changedFiles,
    accepted,
    signal,
  });
  if (judged.kind !== "judged") return judged;
  const { judgement, results } = judged;
  if (!judgement.isAccepted) return refuseWork(tools, delegation, judgement);
  await recordProof(tools, {
    delegation,
    commit,
    onto: branchTip,
    checkedOn: commit,
    changedFiles,
    judgement,
    results,
  });
  return { kind: "proven" };
}

/** A conflict goes back to its worker once; after that the delegation ends and its manager learns the files. */
async function returnConflict(
  tools: RunTools,
  delegation: Delegation,
  files: readonly string[],
): Promise<Proof> {
  const { id, filesChanged } = delegation;
  const message = `Conflicts with work that is already merged, in ${countFiles(files.length)}.`;
  const data = { code: "MERGE_CONFLICT", message, files: [...files] };
  await recordEvent(tools, delegation, { type: "merge-refused", data });
  if (mayTakeTurn(delegation, "conflict")) {
    const reason = `Conflict in ${files.join(", ")}`;
    await recordEvent(tools, delegation, { type: "attempt-retried", data: { reason, kind: "conflict" } });
    return { kind: "again" };
  }
  const summary = `${message} ${files.join(", ")}. Its work stays on delegation/${id}.`;
  return closeWith({ outcome: "partial", code: "MERGE_CONFLICT", summary, filesChanged });
}

type Judged =
  | { readonly kind: "waiting" | "again" }
  | {
      readonly kind: "judged";
      readonly judgement: Judgement;
      readonly results: readonly ComparedResult[];
    };

async function judgeCandidate(tools: RunTools, candidate: CandidateChecks): Promise<Judged> {
  const { delegation, criteria } = candidate;
  const results = await runCandidateChecks(tools, candidate);
  if (results === "stopped") return { kind: "again" };
  const { judgement, undecided } = await judgeResults(tools, { delegation, criteria, results });
  if (undecided.length === 0) return { kind: "judged", judgement, results };
  const review = await requestReview(tools, { ...candidate, criteria: undecided });
  if (review.kind === "open") return { kind: "waiting" };
  const details = undecided.map(({ text }) => text);
  const question = [`Is this met? ${details.join("; ")}`, review.why].filter(Boolean).join(". ");
  await askOncePerAttempt(tools, delegation, { kind: "criterion", question, details });
  return { kind: "waiting" };
}

/** Work that fails its checks stays on its branch; if the project allows it, the worker gets another attempt. */
async function refuseWork(tools: RunTools, delegation: Delegation, judgement: Judgement): Promise<Proof> {
  const { id, filesChanged } = delegation;
  // A check that fails now may fail only because the disk is full; it is repeated when there is room.
  if (judgement.failed.length > 0 && tools.git.isDiskFull()) throw orchestratorErrors.checkWithoutRoom(id);
  const why = judgement.why.join("\n");
  const again = planRetry(delegation, await tools.settings(), why);
  if (again !== undefined && judgement.failed.length > 0) {
    const data = { reason: why, kind: again.turn, afterMs: again.afterMs };
    await recordEvent(tools, delegation, { type: "attempt-retried", data });
    return { kind: "again" };
  }
  const code =
    judgement.failed.length === 0
      ? "CRITERION_UNVERIFIED"
      : judgement.failed.some((failed) => failed.startsWith("kept-"))
        ? "RATCHET_BROKEN"
        : "CRITERION_FAILED";
  const kept = filesChanged.length === 0 ? "Nothing was changed." : `Its work stays on delegation/${id}.`;
  const summary = `${why}\n${kept}`;
  return closeWith({ outcome: "partial", code, summary: summary.slice(0, 4000), filesChanged });
}
