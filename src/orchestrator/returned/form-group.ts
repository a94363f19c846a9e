import type { Criterion } from "../../contract/task.ts";
import type { Delegation } from "../../journal/store.ts";
import { listKeptChecks, type Ratchet } from "../../verification/ratchet.ts";
import { readCheckTrust } from "../checks/check-trust.ts";
import { findMergeTarget, type ManagerHead } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { acceptedChecks } from "./accepted-checks.ts";
import { judgeChanges } from "./gate-scope.ts";
import { makeCandidate, wasInConflict } from "./make-candidate.ts";
import type { WaitingLine } from "./waiting-line.ts";

/** Work that is proven together with other work: merged on top of the work before it, as if that were accepted. */
export interface GroupMember {
  readonly delegation: Delegation;
  readonly commit: string;
  readonly onto: string | null;
  readonly changedFiles: readonly string[];
  /** Its own criteria, and those for which everything before it was accepted. */
  readonly criteria: readonly Criterion[];
  /** The checks for which everything before it was accepted. */
  readonly accepted: Ratchet;
}

const MAX_TOGETHER = 50;

/**
 * Takes the first of the line and those right behind it whose work can be proven together with it: no person has to be
 * asked, and no two change the same file. It ends at the first that must be judged alone, so that everything is merged in
 * the order of the line, into the same commits. Fewer than two are not a group. Changes nothing.
 */
export async function formGroup(
  tools: RunTools,
  first: Delegation,
  line: WaitingLine,
): Promise<readonly GroupMember[]> {
  const limit = Math.min(line.limitFor(first.id), tools.maxTogether ?? MAX_TOGETHER);
  if (limit < 2 || line.isEmpty || first.parent === null) return [];
  const target = await findMergeTarget(tools, first);
  const group: GroupMember[] = [];
  for (const id of [first.id, ...line.listIds()]) {
    const delegation = await tools.store.delegation(id);
    const isNext = delegation !== undefined && isWaiting(delegation, first);
    const member = isNext ? await prepareMember(tools, delegation, { head: target, group }) : "passes-by";
    if (member === "passes-by" && group.length > 0) continue;
    if (member === "alone" || member === "passes-by") break;
    group.push(member);
    if (group.length >= limit) break;
  }
  return group.some(({ criteria }) => criteria.some(hasCommand)) ? group : [];
}

/** Whether it still waits: others in the line are closed without a merge, or are gone already. */
function isWaiting(one: Delegation, first: Delegation): boolean {
  return (
    one.state === "returned" &&
    !one.cancelRequested &&
    one.returnStatus === "completed" &&
    one.parent === first.parent
  );
}

interface GroupSoFar {
  /** The branch before the group is merged. */
  readonly head: ManagerHead;
  readonly group: readonly GroupMember[];
}

async function prepareMember(
  tools: RunTools,
  delegation: Delegation,
  soFar: GroupSoFar,
): Promise<GroupMember | "alone" | "passes-by"> {
  const { head, group } = soFar;
  const last = group.at(-1)?.commit;
  const target = last === undefined ? head : { ...head, branchTip: last, commit: last };
  const own = delegation.work?.criteria ?? [];
  if (target.conflicts.length > 0 || wasInConflict(delegation) || own.some(needsPerson)) return "alone";
  const candidate = await makeCandidate(tools, delegation, target);
  if (candidate.kind === "conflict") return "alone";
  const { commit } = candidate;
  const { branchTip } = target;
  if (commit === target.commit) return "passes-by";
  const scope = await judgeChanges(tools, delegation, { from: target.commit, to: commit, branchTip });
  const changedFiles = scope?.filesChanged.map(({ path }) => path) ?? [];
  if (scope?.isClear !== true || overlaps(group, changedFiles)) return "alone";
  const ahead = group.map((member) => member.delegation.id);
  const accepted = await acceptedChecks(tools, delegation, { branchTip, ahead });
  const kept = listKeptChecks(accepted, own).map(({ criterion }) => criterion);
  const member = { delegation, commit, onto: branchTip, changedFiles, criteria: [...own, ...kept], accepted };
  return (await isCheckedAlike(tools, group, member)) ? member : "alone";
}

function needsPerson({ required, check }: Criterion): boolean {
  return required && (check === undefined || "manual" in check);
}

function overlaps(group: readonly GroupMember[], paths: readonly string[]): boolean {
  const taken = new Set(group.flatMap(({ changedFiles }) => changedFiles));
  return paths.some((path) => taken.has(path));
}

/** The checks run in one place: it must be the right one for each of them, and no command may have two limits. */
async function isCheckedAlike(
  tools: RunTools,
  [first, ...others]: readonly GroupMember[],
  member: GroupMember,
): Promise<boolean> {
  if (first === undefined) return true;
  const [one, other] = await Promise.all([
    readCheckTrust(tools, first.delegation),
    readCheckTrust(tools, member.delegation),
  ]);
  const isSamePlace =
    one.holdsSandboxedWork === other.holdsSandboxedWork &&
    JSON.stringify(one.sandbox) === JSON.stringify(other.sandbox);
  const known = new Map([first, ...others].flatMap(({ criteria }) => criteria.flatMap(listCommand)));
  return (
    isSamePlace &&
    member.criteria
      .flatMap(listCommand)
      .every(([command, limits]) => (known.get(command) ?? limits) === limits)
  );
}

function hasCommand({ check }: Criterion): boolean {
  return check !== undefined && "command" in check;
}

function listCommand({ check }: Criterion): readonly (readonly [string, string])[] {
  if (check === undefined || !("command" in check)) return [];
  const { command, ...limits } = check;
  return [[command.trim(), JSON.stringify(limits)]];
}
