import { canonicalStatus } from "./markers.ts";
import type { Fields } from "./fields.ts";
import { canonicalIds } from "./task-id.ts";
import { textOf } from "./view-task.ts";

/** What both files say of a task, and what is therefore compared. */
export const trackedFields = [
  "title",
  "status",
  "language",
  "priority",
  "effort",
  "dependencies",
  "description",
] as const;
export type TrackedField = (typeof trackedFields)[number];

/** Comparable texts; undefined where a file says nothing. */
export type TrackedValues = Readonly<Record<TrackedField, string | undefined>>;

export function readStateValues(raw: Fields): TrackedValues {
  return {
    title: filled(collapse(textOf(raw, "title"))),
    status: filled(canonicalStatus(textOf(raw, "status"))),
    language: filled((textOf(raw, "language") || textOf(raw, "task_type")).trim()),
    priority: filled(textOf(raw, "priority").trim().toLowerCase()),
    effort: filled(collapse(textOf(raw, "effort"))),
    dependencies: Array.isArray(raw["dependencies"])
      ? canonicalIds(raw["dependencies"]).join(",")
      : undefined,
    description: filled(collapse(textOf(raw, "description"))),
  };
}

/** A file that says nothing of a field does not contradict the other. */
export function agree(field: TrackedField, state: string | undefined, todo: string | undefined): boolean {
  if (todo === undefined || state === todo) return true;
  if (state !== undefined) return false;
  // Tasks of other tools have their title in TODO.md alone; "None" needs no counterpart.
  return field === "title" || (field === "dependencies" && todo === "");
}

/** One blank for every run of white space, none at the ends. */
export function collapse(text: string): string {
  return text.trim().split(/\s+/).join(" ");
}

/** Undefined for an empty text: it says nothing. */
export function filled(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
