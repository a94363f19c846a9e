import { useState } from "react";
import type { Action, Board as BoardAnswer, BoardColumn, TaskCard } from "../../../app/view-types.ts";
import { askPerson, type Option } from "../frame/overlay.ts";
import { useQueryValue } from "../frame/route.ts";
import { perform } from "../live/actions.ts";
import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { useLook } from "../live/use-look.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Empty, Loading, ProblemNote } from "../parts/notices.tsx";
import { Outside } from "../parts/outside.tsx";
import { plural } from "../text/format.ts";
import { TaskCardView, type MoveTask } from "./task-card.tsx";
import { statusWord } from "../text/status-word.ts";

/** The tasks by status. A card moves by drag or by keyboard, after a confirmation. */
export function Board() {
  const { tasks: version } = useStore(liveProject);
  const look = useLook();
  const [filter, setFilter] = useQueryValue("q");
  const wanted = { url: "/api/tasks", fields: ["columns", "tasks"], version: version + look } as const;
  const { answer, problem, reload } = useAnswer<BoardAnswer>(wanted);
  const trouble = problem ?? answer?.problem ?? undefined;
  return (
    <div className="view fixed">
      <div className="view-head">
        <h1>Board</h1>
        <input
          type="search"
          className="field"
          aria-label="Filter tasks"
          placeholder="Filter…  /"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <button type="button" className="button" onClick={() => void addTask().then(reload)}>
          Add task…
        </button>
      </div>
      {trouble === undefined ? null : <ProblemNote problem={trouble} onRetry={reload} />}
      {answer === undefined ? (
        problem === undefined ? (
          <Loading what="the tasks" />
        ) : null
      ) : (
        <BoardBody board={answer} filter={filter} onChanged={reload} />
      )}
    </div>
  );
}

interface BoardBodyProps {
  readonly board: BoardAnswer;
  readonly filter: string;
  readonly onChanged: () => void;
}

function BoardBody({ board, filter, onChanged }: BoardBodyProps) {
  const { columns, tasks, differences } = board;
  const words = filter
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "");
  const shown = tasks.filter((task) => words.every((word) => haystack(task).includes(word)));
  const move: MoveTask = (task, statuses) => void moveTask({ task, statuses, onChanged });
  if (tasks.length === 0) {
    return (
      <Empty title="No task yet">
        Add one with <code>ambit task add "what is to be done"</code>.
      </Empty>
    );
  }
  return (
    <>
      {differences.length === 0 ? null : <Differences lines={differences} />}
      <div className="board">
        {columns.map((column) => (
          <Column key={column.id} column={column} tasks={shown} all={tasks} onMove={move} />
        ))}
      </div>
    </>
  );
}

async function addTask(): Promise<void> {
  const title = await askPerson({
    title: "Add a task",
    text: "It gets the next number and is listed under “To do”.",
    confirm: "Add",
    field: { label: "What is to be done", isRequired: true },
  });
  if (title !== null) await perform({ kind: "add-task", title });
}

async function runTask(task: TaskCard): Promise<void> {
  const isMeant = await askPerson({
    title: `Run task ${task.number ?? task.id}?`,
    text: `A story works on “${task.title}” with the project's default agent. Its end settles the task's status.`,
    confirm: "Run",
  });
  if (isMeant !== null) await perform({ kind: "run-task", task: task.id });
}

function haystack({ id, title, status, priority, language }: TaskCard): string {
  return `${id} ${title} ${status} ${priority} ${language}`.toLowerCase();
}

function Differences({ lines }: { readonly lines: readonly string[] }) {
  return (
    <details className="note tone-attention">
      <summary>
        {plural(lines.length, "edit")} by hand, shown here and not taken over yet;{" "}
        <code>ambit task sync</code> does it
      </summary>
      <ul>
        {lines.map((line, at) => (
          <li key={at}>
            <Outside text={line} />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface Move {
  readonly task: TaskCard;
  /** The possible statuses; with a single one there is no choice to show. */
  readonly statuses: readonly string[];
  readonly onChanged: () => void;
}

async function moveTask({ task, statuses, onChanged }: Move): Promise<void> {
  const [only, ...others] = statuses;
  const isSettled = only !== undefined && others.length === 0;
  const target = isSettled ? ` to ${statusWord(only)}` : "";
  const answer = await askPerson({
    title: `Move task ${task.number ?? task.id}${target}?`,
    text: `“${task.title}” is ${statusWord(task.status)} now.`,
    confirm: `Move${target}`,
    ...(isSettled ? {} : { choice: { label: "To", options: statuses.map(asOption) } }),
  });
  if (answer === null) return;
  const action = { kind: "task-status", task: task.id, status: isSettled ? only : answer } as const;
  let isDifferent = false;
  const result = await perform(action, (problem) => (isDifferent = problem.code === "TASKS_DIFFER"));
  if (result === undefined && isDifferent) await moveAnyway(action, task);
  onChanged();
}

function asOption(status: string): Option {
  return { value: status, name: statusWord(status) };
}

/** The task files were edited by hand in the meantime: asks whether to import those changes first. */
async function moveAnyway(action: Extract<Action, { kind: "task-status" }>, task: TaskCard): Promise<void> {
  const isMeant = await askPerson({
    title: "The task files were edited by hand",
    text: `Their changes are imported first, then task ${task.number ?? task.id} moves to ${statusWord(action.status)}.`,
    confirm: "Import and move",
  });
  if (isMeant !== null) await perform({ ...action, confirmed: true });
}

interface ColumnProps {
  readonly column: BoardColumn;
  readonly tasks: readonly TaskCard[];
  readonly all: readonly TaskCard[];
  readonly onMove: MoveTask;
}

function Column({ column, tasks, all, onMove }: ColumnProps) {
  const [isOver, setOver] = useState(false);
  const own = tasks.filter(({ status }) => column.statuses.includes(status));
  const onDrop = (event: React.DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const task = all.find(({ id }) => id === event.dataTransfer.getData("text/plain"));
    const statuses = task?.moves.filter((move) => column.statuses.includes(move)) ?? [];
    if (task !== undefined && statuses.length > 0) onMove(task, statuses);
  };
  return (
    <section
      className={`column${isOver ? " over" : ""}`}
      aria-label={column.title}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <h2>
        {column.title} <span className="quiet">{own.length}</span>
      </h2>
      <ul className="column-cards" tabIndex={-1}>
        {own.map((task) => (
          <TaskCardView
            key={task.id}
            task={task}
            all={all}
            onMove={onMove}
            onRun={(one) => void runTask(one)}
          />
        ))}
      </ul>
      {own.length === 0 ? <p className="quiet column-empty">None</p> : null}
    </section>
  );
}
