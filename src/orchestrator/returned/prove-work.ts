import { safeText } from "../../base/safe-text.ts";
import type { Criterion } from "../../contract/task.ts";
import type { Approval, Delegation, Settlement } from "../../journal/store.ts";
import { listKeptChecks, type RatchetCheck } from "../../verification/ratchet.ts";
import { judgeWork, type Decision, type Judgement } from "../../verification/judge.ts";
import { askOncePerAttempt, findApproval } from "../approvals/ask-approval.ts";
import {
  findBroughtWork,
  readCommitTime,
  findMergeTarget,
  type ManagerHead,
} from "../delegation/manager-branch.ts";
import { acceptedChecks } from "./accepted-checks.ts";
import { runCandidateChecks, type CandidateChecks } from "./run-candidate-checks.ts";
import type { Proof } from "./proof.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { gateChanges, judgeChanges } from "./gate-scope.ts";
import { recordEvent } from "../delegation/record.ts";
import { mayTakeTurn, planRetry } from "../delegation/turn-limits.ts";
import { closeWith, moved, type Step } from "../ports/step.ts";
import { mergeVerified } from "../verified/merge-work.ts";

/** Proves returned work on the merged tree, and merges it before another delegation can move the branch. */
export async function settleReturned(
  tools: RunTools,
  delegation: Delegation,
  signal: AbortSignal,
): Promise<Step> {
  const proof = await proveWork(tools, delegation, signal);
  if (proof.kind === "close" || proof.kind === "waiting") return proof;
  if (proof.kind === "again") return moved;
  return mergeVerified(tools, (await tools.store.delegation(delegation.id)) ?? delegation);
}

/**
 * Proves returned work before any branch moves: it is inside its scope, it merges without conflict, and every required
 * criterion passes on the merged tree, including those that earlier work was accepted for. What the worker claims does
 * not count. It can be repeated from the start after a crash, or after the signal stopped it.
 */
async function proveWork(tools: RunTools, delegation: Delegation, signal?: AbortSignal): Promise<Proof> {
  const { returnStatus, summary, filesChanged } = delegation;
  if (returnStatus !== "completed")
    return closeWith({ outcome: readOutcome(returnStatus), summary, filesChanged: [...filesChanged] });
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
  const accepted = await acceptedChecks(tools, delegation, branchTip);
  const ratchet = listKeptChecks(accepted, delegation.work?.criteria ?? []);
  const judged = await judgeCandidate(tools, { delegation, commit, ratchet, changedFiles, signal });
  if (judged.kind !== "judged") return judged;
  const { judgement } = judged;
  if (!judgement.isAccepted) return refuseWork(tools, delegation, judgement);
  const data = {
    passed: judgement.passed.length,
    failed: judgement.failed.length,
    unverified: judgement.unverified.length,
    waived: [...judgement.waived],
    candidate: commit === target.branchTip ? null : commit,
    onto: target.branchTip,
    filesChanged: changedFiles,
  };
  await recordEvent(tools, delegation, { type: "delegation-verified", data });
  return { kind: "proven" };
}

type Candidate =
  | { readonly kind: "commit"; readonly commit: string }
  | { readonly kind: "conflict"; readonly files: readonly string[] };

async function makeCandidate(
  tools: RunTools,
  delegation: Delegation,
  target: ManagerHead,
): Promise<Candidate> {
  const brought = await findBroughtWork(tools, delegation);
  if (brought.own !== undefined && brought.own.conflicts.length > 0)
    return { kind: "conflict", files: brought.own.conflicts };
  const tip = brought.tip ?? target.commit;
  if (await tools.git.contains(target.commit, tip)) return { kind: "commit", commit: target.commit };
  if (await tools.git.contains(tip, target.commit))
    return { kind: "commit", commit: await squashConflict(tools, { ...delegation, tip }, target.commit) };
  const merge = await tools.git.merge(target.commit, tip);
  if (merge.status === "conflict") return { kind: "conflict", files: merge.files };
  const message = `Merge ${delegation.id}: ${safeText(delegation.description)}\n`;
  const parents = [target.commit, tip];
  const timeSeconds = readCommitTime(delegation);
  const commit = await tools.git.commit({ tree: merge.tree, parents, message, timeSeconds });
  return { kind: "commit", commit };
}

/** A resolved conflict sits on a commit with conflict markers, which must not stay in the history. */
async function squashConflict(tools: RunTools, delegation: Delegation, onto: string): Promise<string> {
  const { tip, description, id } = delegation;
  if (tip === null || !wasInConflict(delegation)) return tip ?? onto;
  const message = `${safeText(description)}\n\nDelegation: ${id}\n`;
  const tree = await tools.git.treeOf(tip);
  return tools.git.commit({ tree, parents: [onto], message, timeSeconds: readCommitTime(delegation) });
}

function wasInConflict({ turn }: Delegation): boolean {
  return (turn.counts.conflict ?? 0) > 0;
}

/** A conflict goes back to its worker once; after that the delegation ends and its manager learns the files. */
async function returnConflict(
  tools: RunTools,
  delegation: Delegation,
  files: readonly string[],
): Promise<Proof> {
  const { id, filesChanged } = delegation;
  const message = `Conflicts with work that is already merged, in ${files.length} file(s).`;
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
  | { readonly kind: "judged"; readonly judgement: Judgement };

async function judgeCandidate(
  tools: RunTools,
  candidate: Omit<CandidateChecks, "criteria"> & { readonly ratchet: readonly RatchetCheck[] },
): Promise<Judged> {
  const { delegation, ratchet } = candidate;
  const criteria = [...(delegation.work?.criteria ?? []), ...ratchet.map(({ criterion }) => criterion)];
  const results = await runCandidateChecks(tools, { ...candidate, criteria });
  if (results === "stopped") return { kind: "again" };
  const asked = await findApproval(tools, delegation, "criterion");
  const { id, sessionId, agent, parent } = delegation;
  const decisions = readDecisions(criteria, { asked, manager: parent });
  const worker = [id, sessionId, ...(agent === null ? [] : [agent])];
  const baseline = results.filter(({ meaning }) => meaning === "red-before");
  const judgement = judgeWork({ criteria, results, decisions, worker, baseline });
  const open = judgement.criteria.filter((one) => judgement.blocking.includes(one.id) && isForPeople(one));
  const isUndecided = open.length > 0 && open.length === judgement.blocking.length;
  if (!isUndecided || (asked !== undefined && asked.answer !== null)) return { kind: "judged", judgement };
  const question = `Is this met? ${open.map(({ text }) => text).join("; ")}`;
  await askOncePerAttempt(tools, delegation, {
    kind: "criterion",
    question,
    details: open.map(({ text }) => text),
  });
  return { kind: "waiting" };
}

/** No program can check it, and no one has decided it yet. */
function isForPeople({ check, verdict }: Criterion): boolean {
  return verdict === "unverified" && (check === undefined || "manual" in check);
}

/** One answer covers everything that was asked; it never changes the result of a check. */
function readDecisions(
  criteria: readonly Criterion[],
  { asked, manager }: { readonly asked: Approval | undefined; readonly manager: string | null },
): readonly Decision[] {
  if (asked === undefined || asked.answer === null || asked.answer === "expired") return [];
  const verdict = asked.answer === "rejected" ? "failed" : "passed";
  const isManager = manager !== null && asked.answeredBy === manager;
  const by = { role: isManager ? "manager" : "person", id: asked.answeredBy ?? "person" } as const;
  return criteria
    .filter((criterion) => criterion.check === undefined || "manual" in criterion.check)
    .map(({ id }) => ({
      criterionId: id,
      verdict,
      by,
      reason: asked.reason === "" ? "approved without a reason" : asked.reason,
    }));
}

/** Work that fails its checks stays on its branch; if the project allows it, the worker gets another attempt. */
async function refuseWork(tools: RunTools, delegation: Delegation, judgement: Judgement): Promise<Proof> {
  const { id, filesChanged } = delegation;
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
  const summary = `${why}\nIts work stays on delegation/${id}.`;
  return closeWith({ outcome: "partial", code, summary: summary.slice(0, 4000), filesChanged });
}

function readOutcome(status: string | null): Settlement["outcome"] {
  return status === "partial" || status === "blocked" ? status : "failed";
}
