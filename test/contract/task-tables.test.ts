import { describe, expect, it } from "vitest";
import { canMoveTask, taskStatuses, taskTransitions, mapTaskStatus } from "../../src/contract/task.ts";

const leave = ["blocked", "on_hold", "abandoned", "expanded"];
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
];

describe("the table of task states", () => {
  it("is exactly this one", () => {
    expect(taskTransitions).toStrictEqual({
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
    });
  });

  it("allows every state to stay unchanged", () => {
    expect(taskStatuses.filter((status) => !canMoveTask(status, status))).toStrictEqual([]);
  });
});

it("a manager's list shows each state of a task as exactly this one", () => {
  const view = Object.fromEntries(taskStatuses.map((status) => [status, mapTaskStatus(status, false)]));
  expect(view).toStrictEqual({
    not_started: "pending",
    researching: "in_progress",
    researched: "in_progress",
    planning: "in_progress",
    planned: "in_progress",
    revising: "in_progress",
    revised: "in_progress",
    implementing: "in_progress",
    completed: "completed",
    partial: "in_progress",
    blocked: "in_progress",
    on_hold: "pending",
    abandoned: undefined,
    expanded: undefined,
  });
});
