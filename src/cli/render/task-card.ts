import type { StoredTask, TaskArtifact } from "../../tasks/task.ts";
import { renderColumns } from "./columns.ts";
import { excerpt, visibleText } from "../../base/visible-text.ts";
import { wrapWords } from "./wrap-words.ts";

export interface TaskCardFacts {
  /** From the project's root. */
  readonly folder: string;
  /** Tasks that this one names; undefined for those that are nowhere. */
  readonly related: ReadonlyMap<string, StoredTask | undefined>;
}

/** Everything about one task that a person wants to know before working on it. */
export function renderTaskCard(task: StoredTask, facts: TaskCardFacts): string {
  const rows = [
    ["status", statusText(task)],
    ["priority", task.priority],
    ["language", task.language],
    ...(task.effort === "" ? [] : [["effort", task.effort]]),
    ...relatedRows(task, facts.related),
    ...(task.lastUpdated === "" ? [] : [["updated", task.lastUpdated]]),
    ["folder", facts.folder],
  ];
  return [
    visibleText(`${task.id}  ${task.title}`),
    renderColumns(rows.map((row) => [`  ${row[0] ?? ""}`, excerpt(row[1] ?? "", 400)])),
    ...section("description", paragraphs(task.description)),
    ...section(
      "criteria",
      task.criteria.map((text) => `- ${excerpt(text, 400)}`),
    ),
    ...section("artifacts", artifactLines(task.artifacts)),
    `  next  ${nextStep(task)}`,
  ].join("\n");
}

function statusText({ status, statusText: written, archived, archiveReason }: StoredTask): string {
  const known = status === "unknown" ? `${written} (not one of ours)` : status;
  if (!archived) return known;
  return archiveReason === undefined || archiveReason === known
    ? `${known}, archived`
    : `${known}, archived (${archiveReason})`;
}

function relatedRows(
  task: StoredTask,
  related: TaskCardFacts["related"],
): readonly (readonly [string, string])[] {
  const describe = (id: string): string => {
    const found = related.get(id);
    return found === undefined ? `${id} (not found)` : `${id} ${found.status}`;
  };
  return [
    ...(task.parent === undefined ? [] : [["part of", describe(task.parent)] as const]),
    ...(task.dependencies.length === 0
      ? []
      : [["depends on", task.dependencies.map(describe).join(", ")] as const]),
    ...(task.subtasks.length === 0 ? [] : [["subtasks", task.subtasks.map(describe).join(", ")] as const]),
  ];
}

const INDENT = "    ";

function section(name: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${name}`, ...lines.map((line) => `${INDENT}${line}`)];
}

function paragraphs(text: string): readonly string[] {
  const trimmed = visibleText(text.trim());
  if (trimmed === "") return [];
  const lines = trimmed.split("\n").flatMap((line) => wrapWords(line.split(" "), wrapped));
  return lines.map((line) => line.slice(INDENT.length));
}

const wrapped = { first: INDENT, indent: INDENT } as const;

const SHOWN_ARTIFACTS = 8;

/** The newest; a task that took long has dozens. */
function artifactLines(artifacts: readonly TaskArtifact[]): readonly string[] {
  const hidden = artifacts.length - SHOWN_ARTIFACTS;
  const shown = artifacts.slice(-SHOWN_ARTIFACTS).map(artifactText);
  return hidden > 0 ? [`… ${hidden} earlier ones; --json shows all`, ...shown] : shown;
}

function artifactText({ type, path, summary }: TaskArtifact): string {
  const what = `${excerpt(type, 30)}  ${excerpt(path, 200)}`;
  return summary === undefined || summary === "" ? what : `${what}  ${excerpt(summary, 80)}`;
}

function nextStep({ id, status, archived }: StoredTask): string {
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
