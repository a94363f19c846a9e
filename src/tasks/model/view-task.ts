import type { TaskStatus } from "../../contract/task-status.ts";
import type { Priority } from "../../contract/priority.ts";
import { parseMarker } from "./markers.ts";
import type { StoredTask, TaskArtifact } from "./stored-task.ts";
import { isRecord } from "../../base/json.ts";
import { type Fields, toList } from "./fields.ts";
import { normalizeId, normalizeIds, parseTaskNumber } from "./task-id.ts";

export interface TaskFacts {
  readonly id: string;
  readonly raw: Fields;
  readonly archived: boolean;
  /** From TODO.md, for tasks without a title in state.json. */
  readonly title?: string | undefined;
}

/** Converts an entry of state.json for the rest of the program; missing or odd fields get defaults. */
export function viewTask({ id, raw, archived, title }: TaskFacts): StoredTask {
  const statusText = readTextField(raw, "status");
  const slug = readTextField(raw, "project_name");
  return {
    id,
    number: parseTaskNumber(id),
    slug,
    title: readTextField(raw, "title") || title || makeTitleFromSlug(slug, id),
    description: readTextField(raw, "description"),
    language: readTextField(raw, "language") || readTextField(raw, "task_type") || "general",
    status: statusText === "" ? "not_started" : readCachedStatus(statusText),
    statusText,
    priority: readPriority(readTextField(raw, "priority")),
    effort: readTextField(raw, "effort"),
    created: readTextField(raw, "created"),
    lastUpdated: readTextField(raw, "last_updated"),
    dependencies: normalizeIds(raw["dependencies"]),
    parent: normalizeId(raw["parent_task"]),
    subtasks: normalizeIds(raw["subtasks"]),
    artifacts: readArtifacts(raw),
    criteria: readCriteria(raw),
    archived,
    archiveReason: archived ? readTextField(raw, "archive_reason") || statusText : undefined,
    raw,
  };
}

export function readTextField(raw: Fields, key: string): string {
  const value = raw[key];
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : "";
}

const statuses = new Map<string, TaskStatus | "unknown">();
const MAX_STATUSES = 1000;

/** A thousand tasks have a dozen different statuses, so each is parsed only once. */
function readCachedStatus(text: string): TaskStatus | "unknown" {
  const known = statuses.get(text);
  if (known !== undefined) return known;
  const status = parseMarker(text) ?? "unknown";
  if (statuses.size < MAX_STATUSES) statuses.set(text, status);
  return status;
}

/** Criteria as texts or as objects with a text, under any of the known names. */
export function readCriteria(raw: Fields): readonly string[] {
  const list = raw["criteria"] ?? raw["acceptance_criteria"] ?? raw["acceptanceCriteria"];
  if (typeof list === "string") return list === "" ? [] : [list];
  return toList(list)
    .map((item) => (isRecord(item) ? readTextField(item, "text") : item))
    .filter((item) => typeof item === "string" && item !== "")
    .map(String);
}

export function readArtifacts(raw: Fields): readonly TaskArtifact[] {
  return toList(raw["artifacts"]).flatMap((item) => readArtifact(item) ?? []);
}

function readArtifact(item: unknown): TaskArtifact | undefined {
  // Older lists have plain paths.
  if (typeof item === "string") return item === "" ? undefined : { type: "", path: item };
  if (!isRecord(item) || typeof item["path"] !== "string") return undefined;
  const { summary } = item;
  return {
    type: readTextField(item, "type"),
    path: item["path"],
    ...(typeof summary === "string" ? { summary } : {}),
  };
}

function readPriority(text: string): Priority {
  const word = text.trim().toLowerCase();
  return word === "high" || word === "low" ? word : "medium";
}

function makeTitleFromSlug(slug: string, id: string): string {
  const words = slug.replaceAll("_", " ").trim();
  return words === "" ? `Task ${id}` : words.charAt(0).toUpperCase() + words.slice(1);
}
