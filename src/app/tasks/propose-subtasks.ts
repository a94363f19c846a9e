import { DelegationError } from "../../base/delegation-error.ts";
import { randomBase36 } from "../../base/ids.ts";
import { taskListErrors } from "../../errors/work.ts";
import type { TaskStore } from "../../tasks/task-store.ts";
import type { NewSubtask, StoredTask } from "../../tasks/task.ts";
import { storyRefName } from "../../workspace/branch-names.ts";
import { readBranchCommit } from "../../workspace/look-up.ts";
import { readCommittedFile } from "../../workspace/read-file.ts";
import type { FollowedStory } from "../follow/story-ending.ts";
import type { AppContext } from "../project/app-context.ts";
import { openWorkspaces } from "../project/open-project.ts";
import { startStory } from "../run/start-story.ts";
import { findTask } from "./find-task.ts";
import { parseSubtasks } from "./parse-subtasks.ts";

interface DivisionWish {
  readonly task: string;
  readonly prompt: string;
  readonly agent: string | undefined;
}

interface Proposal {
  /** Undefined where the story did not complete. */
  readonly subtasks: readonly NewSubtask[] | undefined;
  /** How the agent's story ended. */
  readonly ended: FollowedStory;
}

const MAX_STORIES = 2;

/**
 * Lets an agent propose the subtasks of a task, in a story of its own. The task store judges the list before anything changes;
 * an unusable one goes back once, with the reason.
 */
export async function proposeSubtasks(
  context: AppContext,
  store: TaskStore,
  wish: DivisionWish,
): Promise<Proposal> {
  const task = findTask(store, wish.task);
  const file = `${store.findFolder(task)}/subtasks.json`;
  let reason = "";
  let source = file;
  for (let count = 1; count <= MAX_STORIES; count += 1) {
    const id = `T${task.id}-${randomBase36(4)}`;
    const ended = await startStory(context, buildRequest({ task, wish, file, reason, id }), {});
    if (ended.outcome !== "completed") return { subtasks: undefined, ended };
    source = `${file} of ${id}`;
    const subtasks = await readList(context, { id, file, source });
    reason = typeof subtasks === "string" ? subtasks : await judgeList(store, task.id, subtasks);
    if (reason === "" && typeof subtasks !== "string") return { subtasks, ended };
    context.warn(`the list of ${id} cannot be used: ${reason}`);
  }
  throw taskListErrors.unusableSubtasks(source, `cannot be used: ${reason}`);
}

interface Asked {
  readonly task: StoredTask;
  readonly wish: DivisionWish;
  readonly file: string;
  /** Why the list before this one cannot be used. */
  readonly reason: string;
  readonly id: string;
}

function buildRequest({ task, wish, file, reason, id }: Asked) {
  const { title, description, criteria } = task;
  const context = [
    `Task ${task.id}: ${title}`,
    description,
    ...criteria.map((text) => `- ${text}`),
    ...(wish.prompt.trim() === "" ? [] : [`Look at this when dividing: ${wish.prompt.trim()}`]),
    `Do not do the task. Write a JSON list of subtasks to ${file}, and change nothing else:`,
    '[{"title": "…", "description": "…", "language": "…", "priority": "high|medium|low", "effort": "…", "criteria": ["…"], "after": [1]}]',
    "Only title is required. after names earlier entries of the list, counted from 1, that must be done first.",
    ...(reason === "" ? [] : [`Your last list could not be used: ${reason}`]),
  ].filter((line) => line !== "");
  return {
    id,
    title: `Propose subtasks of task ${task.id}`,
    context: context.join("\n"),
    criteria: [{ text: `${file} holds the list`, check: { file } }],
    fileScope: [file],
    ...(wish.agent === undefined ? {} : { agent: wish.agent }),
  };
}

interface Written {
  readonly id: string;
  readonly file: string;
  readonly source: string;
}

/** Why the task cannot be divided like this; empty if it can. */
async function judgeList(store: TaskStore, task: string, subtasks: readonly NewSubtask[]): Promise<string> {
  const { status, failures } = await store.divide(task, { subtasks }, { dryRun: true });
  return status === "completed" ? "" : failures.map(({ message }) => message).join("; ");
}

/** The list on the story's branch, or why there is none. */
async function readList(
  context: AppContext,
  { id, file, source }: Written,
): Promise<readonly NewSubtask[] | string> {
  const { repository } = await openWorkspaces(context);
  const commit = await readBranchCommit(repository, storyRefName(id));
  const bytes = commit === null ? undefined : await readCommittedFile(repository, commit, file);
  if (bytes === undefined) return `${file} does not exist`;
  try {
    return parseSubtasks({ text: bytes.toString("utf8"), source });
  } catch (error) {
    if (error instanceof DelegationError) return error.message;
    throw error;
  }
}
