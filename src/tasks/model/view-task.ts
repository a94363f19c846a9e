import type { TaskStatus } from "../../contract/task-status.ts";
import type { Priority } from "../../contract/priority.ts";
import { parseMarker } from "./markers.ts";
import type { StoredTask, TaskArtifact } from "./stored-task.ts";
import { type Fields, isRecord } from "./fields.ts";
import { canonicalId, canonicalIds, numberOf } from "./task-id.ts";

export interface TaskFacts {
  readonly id: string;
  readonly raw: Fields;
  readonly archived: boolean;
  /** From TODO.md, for entries that have only a slug. */
  readonly title?: string | undefined;
}

/** One entry of state.json as the rest of the program sees it; whatever is missing or odd reads as the default. */
export function viewTask({ id, raw, archived, title }: TaskFacts): StoredTask {
  const statusText = textOf(raw, "status");
  const slug = textOf(raw, "project_name");
  return {
    id,
    number: numberOf(id),
    slug,
    title: textOf(raw, "title") || title || titleFromSlug(slug, id),
    description: textOf(raw, "description"),
    language: textOf(raw, "language") || textOf(raw, "task_type") || "general",
    status: statusText === "" ? "not_started" : statusOf(statusText),
    statusText,
    priority: priorityOf(textOf(raw, "priority")),
    effort: textOf(raw, "effort"),
    created: textOf(raw, "created"),
    lastUpdated: textOf(raw, "last_updated"),
    dependencies: canonicalIds(raw["dependencies"]),
    parent: canonicalId(raw["parent_task"]),
    subtasks: canonicalIds(raw["subtasks"]),
    artifacts: artifactsOf(raw),
    criteria: criteriaOf(raw),
    archived,
    archiveReason: archived ? textOf(raw, "archive_reason") || statusText : undefined,
    raw,
  };
}

export function textOf(raw: Fields, key: string): string {
  const value = raw[key];
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : "";
}

const statuses = new Map<string, TaskStatus | "unknown">();
const MOST_STATUSES = 1000;

/** A thousand tasks have a dozen statuses: each is read once. */
function statusOf(text: string): TaskStatus | "unknown" {
  const known = statuses.get(text);
  if (known !== undefined) return known;
  const status = parseMarker(text) ?? "unknown";
  if (statuses.size < MOST_STATUSES) statuses.set(text, status);
  return status;
}

/** Criteria as text or as objects with one, under either name. */
export function criteriaOf(raw: Fields): readonly string[] {
  const list = raw["criteria"] ?? raw["acceptance_criteria"] ?? raw["acceptanceCriteria"];
  if (typeof list === "string") return list === "" ? [] : [list];
  if (!Array.isArray(list)) return [];
  const items: readonly unknown[] = list;
  return items
    .map((item) => (isRecord(item) ? textOf(item, "text") : item))
    .filter((item) => typeof item === "string" && item !== "")
    .map(String);
}

export function artifactsOf(raw: Fields): readonly TaskArtifact[] {
  const list = raw["artifacts"];
  if (!Array.isArray(list)) return [];
  const items: readonly unknown[] = list;
  return items.flatMap((item) => readArtifact(item) ?? []);
}

function readArtifact(item: unknown): TaskArtifact | undefined {
  // Older lists have bare paths.
  if (typeof item === "string") return item === "" ? undefined : { type: "", path: item };
  if (!isRecord(item) || typeof item["path"] !== "string") return undefined;
  const { summary } = item;
  return {
    type: textOf(item, "type"),
    path: item["path"],
    ...(typeof summary === "string" ? { summary } : {}),
  };
}

function priorityOf(text: string): Priority {
  const word = text.trim().toLowerCase();
  return word === "high" || word === "low" ? word : "medium";
}

function titleFromSlug(slug: string, id: string): string {
  const words = slug.replaceAll("_", " ").trim();
  return words === "" ? `Task ${id}` : words.charAt(0).toUpperCase() + words.slice(1);
}
