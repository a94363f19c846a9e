import type { TaskStatus } from "../../contract/task-status.ts";
import { parseMarker } from "../model/markers.ts";

/** A task of another tool's file. */
export interface ImportedItem {
  /** Its id in that file; the id of a part begins with that of the whole: `3.1`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly status: TaskStatus;
  readonly priority: "low" | "medium" | "high";
  readonly language: string;
  readonly dependencies: readonly string[];
  readonly parent: string | undefined;
  readonly criteria: readonly string[];
}

const otherWords: ReadonlyMap<string, TaskStatus> = new Map([
  ["done", "completed"],
  ["complete", "completed"],
  ["closed", "completed"],
  ["finished", "completed"],
  ["resolved", "completed"],
  ["in-progress", "implementing"],
  ["doing", "implementing"],
  ["started", "implementing"],
  ["active", "implementing"],
  ["review", "implementing"],
  ["delegated", "implementing"],
  ["deferred", "on_hold"],
  ["paused", "on_hold"],
  ["cancelled", "abandoned"],
  ["canceled", "abandoned"],
  ["wontfix", "abandoned"],
]);

/** The status that another tool's word means; an unknown word means not started. */
export function parseStatusWord(word: string): TaskStatus {
  return parseMarker(word) ?? otherWords.get(word.trim().toLowerCase()) ?? "not_started";
}

export function parsePriorityWord(word: string): "low" | "medium" | "high" {
  const text = word.trim().toLowerCase();
  if (text === "high" || text === "critical" || text === "urgent") return "high";
  return text === "low" ? "low" : "medium";
}
