import type { Delegation } from "../../journal/store.ts";
import type { ComparedResult } from "../../verification/compare-base.ts";
import type { Judgement } from "../../verification/judge.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { moved, type Step } from "../ports/step.ts";
import { mergeVerified } from "../verified/merge-work.ts";
import { formGroup, type GroupMember } from "./form-group.ts";
import { judgeResults } from "./judge-results.ts";
import { recordProof } from "./record-proof.ts";
import { compareResults } from "./compare-results.ts";
import { recordResults } from "./run-candidate-checks.ts";
import { runGroupChecks } from "./run-group-checks.ts";
import type { BranchHold } from "./waiting-line.ts";

/**
 * Proves the work of several workers with one run of their checks, on the tree that has all of it. If every worker's work
 * is accepted there, the branch moves to that tree and each has the commits and events it would have alone. If not, half
 * of them are tried, down to one, which is proven alone. Undefined if the first has to be proven alone.
 */
export async function settleTogether(
  tools: RunTools,
  first: Delegation,
  { signal, line }: BranchHold,
): Promise<Step | undefined> {
  for (;;) {
    const group = await formGroup(tools, first, line);
    if (signal.aborted) return moved;
    if (group.length < 2) return undefined;
    const ids = group.map(({ delegation }) => delegation.id);
    const proven = await proveGroup(tools, group, AbortSignal.any([signal, ...line.signalsOf(ids)]));
    if (signal.aborted) return moved;
    if (proven === "red") line.noteRed(ids);
    else if (proven !== "stopped" && (await areStillReturned(tools, ids))) {
      line.noteGreen(ids);
      return mergeGroup(tools, proven);
    }
  }
}

interface ProvenMember extends GroupMember {
  readonly results: readonly ComparedResult[];
  readonly judgement: Judgement;
}

async function proveGroup(
  tools: RunTools,
  group: readonly GroupMember[],
  signal: AbortSignal,
): Promise<readonly ProvenMember[] | "red" | "stopped"> {
  const found = await runGroupChecks(tools, group, signal);
  if (found === "stopped") return found;
  const checkedOn = group.at(-1)?.commit ?? "";
  const proven: ProvenMember[] = [];
  for (const member of group) {
    const { delegation, criteria } = member;
    const results = await compareResults(tools, {
      ...member,
      commit: checkedOn,
      results: found.get(member) ?? [],
    });
    const { judgement } = await judgeResults(tools, { delegation, criteria, results });
    if (!judgement.isAccepted) return "red";
    proven.push({ ...member, results, judgement });
  }
  return proven;
}

/** If a member was stopped meanwhile, the checked tree still contains its work. */
async function areStillReturned(tools: RunTools, ids: readonly string[]): Promise<boolean> {
  const members = await Promise.all(ids.map((id) => tools.store.delegation(id)));
  return members.every((one) => one?.state === "returned" && !one.cancelRequested);
}

/** The branch moves once all of them are verified; until then a crash leaves nothing that could be merged. */
async function mergeGroup(tools: RunTools, group: readonly ProvenMember[]): Promise<Step> {
  const checkedOn = group.at(-1)?.commit ?? "";
  for (const { delegation, results } of group) await recordResults(tools, delegation, results);
  for (const member of group) await recordProof(tools, { ...member, checkedOn });
  const steps: Step[] = [];
  for (const { delegation } of group) {
    const newest = await tools.store.delegation(delegation.id);
    steps.push(newest?.state === "verified" ? await mergeVerified(tools, newest) : moved);
    // If the branch did not move, the others find out in their turn.
    if ((await tools.store.delegation(delegation.id))?.state !== "merged") break;
  }
  return steps[0] ?? moved;
}
