import { useId } from "react";
import type { TaskCard } from "../../../app/view-types.ts";
import { LongText, Outside } from "../parts/outside.tsx";
import { statusWord } from "../text/status-word.ts";

/** The statuses it may move to. */
export type MoveTask = (task: TaskCard, statuses: readonly string[]) => void;

interface TaskCardProps {
  readonly task: TaskCard;
  readonly all: readonly TaskCard[];
  readonly onMove: MoveTask;
  readonly onRun: (task: TaskCard) => void;
}

export function TaskCardView({ task, all, onMove, onRun }: TaskCardProps) {
  const titleId = useId();
  const canMove = task.moves.length > 0;
  const { subtasks, dependencies, artifacts } = task;
  return (
    <li
      className="card task-card"
      draggable={canMove}
      tabIndex={0}
      aria-labelledby={titleId}
      onDragStart={(event) => event.dataTransfer.setData("text/plain", task.id)}
      onKeyDown={(event) => {
        if (event.key === "m" && canMove) onMove(task, task.moves);
      }}
    >
      <p className="card-head">
        <span className="place numbers">{task.number ?? task.id}</span>
        <span className="tag tone-quiet">{statusWord(task.status)}</span>
        <span className="quiet">{task.priority}</span>
        {task.language === "general" ? null : <span className="quiet">{task.language}</span>}
        {task.edited.length === 0 ? null : (
          <span className="tag tone-attention" title={`Edited by hand: ${task.edited.join(", ")}`}>
            {task.edited.includes("new") ? "added by hand" : "edited by hand"}
          </span>
        )}
        {task.parent === null ? null : <span className="quiet">part of {task.parent}</span>}
      </p>
      <h3 id={titleId} className="task-title">
        <Outside text={task.title} />
      </h3>
      {task.description === "" ? null : (
        <details>
          <summary className="quiet">Description</summary>
          <LongText text={task.description} />
        </details>
      )}
      {subtasks.length === 0 ? null : <Subtasks task={task} all={all} />}
      {dependencies.length === 0 ? null : <Dependencies task={task} />}
      {artifacts.length === 0 ? null : <p className="quiet">{artifacts.length} artifacts</p>}
      {canMove ? <TaskActions task={task} onMove={onMove} onRun={onRun} /> : null}
    </li>
  );
}

function TaskActions({ task, onMove, onRun }: Omit<TaskCardProps, "all">) {
  return (
    <div className="actions">
      <button
        type="button"
        className="button"
        aria-label={`Move task ${task.number ?? task.id}`}
        aria-keyshortcuts="m"
        onClick={() => onMove(task, task.moves)}
      >
        Move…
      </button>
      {task.moves.includes("implementing") ? (
        <button
          type="button"
          className="button"
          aria-label={`Run task ${task.number ?? task.id}`}
          onClick={() => onRun(task)}
        >
          Run…
        </button>
      ) : null}
    </div>
  );
}

function Subtasks({ task, all }: Pick<TaskCardProps, "task" | "all">) {
  return (
    <details>
      <summary className="quiet numbers">
        {task.subtasksDone} of {task.subtasks.length} subtasks done
      </summary>
      <ul className="details">
        {task.subtasks.map((id) => {
          const subtask = all.find((one) => one.id === id);
          return (
            <li key={id}>
              <span className="place numbers">{subtask?.number ?? id}</span>{" "}
              <Outside text={subtask?.title ?? "not known"} />{" "}
              <span className="quiet">{subtask === undefined ? "" : statusWord(subtask.status)}</span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function Dependencies({ task: { dependencies } }: Pick<TaskCardProps, "task">) {
  const open = dependencies.filter(({ isDone }) => !isDone);
  return (
    <p className="quiet">
      {open.length === 0 ? "✔ all dependencies are done: " : "◌ waits for "}
      {(open.length === 0 ? dependencies : open).map(({ id }) => id).join(", ")}
    </p>
  );
}
