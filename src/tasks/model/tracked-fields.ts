import { normalizeStatus } from "./markers.ts";
import type { Fields } from "./fields.ts";
import { normalizeIds } from "./task-id.ts";
import { readTextField } from "./view-task.ts";

/** The fields that both files have and that are therefore compared. */
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

/** Values in a comparable form; undefined if the file does not have the field. */
export type TrackedValues = Readonly<Record<TrackedField, string | undefined>>;

export function readStateValues(raw: Fields): TrackedValues {
  return {
    title: emptyToUndefined(collapseSpace(readTextField(raw, "title"))),
    status: emptyToUndefined(normalizeStatus(readTextField(raw, "status"))),
    language: emptyToUndefined((readTextField(raw, "language") || readTextField(raw, "task_type")).trim()),
    priority: emptyToUndefined(readTextField(raw, "priority").trim().toLowerCase()),
    effort: emptyToUndefined(collapseSpace(readTextField(raw, "effort"))),
    dependencies: Array.isArray(raw["dependencies"])
      ? normalizeIds(raw["dependencies"]).join(",")
      : undefined,
    description: emptyToUndefined(collapseSpace(readTextField(raw, "description"))),
  };
}

/** A file without the field does not contradict the other file. */
export function isConsistent(
  field: TrackedField,
  state: string | undefined,
  todo: string | undefined,
): boolean {
  if (todo === undefined || state === todo) return true;
  if (state !== undefined) return false;
  // Tasks of other tools may have a title only in TODO.md; "None" needs no counterpart.
  return field === "title" || (field === "dependencies" && todo === "");
}

/** Replaces every run of white space by one space and removes it at the ends. */
export function collapseSpace(text: string): string {
  return text.trim().split(/\s+/).join(" ");
}

export function emptyToUndefined(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
