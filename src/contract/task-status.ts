export const taskStatuses = [
  "not_started",
  "researching",
  "researched",
  "planning",
  "planned",
  "revising",
  "revised",
  "implementing",
  "completed",
  "partial",
  "blocked",
  "on_hold",
  "abandoned",
  "expanded",
] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** Work may stop, pause or be divided in every state that is not final. */
const leave = ["blocked", "on_hold", "abandoned", "expanded"] as const;
/** The states a paused task may return to: any point of the work, but not straight to its end. */
const resume = [
  "not_started",
  "researching",
  "researched",
  "planning",
  "planned",
  "revising",
  "revised",
  "implementing",
  "partial",
] as const;

/** The one table of status changes, used by the command line, MCP and the dashboard. */
export const taskTransitions: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  not_started: ["researching", "planning", "implementing", ...leave],
  researching: ["researched", ...leave],
  researched: ["researching", "planning", "implementing", ...leave],
  planning: ["planned", ...leave],
  planned: ["researching", "revising", "implementing", ...leave],
  revising: ["revised", ...leave],
  revised: ["researching", "revising", "implementing", ...leave],
  implementing: ["completed", "partial", ...leave],
  partial: ["researching", "planning", "revising", "implementing", "completed", ...leave],
  blocked: [...resume, "on_hold", "abandoned", "expanded"],
  on_hold: [...resume, "blocked", "abandoned", "expanded"],
  completed: [],
  expanded: [],
  abandoned: ["not_started"],
};

/** Keeping a status is always allowed: that is how a timed-out research is continued. */
export function canMoveTask(from: TaskStatus, to: TaskStatus): boolean {
  return from === to || taskTransitions[from].includes(to);
}

const inProgress: ReadonlySet<TaskStatus> = new Set([
  "researching",
  "planning",
  "revising",
  "implementing",
  "partial",
]);

/** The statuses shown as IN PROGRESS (C20). */
export function isInProgress(status: TaskStatus): boolean {
  return inProgress.has(status);
}
