import { posix } from "node:path";
import type { Criterion } from "../../contract/task.ts";
import type { Delegation, Store } from "../../journal/store.ts";
import { type BaseRules, compareWithBase, type ComparedResult } from "../../verification/compare-base.ts";
import type { Ratchet } from "../../verification/ratchet.ts";
import type { CheckResult } from "../../verification/run-checks.ts";
import { isLedWithoutAgent } from "../delegation/kind.ts";
import type { BaseChecks } from "../ports/base-checks.ts";
import type { GitTools } from "../ports/git-tools.ts";
import type { CheckSettings, RunTools } from "../ports/run-tools.ts";

const MAX_BASE_WAIT_MS = 60_000;

export interface CheckedWork {
  readonly delegation: Delegation;
  /** The commit that was checked. */
  readonly commit: string;
  readonly results: readonly CheckResult[];
  readonly changedFiles: readonly string[];
  /** The checks for which work on the same branch was accepted before. */
  readonly accepted: Ratchet;
}

/** The tools that the comparison reads with. */
interface ComparisonTools extends Pick<RunTools, "baseChecks"> {
  readonly store: Pick<Store, "delegation">;
  readonly git: Pick<GitTools, "probeFiles" | "treeOf">;
  readonly settings: () => Promise<{ readonly checks: Pick<CheckSettings, "base"> }>;
}

/**
 * Gives red and green their meaning, compared with the tree that the work started from. Checks that other workers made
 * green meanwhile do not count as this worker's: they passed before its work was merged.
 */
export async function compareResults(
  tools: ComparisonTools,
  work: CheckedWork,
): Promise<readonly ComparedResult[]> {
  const { delegation, results } = work;
  const { baseChecks } = tools;
  const { checks } = await tools.settings();
  if (baseChecks === undefined || !checks.base || !results.some(isComparable)) return results;
  const rules = await readRules(tools, delegation);
  // A rule needs the answer; otherwise a base that takes much longer than the work is left out.
  const isNeeded = rules.story.allowRedBase || rules.story.proveRed;
  await baseChecks.wait(delegation, isNeeded ? delegation.timeoutSeconds * 1000 : MAX_BASE_WAIT_MS);
  const baseline = await findBaseline({ ...tools, baseChecks }, work, rules.story);
  await baseChecks.keep(delegation, work);
  const hasChanges = await hasChanged(tools, work);
  return results.flatMap((result) =>
    compareWithBase([result], {
      baseline,
      hasChanges,
      rules: rules.pick(result.criterion),
    }),
  );
}

/**
 * Workers are merged into the branch of their story before the story itself is checked, so their changes are its work.
 */
async function hasChanged({ git }: ComparisonTools, { delegation, commit, changedFiles }: CheckedWork) {
  if (changedFiles.length > 0) return true;
  const { parent, base } = delegation;
  return parent === null && base !== null && (await git.treeOf(base)) !== (await git.treeOf(commit));
}

function isComparable({ criterion: { check } }: CheckResult): boolean {
  return check !== undefined && ("command" in check || "file" in check);
}

/** Work that was accepted although it is red does not show that its check passed. */
async function findBaseline(
  { baseChecks, git }: Pick<ComparisonTools, "git"> & { readonly baseChecks: BaseChecks },
  { delegation, results, accepted }: CheckedWork,
  { allowRedBase }: BaseRules,
): Promise<readonly CheckResult[]> {
  const { base, parent } = delegation;
  const green = parent === null || allowRedBase ? [] : accepted.map(toPassed);
  if (base === null) return green;
  const criteria = results.map(({ criterion }) => criterion);
  const ofCommands = await baseChecks.results(delegation, { commit: base, criteria });
  return [...green, ...ofCommands, ...(await findFiles(git, base, criteria))];
}

/** Whether files existed there can be found out without a checkout. */
async function findFiles(
  git: ComparisonTools["git"],
  base: string,
  criteria: readonly Criterion[],
): Promise<readonly CheckResult[]> {
  const named = criteria.flatMap((criterion) => {
    const { check } = criterion;
    return check !== undefined && "file" in check
      ? [{ criterion, path: posix.normalize(check.file.trim()) }]
      : [];
  });
  if (named.length === 0) return [];
  const states = await git.probeFiles(
    base,
    named.map(({ path }) => path),
  );
  return named.map(({ criterion, path }) => {
    const isThere = states.get(path) === "file";
    const verdict = isThere ? "passed" : "failed";
    return { criterion, verdict, code: isThere ? null : "FILE_NOT_FOUND", evidence: "" };
  });
}

function toPassed({ check, owners }: Ratchet[number]): CheckResult {
  const { criterionId: id = "", text = "" } = owners[0] ?? {};
  const criterion = { id, text, check, required: true, verdict: "passed" } as const;
  return { criterion, verdict: "passed", code: null, evidence: "" };
}

interface StoryRules {
  readonly story: BaseRules;
  readonly pick: (criterion: Criterion) => BaseRules;
}

/** The rules of a story also apply to its workers. Only criteria that a person asked for must have been red. */
async function readRules(tools: ComparisonTools, delegation: Delegation): Promise<StoryRules> {
  const root = delegation.parent === null ? delegation : await tools.store.delegation(delegation.story);
  const allowRedBase = root?.work?.allowRedBase === true;
  const proveRed = root?.work?.proveRed === true;
  const isPersonal = root !== undefined && isLedWithoutAgent(root);
  const own = new Set((delegation.work?.criteria ?? []).map(({ id }) => id));
  const mustBeRed = ({ id, origin }: Criterion) => own.has(id) && (isPersonal || origin !== "worker");
  return {
    story: { allowRedBase, proveRed },
    pick: (criterion) => ({ allowRedBase, proveRed: proveRed && mustBeRed(criterion) }),
  };
}
