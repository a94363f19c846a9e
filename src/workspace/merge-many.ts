import { availableParallelism } from "node:os";
import { readTreeOf } from "./git/commit-tree.ts";
import { type MergeContext, type MergeNote, mergeTips } from "./merge.ts";
import { type AttributesFile, isAttributesPath, readAttributes } from "./merge/attributes.ts";
import { buildTree } from "./merge/build-tree.ts";
import { readChangeLists, type TreeChange } from "./merge/change-list.ts";
import { makeCommit } from "./merge/make-commit.ts";
import { type PlanFacts, planMerges } from "./merge/plan-merges.ts";
import { mayRenamesMatter } from "./merge/rename-doubts.ts";
import { conflictOf, runMergeTree } from "./merge/run-merge-tree.ts";
import { readTopology, type TipPlace } from "./merge/topology.ts";
import type { Repository } from "./repository.ts";

export interface ManyTips {
  readonly into: string;
  /** In the order in which they are merged. */
  readonly tips: readonly string[];
  /** Makes a commit of the outcome as well, as `commitCandidate` would; cheaper than afterwards. */
  readonly commit?: {
    readonly message: (merged: readonly string[]) => string;
    readonly timeSeconds: number;
  };
}

export type TipOutcome =
  | { readonly status: "merged"; readonly tip: string }
  /** All of it was in the target already. */
  | { readonly status: "contained"; readonly tip: string }
  | {
      readonly status: "conflict";
      readonly tip: string;
      readonly files: readonly string[];
      readonly notes: readonly MergeNote[];
    };

export interface ManyMerged {
  /** What the target becomes with everything that could be merged. */
  readonly tree: string;
  /** Where one was asked for and anything was merged: its parents are the target and all tips that were merged. */
  readonly commit: string | undefined;
  /** One per tip, in their order. */
  readonly outcomes: readonly TipOutcome[];
}

/**
 * Merges many tips at once. Tree and conflicts are those of as many `git merge` in the same order, where a merge that
 * conflicts is left out; git's merge itself runs only for tips that could have something to do with one another.
 */
export async function mergeMany(context: MergeContext, request: ManyTips): Promise<ManyMerged> {
  const { into, tips } = request;
  const { repository } = context;
  // Most tips start from the target itself, so their changes are read as if all did while that is being found out.
  const [places, guesses] = await Promise.all([
    readTopology(repository, into, tips),
    readChangeLists(
      repository,
      tips.map((tip) => ({ from: into, to: tip })),
    ),
  ]);
  if (places.some(({ kind }) => kind === "complex")) return mergeInOrder(context, request);
  const facts = await readFacts(repository, request, { places, guesses });
  const changed = facts.tips.flatMap(({ changes }) => changes);
  // What the next merge does would depend on what the last one brought.
  if (changed.some(({ path }) => isAttributesPath(path))) return mergeInOrder(context, request);
  const { outcomes, changes, tree } = await mergeByPlan(context, facts);
  const all = inOrder(tips, places, outcomes);
  return { outcomes: all, ...(await finish(context, request, { outcomes: all, changes, tree })) };
}

interface NamedFacts extends PlanFacts {
  readonly names: readonly string[];
}

interface Findings {
  readonly places: readonly TipPlace[];
  /** What each tip changes against the target. */
  readonly guesses: readonly (readonly TreeChange[])[];
}

async function readFacts(
  repository: Repository,
  { into, tips }: ManyTips,
  { places, guesses }: Findings,
): Promise<NamedFacts> {
  const fresh = tips.flatMap((tip, index) => {
    const place = places[index];
    return place?.kind === "simple" ? [{ tip, base: place.base, guess: guesses[index] ?? [] }] : [];
  });
  const behind = fresh.filter(({ base }) => base !== into);
  const bases = [...new Set(behind.map(({ base }) => base))];
  const lists = await readChangeLists(repository, [
    ...behind.map(({ tip, base }) => ({ from: base, to: tip })),
    ...bases.map((base) => ({ from: base, to: into })),
  ]);
  const changesOf = new Map(behind.map(({ tip }, index) => [tip, lists[index] ?? []]));
  return {
    into,
    names: fresh.map(({ tip }) => tip),
    tips: fresh.map(({ tip, base, guess }) => ({ base, changes: changesOf.get(tip) ?? guess })),
    sinceBase: new Map(bases.map((base, index) => [base, lists[behind.length + index] ?? []])),
  };
}

interface Merged {
  readonly outcomes: readonly TipOutcome[];
  /** Against the target; not known where the tree is. */
  readonly changes: readonly TreeChange[];
  readonly tree: string | undefined;
}

async function mergeByPlan(context: MergeContext, facts: NamedFacts): Promise<Merged> {
  const { into, tips, names } = facts;
  const { repository } = context;
  const plan = planMerges(facts, await mayRenamesMatter(repository, facts));
  const attributes = plan.groups.length === 0 ? [] : await readAttributes(repository, into);
  const groups = await mapLimited(plan.groups, (group) => mergeGroup(context, { facts, group, attributes }));
  const known = new Map(groups.flatMap((group) => [...group.outcomes]));
  const outcomes = names.map((tip, index) => known.get(index) ?? ({ status: "merged", tip } as const));
  const [only] = groups;
  if (plan.plain.length === 0 && groups.length === 1 && only?.tree !== undefined)
    return { outcomes, changes: [], tree: only.tree };
  const changes = [
    ...plan.plain.flatMap((index) => tips[index]?.changes ?? []),
    ...groups.flatMap((group) => group.changes),
    ...(await readGroupChanges(context, into, groups)),
  ];
  return { outcomes, changes, tree: undefined };
}

/** One git makes the tree and the commit where there is anything to make. */
async function finish(
  context: MergeContext,
  { into, commit }: ManyTips,
  { outcomes, changes, tree }: Merged,
): Promise<Pick<ManyMerged, "commit" | "tree">> {
  const { repository } = context;
  const others = outcomes.filter(({ status }) => status === "merged").map(({ tip }) => tip);
  const wanted =
    commit === undefined || others.length === 0
      ? undefined
      : { others, message: commit.message(others), timeSeconds: commit.timeSeconds };
  if (tree === undefined && changes.length > 0)
    return buildTree(context, { onto: into, changes, ...(wanted === undefined ? {} : { commit: wanted }) });
  const whole = tree ?? (await readTreeOf(repository, into));
  if (wanted === undefined) return { tree: whole, commit: undefined };
  const parents = [into, ...others];
  return { tree: whole, commit: await makeCommit(repository, { tree: whole, parents, ...wanted }) };
}

interface GroupRequest {
  readonly facts: NamedFacts;
  readonly group: readonly number[];
  readonly attributes: readonly AttributesFile[];
}

interface MergedGroup {
  /** What came out where git merged something. */
  readonly tree: string | undefined;
  /** The changes of a tip that could be taken as it is, where nothing else was merged. */
  readonly changes: readonly TreeChange[];
  readonly outcomes: ReadonlyMap<number, TipOutcome>;
}

/** One after the other, starting from the target alone. */
async function mergeGroup(context: MergeContext, request: GroupRequest): Promise<MergedGroup> {
  const { facts, group, attributes } = request;
  const outcomes = new Map<number, TipOutcome>();
  let changes: readonly TreeChange[] = [];
  let tree: string | undefined;
  let ours = facts.into;
  /** What is merged so far becomes a commit only where another one is to be merged into it. */
  let parents: readonly string[] = [];
  for (const index of group) {
    const tip = facts.names[index] ?? "";
    if (outcomes.size === 0 && facts.tips[index]?.base === facts.into) {
      changes = facts.tips[index]?.changes ?? [];
      ours = tip;
      outcomes.set(index, { status: "merged", tip });
    } else {
      if (tree !== undefined && parents.length > 0) ours = await commitStep(context, tree, parents);
      parents = [];
      const merged = await runMergeTree(context, { ours, theirs: tip, attributes });
      const conflict = { status: "conflict", tip, ...conflictOf(merged) } as const;
      outcomes.set(index, merged.isClean ? { status: "merged", tip } : conflict);
      if (merged.isClean) [tree, parents, changes] = [merged.tree, [ours, tip], []];
    }
  }
  return { tree, changes, outcomes };
}

/** Only its tree and its place in history matter; nobody sees it. */
function commitStep({ repository }: MergeContext, tree: string, parents: readonly string[]): Promise<string> {
  return makeCommit(repository, { tree, parents, message: "", timeSeconds: 0 });
}

async function readGroupChanges(
  { repository }: MergeContext,
  into: string,
  groups: readonly MergedGroup[],
): Promise<readonly TreeChange[]> {
  const trees = groups.flatMap(({ tree }) => tree ?? []);
  if (trees.length === 0) return [];
  const from = await readTreeOf(repository, into);
  const lists = await readChangeLists(
    repository,
    trees.map((to) => ({ from, to, areTrees: true })),
  );
  return lists.flat();
}

/** The slow way, for histories that share commits with one another and for tips that change what merging means. */
async function mergeInOrder(context: MergeContext, request: ManyTips): Promise<ManyMerged> {
  const outcomes: TipOutcome[] = [];
  let ours = request.into;
  for (const tip of request.tips) {
    const merged = await mergeTips(context, { ours, theirs: tip });
    if (merged.status === "conflict") {
      const { status, files, notes } = merged;
      outcomes.push({ status, tip, files, notes });
    } else if (merged.isContained) outcomes.push({ status: "contained", tip });
    else {
      ours = merged.isFastForward ? tip : await commitStep(context, merged.tree, [ours, tip]);
      outcomes.push({ status: "merged", tip });
    }
  }
  const tree = await readTreeOf(context.repository, ours);
  return { outcomes, ...(await finish(context, request, { outcomes, changes: [], tree })) };
}

function inOrder(
  tips: readonly string[],
  places: readonly TipPlace[],
  outcomes: readonly TipOutcome[],
): readonly TipOutcome[] {
  const waiting = [...outcomes];
  return tips.map((tip, index) =>
    places[index]?.kind === "simple"
      ? (waiting.shift() ?? { status: "contained", tip })
      : { status: "contained", tip },
  );
}

/** As many at once as there are cores, and the answers in order. */
async function mapLimited<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  const waiting = [...items.entries()];
  const runOne = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results.set(next[0], await work(next[1]));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runOne));
  return items.flatMap((_, index) => results.get(index) ?? []);
}
