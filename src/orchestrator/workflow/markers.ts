import type { Outcome } from "../../contract/outcome.ts";
import type { TaskStatus } from "../../contract/task.ts";
import { renderMarker, type StoredTask } from "../../tasks/task.ts";

interface CommandMarkers {
  /** The status while the agent works, and after any end but success. */
  readonly during: TaskStatus;
  readonly done: TaskStatus;
}

const commandMarkers: Readonly<Record<string, CommandMarkers>> = {
  research: { during: "researching", done: "researched" },
  plan: { during: "planning", done: "planned" },
  revise: { during: "revising", done: "revised" },
  implement: { during: "implementing", done: "completed" },
};

/** `[NOT STARTED]`; an unknown status as it is written. */
export function renderStatus({ status, statusText }: Pick<StoredTask, "status" | "statusText">): string {
  return status === "unknown" ? `[${statusText}]` : renderMarker(status);
}

/** The status of a task while a command works on it; undefined for a command that changes none. */
export function statusDuring(command: string): TaskStatus | undefined {
  return findMarkers(command)?.during;
}

/**
 * The status after a command. A task whose command did not succeed stays in progress: implementing becomes partial,
 * everything else keeps its marker (C20, R74). Only a task that waits for a person is blocked.
 */
export function statusAfter(command: string, outcome: Outcome): TaskStatus | undefined {
  const markers = findMarkers(command);
  if (markers === undefined || outcome === "completed") return markers?.done;
  if (outcome === "blocked") return "blocked";
  return command === "implement" ? "partial" : markers.during;
}

function findMarkers(command: string): CommandMarkers | undefined {
  return Object.entries(commandMarkers).find(([name]) => name === command)?.[1];
}
