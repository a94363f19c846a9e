import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canMoveTask,
  isInProgress,
  taskSchema,
  taskStatuses,
  taskTransitions,
} from "../../src/contract/task.ts";

const status = fc.constantFrom(...taskStatuses);

describe("task statuses", () => {
  it("are the fourteen of the domain model", () => {
    expect(taskStatuses).toEqual([
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
    ]);
  });

  it("can follow the whole workflow, and its shortcuts (R154, C21)", () => {
    const walks = [
      [
        "not_started",
        "researching",
        "researched",
        "planning",
        "planned",
        "revising",
        "revised",
        "implementing",
        "completed",
      ],
      ["not_started", "planning", "planned", "implementing", "partial", "implementing", "completed"],
      ["not_started", "implementing", "blocked", "implementing", "partial", "completed"],
      ["revised", "revising", "revised", "revising"],
      ["planned", "on_hold", "planned"],
      ["researching", "abandoned", "not_started"],
    ] as const;
    for (const walk of walks) {
      for (const [place, to] of walk.slice(1).entries()) {
        const from = walk[place] ?? to;
        expect([from, to, canMoveTask(from, to)]).toEqual([from, to, true]);
      }
    }
  });

  it.each([
    ["not_started", "completed"],
    ["not_started", "researched"],
    ["not_started", "planned"],
    ["not_started", "partial"],
    ["researching", "planned"],
    ["planned", "completed"],
    ["planned", "researched"],
    ["blocked", "completed"],
    ["on_hold", "completed"],
    ["abandoned", "completed"],
    ["abandoned", "implementing"],
  ] as const)("never move from %s to %s", (from, to) => {
    expect(canMoveTask(from, to)).toBe(false);
  });

  it("have no next status after completed and expanded, and only not_started after abandoned", () => {
    const ends = taskStatuses.filter((from) => taskTransitions[from].length === 0);
    expect(ends).toEqual(["completed", "expanded"]);
    expect(taskTransitions.abandoned).toEqual(["not_started"]);
  });

  it("may stay unchanged, and may leave every open state for blocked, on_hold, abandoned or expanded", () => {
    fc.assert(
      fc.property(status, fc.constantFrom("blocked", "on_hold", "abandoned", "expanded"), (from, to) => {
        const isOpen = !["completed", "expanded", "abandoned"].includes(from);
        expect(canMoveTask(from, from)).toBe(true);
        expect(canMoveTask(from, to)).toBe(isOpen || from === to);
      }),
    );
  });

  it("reach completed only from implementing and partial", () => {
    expect(taskStatuses.filter((from) => taskTransitions[from].includes("completed"))).toEqual([
      "implementing",
      "partial",
    ]);
  });

  it("count as in progress while a command works on them, and after a partial result (C20)", () => {
    expect(taskStatuses.filter(isInProgress)).toEqual([
      "researching",
      "planning",
      "revising",
      "implementing",
      "partial",
    ]);
  });
});

describe("taskSchema", () => {
  it("fills in the missing fields of a short task", () => {
    expect(taskSchema.parse({ id: 244, title: "Prove the lemma", parent: null })).toEqual({
      id: "244",
      title: "Prove the lemma",
      description: "",
      language: "general",
      status: "not_started",
      priority: "medium",
      criteria: [],
      dependencies: [],
      subtasks: [],
      artifacts: [],
    });
  });

  it("keeps a full task, ids as text (C37)", () => {
    const task = {
      id: "US-007",
      number: 244,
      title: "Prove the lemma",
      description: "d",
      language: "lean",
      status: "planned",
      priority: "high",
      criteria: [
        {
          id: "c1",
          text: "npm test exits with code 0",
          required: true,
          check: { command: "npm test" },
          verdict: "passed",
          evidence: "exit code 0",
          proof: {
            kind: "command",
            command: "npm test",
            exit_code: 0,
            signal: null,
            duration_ms: 12.5,
            output: "ok",
            log: null,
          },
        },
        {
          id: "c2",
          text: "Report exists",
          required: true,
          check: { file: "specs/report.md" },
          verdict: "unverified",
          proof: { kind: "file", path: "specs/report.md", bytes: null },
        },
        {
          id: "c3",
          text: "Docs change",
          required: false,
          check: { changed: "docs/**" },
          verdict: "failed",
          proof: { kind: "changed", pattern: "docs/**", matches: 0, paths: [] },
        },
        {
          id: "c4",
          text: "Reads well",
          required: true,
          check: { manual: true },
          verdict: "waived",
          decided_by: { role: "person", id: "ana" },
          reason: "not needed for a prototype",
        },
      ],
      dependencies: ["243"],
      parent: "US-001",
      subtasks: ["245"],
      artifacts: [{ type: "plan", path: "specs/244_x/plans/plan.md" }],
    };
    expect(taskSchema.parse(task)).toEqual(task);
    expect(taskSchema.parse({ ...task, number: "244", dependencies: [243], priority: "High" })).toEqual(task);
  });

  it("treats a criterion as required and unverified by default", () => {
    const { criteria } = taskSchema.parse({ id: 1, title: "t", criteria: [{ id: "c1", text: "x" }] });
    expect(criteria).toStrictEqual([{ id: "c1", text: "x", required: true, verdict: "unverified" }]);
  });

  it.each([
    [{ id: "" }, "id"],
    [{ title: "" }, "title"],
    [{ number: 0 }, "number"],
    [{ status: "in_progress" }, "status"],
    [{ priority: "urgent" }, "priority"],
    [{ criteria: [{ id: "c", text: "t", verdict: "ok" }] }, "criteria.0.verdict"],
    [{ criteria: [{ id: "c", text: "t", required: "no" }] }, "criteria.0.required"],
    [{ criteria: [{ id: "c", text: "t", reason: " " }] }, "criteria.0.reason"],
    [
      { criteria: [{ id: "c", text: "t", decided_by: { role: "worker", id: "w" } }] },
      "criteria.0.decided_by.role",
    ],
    [
      { criteria: [{ id: "c", text: "t", decided_by: { role: "person", id: "" } }] },
      "criteria.0.decided_by.id",
    ],
    [{ criteria: [{ id: "c", text: "t", proof: { kind: "prose" } }] }, "criteria.0.proof.kind"],
    [{ criteria: [{ id: "c", text: "t", check: { command: "" } }] }, "criteria.0.check.command"],
    [{ criteria: [{ id: "c", text: "t", check: { command: "a", file: "b" } }] }, "criteria.0.check"],
    [{ dependencies: [""] }, "dependencies.0"],
  ])("refuses %j", (fields, field) => {
    const { error } = taskSchema.safeParse({ id: "1", title: "t", ...fields });
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([field]);
  });
});
