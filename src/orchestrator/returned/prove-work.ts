import type { Criterion } from "../../contract/task.ts";
import type { Approval, Delegation, Settlement } from "../../journal/store.ts";
import { checksToKeepGreen, type RatchetCheck } from "../../verification/ratchet.ts";
import { judge, type Decision, type Judgement } from "../../verification/judge.ts";
import { askOnce, findApproval } from "../approvals/ask-approval.ts";
import { broughtWork, commitTime, mergeTarget, type ManagerHead } from "../delegation/manager-branch.ts";
import { acceptedChecks } from "./accepted-checks.ts";
import { runCandidateChecks, type CandidateChecks } from "./run-candidate-checks.ts";
import type { Proof } from "./proof.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { gateScope, judgeChanges } from "./gate-scope.ts";
import { mayTurn, retryStep } from "../running/judge/next-step.ts";

/**
 * Proves returned work before any branch moves: inside its scope, merged without contradiction, and every required
 * criterion green on the merged tree, those of others that were accepted earlier included. Nothing the worker wrote
 * is asked. May be done again from the start after a crash, or after a stop that the signal told of.
 */
export async function proveWork(
  tools: RunTools,
  delegation: Delegation,
  signal?: AbortSignal,
): Promise<Proof> {
  const { returnStatus, summary, filesChanged } = delegation;
  if (returnStatus !== "completed")
    return close({ outcome: outcomeOf(returnStatus), summary, filesChanged: [...filesChanged] });
  const target = await mergeTarget(tools, delegation);
  const candidate = await makeCandidate(tools, delegation, target);
  if (candidate.kind === "conflict") return handBack(tools, delegation, candidate.files);
  const { commit } = candidate;
  const { branchTip } = target;
  const scope = await judgeChanges(tools, delegation, { from: target.commit, to: commit, branchTip });
  const gate = await gateScope(tools, delegation, scope);
  if (gate !== undefined) return gate;
  const changedFiles = scope?.filesChanged.map(({ path }) => path) ?? [];
  const unresolved = wasInConflict(delegation) ? await tools.git.findMarkers(commit, changedFiles) : [];
  if (unresolved.length > 0) return handBack(tools, delegation, unresolved);
  const accepted = await acceptedChecks(tools, delegation, branchTip);
  const ratchet = checksToKeepGreen(accepted, delegation.work?.criteria ?? []);
  const judged = await judgeCandidate(tools, { delegation, commit, ratchet, changedFiles, signal });
  if (judged.kind !== "judged") return judged;
  const { judgement } = judged;
  if (!judgement.isAccepted) return refuse(tools, delegation, judgement);
  const { id, story, attempt } = delegation;
  await tools.store.record({
    type: "delegation-verified",
    story,
    delegation: id,
    attempt,
    data: {
      passed: judgement.passed.length,
      failed: judgement.failed.length,
      unverified: judgement.unverified.length,
      waived: [...judgement.waived],
      candidate: commit === target.branchTip ? null : commit,
      onto: target.branchTip,
      filesChanged: changedFiles,
    },
  });
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
  const brought = await broughtWork(tools, delegation);
  if (brought.own !== undefined && brought.own.conflicts.length > 0)
    return { kind: "conflict", files: brought.own.conflicts };
  const tip = brought.tip ?? target.commit;
  if (await tools.git.contains(target.commit, tip)) return { kind: "commit", commit: target.commit };
  if (await tools.git.contains(tip, target.commit))
    return { kind: "commit", commit: await tidy(tools, { ...delegation, tip }, target.commit) };
  const merge = await tools.git.merge(target.commit, tip);
  if (merge.status === "conflict") return { kind: "conflict", files: merge.files };
  const message = `Merge ${delegation.id}: ${delegation.description}\n`;
  const parents = [target.commit, tip];
  const timeSeconds = commitTime(delegation);
  const commit = await tools.git.commit({ tree: merge.tree, parents, message, timeSeconds });
  return { kind: "commit", commit };
}

/** A conflict was resolved on top of a commit with markers in it, which is nothing to keep in a history. */
async function tidy(tools: RunTools, delegation: Delegation, onto: string): Promise<string> {
  const { tip, description, id } = delegation;
  if (tip === null || !wasInConflict(delegation)) return tip ?? onto;
  const message = `${description}\n\nDelegation: ${id}\n`;
  const tree = await tools.git.treeOf(tip);
  return tools.git.commit({ tree, parents: [onto], message, timeSeconds: commitTime(delegation) });
}

function wasInConflict({ turn }: Delegation): boolean {
  return (turn.counts.conflict ?? 0) > 0;
}

/** A conflict goes back to its worker once; then the manager hears of it, with the files. */
async function handBack(tools: RunTools, delegation: Delegation, files: readonly string[]): Promise<Proof> {
  const { id, story, attempt } = delegation;
  const message = `Contradicts what is already merged, in ${files.length} file(s).`;
  const data = { code: "MERGE_CONFLICT", message, files: [...files] };
  await tools.store.record({ type: "merge-refused", story, delegation: id, attempt, data });
  if (mayTurn(delegation, "conflict")) {
    const reason = `Conflict in ${files.join(", ")}`;
    await tools.store.record({
      type: "attempt-retried",
      story,
      delegation: id,
      attempt,
      data: { reason, kind: "conflict" },
    });
    return { kind: "again" };
  }
  const summary = `${message} ${files.join(", ")}. Its work stays on delegation/${id}.`;
  return close({
    outcome: "partial",
    code: "MERGE_CONFLICT",
    summary,
    filesChanged: delegation.filesChanged,
  });
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
  const decisions = decisionsFrom(criteria, { asked, manager: parent });
  const worker = [id, sessionId, ...(agent === null ? [] : [agent])];
  const judgement = judge({ criteria, results, decisions, worker });
  const open = judgement.criteria.filter((one) => judgement.blocking.includes(one.id) && isForPeople(one));
  const isUndecided = open.length > 0 && open.length === judgement.blocking.length;
  if (!isUndecided || (asked !== undefined && asked.answer !== null)) return { kind: "judged", judgement };
  const question = `Is this met? ${open.map(({ text }) => text).join("; ")}`;
  await askOnce(tools, delegation, { kind: "criterion", question, details: open.map(({ text }) => text) });
  return { kind: "waiting" };
}

/** No program can tell, and nobody has said so yet. */
function isForPeople({ check, verdict }: Criterion): boolean {
  return verdict === "unverified" && (check === undefined || "manual" in check);
}

/** One answer covers all that was asked; what a check found is not changed by it. */
function decisionsFrom(
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

/** Red work stays on its branch; where the project allows it the worker gets another try, told what is red. */
async function refuse(tools: RunTools, delegation: Delegation, judgement: Judgement): Promise<Proof> {
  const { id, story, attempt } = delegation;
  const why = judgement.why.join("\n");
  const again = retryStep(delegation, await tools.settings(), why);
  if (again?.kind === "again" && judgement.failed.length > 0) {
    const data = { reason: why, kind: again.turn, afterMs: again.afterMs };
    await tools.store.record({ type: "attempt-retried", story, delegation: id, attempt, data });
    return { kind: "again" };
  }
  const code =
    judgement.failed.length === 0
      ? "CRITERION_UNVERIFIED"
      : judgement.failed.some((failed) => failed.startsWith("kept-"))
        ? "RATCHET_BROKEN"
        : "CRITERION_FAILED";
  const summary = `${why}\nIts work stays on delegation/${id}.`;
  return close({
    outcome: "partial",
    code,
    summary: summary.slice(0, 4000),
    filesChanged: delegation.filesChanged,
  });
}

function outcomeOf(status: string | null): Settlement["outcome"] {
  return status === "partial" || status === "blocked" ? status : "failed";
}

function close(settlement: Settlement): Proof {
  return { kind: "close", settlement };
}
