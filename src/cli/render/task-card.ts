import type { TaskCard } from "../../app/show-task.ts";
import { quoteExcerpt, visibleText } from "../../base/visible-text.ts";
import { renderColumns } from "./columns.ts";
import { wrapWords } from "./wrap-words.ts";

/** Everything about one task that a person wants to know before working on it. */
export function renderTaskCard(task: TaskCard): string {
  const rows = [
    ["status", renderStatus(task)],
    ["priority", task.priority],
    ["language", task.language],
    ...(task.effort === "" ? [] : [["effort", task.effort]]),
    ...renderRelated(task),
    ...(task.last_updated === "" ? [] : [["updated", task.last_updated]]),
    ...(task.only_in_todo === true ? [["only in", "TODO.md, not in state.json"]] : []),
    ["folder", task.folder],
  ];
  return [
    visibleText(`${task.id}  ${task.title}`),
    renderColumns(rows.map((row) => [`  ${row[0] ?? ""}`, quoteExcerpt(row[1] ?? "", 400)])),
    ...renderSection("description", renderParagraphs(task.description)),
    ...renderSection(
      "criteria",
      task.criteria.map((text) => `- ${quoteExcerpt(text, 400)}`),
    ),
    ...renderSection("artifacts", renderArtifacts(task.artifacts)),
    `  next  ${findNextStep(task)}`,
  ].join("\n");
}

function renderStatus({ status, status_text: written, archived, archive_reason: reason }: TaskCard): string {
  const known = status === "unknown" ? `${written} (unknown status)` : status;
  if (!archived) return known;
  return reason === null || reason === known ? `${known}, archived` : `${known}, archived (${reason})`;
}

function renderRelated(task: TaskCard): readonly (readonly [string, string])[] {
  const { parent, dependencies, subtasks, related } = task;
  const describe = (id: string): string => {
    const status = related.find((other) => other.id === id)?.status ?? null;
    return `${id} ${status ?? "(not found)"}`;
  };
  return [
    ...(parent === null ? [] : [["part of", describe(parent)] as const]),
    ...(dependencies.length === 0 ? [] : [["depends on", dependencies.map(describe).join(", ")] as const]),
    ...(subtasks.length === 0 ? [] : [["subtasks", subtasks.map(describe).join(", ")] as const]),
  ];
}

const INDENT = "    ";

function renderSection(name: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${name}`, ...lines.map((line) => `${INDENT}${line}`)];
}

function renderParagraphs(text: string): readonly string[] {
  const trimmed = visibleText(text.trim());
  if (trimmed === "") return [];
  const lines = trimmed.split("\n").flatMap((line) => wrapWords(line.split(" "), wrapped));
  return lines.map((line) => line.slice(INDENT.length));
}

const wrapped = { first: INDENT, indent: INDENT } as const;

const MAX_ARTIFACTS = 8;

/** The newest; a task that took long has dozens. */
function renderArtifacts(artifacts: TaskCard["artifacts"]): readonly string[] {
  const hidden = artifacts.length - MAX_ARTIFACTS;
  const shown = artifacts.slice(-MAX_ARTIFACTS).map(renderArtifact);
  return hidden > 0 ? [`… ${hidden} earlier ones; --json shows all`, ...shown] : shown;
}

function renderArtifact({ type, path, summary }: TaskCard["artifacts"][number]): string {
  const what = `${quoteExcerpt(type, 30)}  ${quoteExcerpt(path, 200)}`;
  return summary === undefined || summary === "" ? what : `${what}  ${quoteExcerpt(summary, 80)}`;
}

function findNextStep({ id, status, archived, only_in_todo: isOnlyInTodo }: TaskCard): string {
  if (isOnlyInTodo === true) return `ambit task sync ${id}`;
  if (archived) return `ambit task recover ${id}`;
  switch (status) {
    case "completed":
    case "abandoned":
      return `ambit task archive ${id}`;
    case "not_started":
      return `ambit research ${id}    ambit run ${id}`;
    case "researched":
      return `ambit plan ${id}`;
    case "planned":
    case "revised":
    case "partial":
    case "implementing":
      return `ambit implement ${id}`;
    default:
      return `ambit task status ${id} <status>`;
  }
}
