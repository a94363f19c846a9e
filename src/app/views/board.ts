import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { taskStatuses, taskTransitions, type TaskStatus } from "../../contract/task.ts";
import { openProjectTasks } from "../../orchestrator/project-tasks.ts";
import { openTaskReader, type TaskReaderOptions } from "../../tasks/read-tasks.ts";
import type { StoredTask } from "../../tasks/task.ts";
import { applyHandEdits, describeHandEdit } from "./hand-edits.ts";
import type { GitHost } from "../../workspace/repository.ts";
import type { Board, BoardColumn, TaskCard } from "./types/board.ts";
import type { Problem } from "./types/common.ts";

const columns: readonly BoardColumn[] = [
  { id: "open", title: "To do", statuses: ["not_started", "researched", "planned", "revised", "unknown"] },
  {
    id: "working",
    title: "In progress",
    // A divided task is worked on through its subtasks.
    statuses: ["researching", "planning", "revising", "implementing", "partial", "expanded"],
  },
  { id: "waiting", title: "Waiting", statuses: ["blocked", "on_hold"] },
  { id: "done", title: "Done", statuses: ["completed"] },
  { id: "closed", title: "Closed", statuses: ["abandoned"] },
];

export interface BoardPlace extends TaskReaderOptions {
  readonly host: GitHost;
}

/** The task list of the project as it is in its files now, with what was edited in them by hand since they agreed. */
export async function readBoard(place: BoardPlace): Promise<Board> {
  try {
    const agreed = openTaskReader(place).list({ place: "active" });
    const { imported, log } = await planTakeover(place);
    const cards = applyHandEdits(agreed.map(describeCard), imported);
    const differences = [...imported.map(describeHandEdit), ...log];
    return { columns, tasks: cards.map((card) => completeCard(card, cards)), differences, problem: null };
  } catch (error) {
    return { columns, tasks: [], differences: [], problem: describeProblem(error) };
  }
}

/** Planned only: nothing is taken over by looking. */
async function planTakeover({ projectRoot, dir, host }: BoardPlace): Promise<Takeover> {
  return openProjectTasks({ projectRoot, dir, host }).refresh({ dryRun: true });
}

type Takeover = Awaited<ReturnType<ReturnType<typeof openProjectTasks>["refresh"]>>;

function describeCard(task: StoredTask): TaskCard {
  return {
    id: task.id,
    number: task.number ?? null,
    title: task.title,
    description: task.description,
    status: task.status,
    priority: task.priority,
    language: task.language,
    parent: task.parent ?? null,
    subtasks: task.subtasks,
    subtasksDone: 0,
    dependencies: task.dependencies.map((id) => ({ id, isDone: false })),
    artifacts: task.artifacts.map(({ path }) => path),
    moves: listMoves(task.status),
    edited: [],
  };
}

/** Fills in the fields that depend on the other cards. */
function completeCard(card: TaskCard, all: readonly TaskCard[]): TaskCard {
  const statusOf = (id: string): string => all.find((other) => other.id === id)?.status ?? "";
  return {
    ...card,
    subtasksDone: card.subtasks.filter((id) => isDone(statusOf(id))).length,
    dependencies: card.dependencies.map(({ id }) => ({ id, isDone: isDone(statusOf(id)) })),
  };
}

/** A task that is not on the list has been archived, so it has ended. */
function isDone(status: string): boolean {
  return status === "completed" || status === "";
}

function listMoves(status: TaskStatus | "unknown"): readonly string[] {
  return status === "unknown" ? taskStatuses : taskTransitions[status];
}

function describeProblem(error: unknown): Problem {
  if (error instanceof DelegationError)
    return { code: error.code, message: error.message, recommendation: error.recommendation };
  return { code: "INTERNAL", message: readErrorMessage(error), recommendation: "Look at the task files." };
}
