import { DelegationError } from "../../../base/delegation-error.ts";
import type { Delegation, StoreReader, Story } from "../../../journal/store.ts";
import { isLedWithoutAgent } from "../../../orchestrator/delegation-kind.ts";
import { storyBranchOf, storyRefOf } from "../../../workspace/branch-names.ts";
import { readBranch } from "../../../workspace/look-up.ts";
import type { Repository } from "../../../workspace/repository.ts";
import { eventsOfType, readEvents } from "../see/read-events.ts";
import { criteriaRows, unmetRows } from "../../../orchestrator/criteria-rows.ts";

/** A story's work as it can be merged, and what about it nobody has proven. */
export interface Mergeable {
  readonly story: string;
  readonly title: string;
  readonly tip: string;
  /** The branch of ours that stands there. */
  readonly source: string;
  readonly unproven: readonly string[];
}

export interface MergeQuestion {
  readonly reader: StoreReader | undefined;
  readonly story: Story;
  /** Whether a story that is not completed may be merged all the same. */
  readonly partial: boolean;
}

/**
 * Finds what there is to merge of a story; undefined when it changed nothing. A story that is not completed is refused,
 * with what is unproven, unless a part of it is asked for.
 */
export async function findMergeable(
  repository: Repository,
  { reader, story, partial }: MergeQuestion,
): Promise<Mergeable | undefined> {
  const root = await reader?.delegation(story.id);
  if (reader === undefined || root === undefined) return undefined;
  const branch = await readBranch(repository, storyRefOf(story.id));
  const isCompleted = root.outcome === "completed" || (await isSoFarCompleted(reader, root));
  const unproven = isCompleted ? [] : await unprovenOf(reader, root);
  if (!isCompleted && !partial) throw notCompleted(root, unproven);
  const tip = branch ?? (isCompleted ? null : root.tip);
  // What went on from earlier work brings that along, even where it added nothing to it.
  const isUnchanged = tip === root.base && root.work?.base === undefined;
  if (tip === null || isUnchanged) return undefined;
  const moved = branch === null ? [] : await movedByHand(reader, story.id, branch);
  const source = branch === null ? `delegation/${story.id}` : storyBranchOf(story.id);
  const all = branch === null ? ["none of it was merged into the story's branch", ...unproven] : unproven;
  return { story: story.id, title: story.title, tip, source, unproven: [...all, ...moved] };
}

/** A manager from outside stays there as long as its person likes; what its workers completed is proven all the same. */
async function isSoFarCompleted(reader: StoreReader, root: Delegation): Promise<boolean> {
  if (!isLedWithoutAgent(root) || root.state === "closed" || root.workers === 0) return false;
  const workers = (await reader.storyTree(root.story)).filter(({ parent }) => parent === root.id);
  return workers.every(({ outcome }) => outcome === "completed");
}

async function unprovenOf(reader: StoreReader, root: Delegation): Promise<readonly string[]> {
  const { id } = root;
  const events = await readEvents(reader, { delegation: id });
  const unmet = unmetRows(
    criteriaRows({ delegation: root, events, approvals: await reader.approvalsOf(id) }),
  );
  const workers = (await reader.storyTree(root.story)).filter(
    ({ parent, outcome }) => parent === id && outcome !== "completed",
  );
  return [
    ...unmet.map(({ text, verdict }) => `${verdict}: ${text}`),
    ...workers.map((worker) => `${worker.outcome ?? worker.state}: ${worker.id} (${worker.description})`),
  ];
}

/** Somebody may have committed to the story's branch since; that is their right, and nobody has proven it. */
async function movedByHand(reader: StoreReader, story: string, tip: string): Promise<readonly string[]> {
  const events = await readEvents(reader, { story });
  const proven = eventsOfType(events, "delegation-merged").findLast(
    ({ data }) => data.into === storyRefOf(story),
  );
  if (proven === undefined || proven.data.commit === tip) return [];
  return [`ambit/${story} was moved since it was proven at ${proven.data.commit.slice(0, 12)}`];
}

function notCompleted(root: Delegation, unproven: readonly string[]): DelegationError {
  const { id, state, outcome } = root;
  // Whoever led it from outside goes on where they are; there is nothing here to resume.
  const goOn = isLedWithoutAgent(root) ? "Have the rest delegated again" : `Go on with ambit resume ${id}`;
  const list = unproven.map((line) => `\n${line}`).join("");
  return new DelegationError({
    code: "MERGE_REFUSED",
    message: `${id} is not completed (${outcome ?? state}).${list}`,
    recommendation: `${goOn}, or merge what there is: ambit merge ${id} --partial`,
  });
}
