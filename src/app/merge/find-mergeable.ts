import { nameOutcome } from "../../contract/outcome.ts";
import { reviewErrors } from "../../errors/work.ts";
import type { Delegation, StoreReader, Story } from "../../journal/store.ts";
import { isLedWithoutAgent, readWorkflowFacts } from "../../orchestrator/delegation-kind.ts";
import { isWorkspaceId, storyBranchName, storyRefName } from "../../workspace/branch-names.ts";
import { readBranchCommit } from "../../workspace/look-up.ts";
import type { Repository } from "../../workspace/repository.ts";
import { findStoryProof } from "../project/find-story-proof.ts";
import { answeringCommands, readOpenQuestions, type OpenQuestion } from "../project/open-questions.ts";
import { eventsOfType, readEvents } from "../project/journal-events.ts";
import { buildCriteriaRows, listUnmetRows } from "../../orchestrator/criteria-rows.ts";

/** A story's work as it can be merged, and what is not proven about it. */
export interface Mergeable {
  readonly story: string;
  readonly title: string;
  readonly tip: string;
  /** Ambit's branch at the tip. */
  readonly source: string;
  readonly unproven: readonly string[];
}

export interface MergeQuestion {
  readonly reader: StoreReader | undefined;
  readonly story: Story;
  /** Merge a story that is not completed, too. */
  readonly partial: boolean;
}

/**
 * Finds the work of a story that can be merged; undefined if it changed nothing. Refuses a story that is not completed
 * and names the unproven criteria, unless the caller asked for a partial merge.
 */
export async function findMergeable(
  repository: Repository,
  { reader, story, partial }: MergeQuestion,
): Promise<Mergeable | undefined> {
  const root = await reader?.delegation(story.id);
  if (reader === undefined || root === undefined) return undefined;
  const branch = await readBranchCommit(repository, storyRefName(story.id));
  const isCompleted = root.outcome === "completed" || (await isSoFarCompleted(reader, root));
  const unproven = isCompleted ? await findUnchecked(reader, root) : await findUnproven(reader, root);
  const question = isCompleted || partial ? undefined : await findQuestionIn(reader, story.id);
  if (question !== undefined)
    throw reviewErrors.storyWaits(story.id, {
      question: question.approval.question,
      commands: answeringCommands(question),
    });
  if (!isCompleted && !partial)
    throw reviewErrors.storyNotCompleted({ ...root, isOutside: isLedWithoutAgent(root), unproven });
  const tip = branch ?? (isCompleted ? null : root.tip);
  // A story that continued earlier work brings that along, even if it added nothing.
  const isUnchanged = tip === root.base && root.work?.base === undefined;
  if (tip === null || isUnchanged) return undefined;
  const moved = branch === null ? [] : await findMovedByHand(reader, root, branch);
  const source = branch === null ? `delegation/${story.id}` : storyBranchName(story.id);
  const all = branch === null ? ["none of it was merged into the story's branch", ...unproven] : unproven;
  return { story: story.id, title: story.title, tip, source, unproven: [...all, ...moved] };
}

/** The oldest question of a story that waits for a person. */
async function findQuestionIn(reader: StoreReader, story: string): Promise<OpenQuestion | undefined> {
  const open = await readOpenQuestions(reader);
  return open.find(({ delegation }) => delegation.story === story);
}

/** The branch of a story that no readable store knows; undefined where there is none. */
export async function findInGit(repository: Repository, story: string): Promise<Mergeable | undefined> {
  if (!isWorkspaceId(story)) return undefined;
  const tip = await readBranchCommit(repository, storyRefName(story));
  if (tip === null) return undefined;
  const source = storyBranchName(story);
  return {
    story,
    title: story,
    tip,
    source,
    unproven: ["what was proven: no readable store knows this story"],
  };
}

/** An external manager stays open as long as its person likes; the work that its workers completed is proven anyway. */
async function isSoFarCompleted(reader: StoreReader, root: Delegation): Promise<boolean> {
  if (!isLedWithoutAgent(root) || root.state === "closed" || root.workers === 0) return false;
  const workers = (await reader.storyTree(root.story)).filter(({ parent }) => parent === root.id);
  return workers.every(({ outcome }) => outcome === "completed");
}

/** Completed work may be merged without a check, but not without a word. */
async function findUnchecked(reader: StoreReader, root: Delegation): Promise<readonly string[]> {
  const proof = findStoryProof(root, await reader.storyTree(root.story));
  return proof === "unchecked" ? ["no check ran for this work"] : [];
}

async function findUnproven(reader: StoreReader, root: Delegation): Promise<readonly string[]> {
  const { id } = root;
  const events = await readEvents(reader, { delegation: id });
  const unmet = listUnmetRows(
    buildCriteriaRows({ delegation: root, events, approvals: await reader.approvalsOf(id) }),
  );
  const workers = (await reader.storyTree(root.story)).filter(
    ({ parent, outcome }) => parent === id && outcome !== "completed",
  );
  return [
    ...unmet.map(({ text, verdict }) => `${verdict}: ${text}`),
    ...workers.map(
      (worker) => `${nameOutcome(worker.outcome ?? worker.state)}: ${worker.id} (${worker.description})`,
    ),
  ];
}

/** A person may have committed to the story's branch since it was proven. */
async function findMovedByHand(
  reader: StoreReader,
  root: Delegation,
  tip: string,
): Promise<readonly string[]> {
  // A workflow command marks the proven phases of its plan on top of them.
  if (readWorkflowFacts(root) !== undefined && root.tip === tip) return [];
  const { story } = root;
  const events = await readEvents(reader, { story });
  const proven = eventsOfType(events, "delegation-merged").findLast(
    ({ data }) => data.into === storyRefName(story),
  );
  if (proven === undefined || proven.data.commit === tip) return [];
  return [`ambit/${story} was moved since it was proven at ${proven.data.commit.slice(0, 12)}`];
}
