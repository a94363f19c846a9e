import { describe, expect, it } from "vitest";
import { canMoveTask, taskStatuses, taskTransitions } from "../../src/contract/task.ts";

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
