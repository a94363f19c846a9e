import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canCreateTodo,
  canMoveTodo,
  checkTodos,
  migrateLegacyTodo,
  todoStatuses,
} from "../../src/contract/todo-item.ts";

const pending = {
  id: "fix-login",
  content: "Fix the login",
  activeForm: "Fixing the login",
  status: "pending",
};
const delegated = {
  ...pending,
  status: "delegated",
  delegated_to: "haiku1",
  acceptance_criteria: ["All tests pass"],
};
const delegatedMessage =
  "Tasks with status 'delegated' must have 'acceptance_criteria' and 'delegated_to' fields";

describe("checkTodos", () => {
  it.each([
    ["a bare list", [pending]],
    ["an object with todos", { todos: [pending] }],
    ["JSON text", JSON.stringify({ todos: [pending] })],
    ["JSON text of a list", JSON.stringify([pending])],
  ])("reads %s (R164)", (_name, value) => {
    expect(checkTodos(value)).toEqual({ valid: true, codes: [], problems: [], todos: [pending] });
  });

  it("accepts an empty list", () => {
    expect(checkTodos([]).valid).toBe(true);
  });

  it("accepts the single and the parallel delegation of the sources (R161, R164)", () => {
    const backup = {
      id: "backup-production-db",
      content: "Backup production database",
      activeForm: "Delegating database backup",
      status: "delegated",
      delegated_to: "haiku1",
      acceptance_criteria: [
        "Backup file created in /backups/",
        "Backup file size > 100MB",
        "Backup integrity verified (checksum matches)",
      ],
      context: "Production backup before schema migration. Critical - do not skip verification.",
    };
    const done = {
      ...backup,
      status: "completed",
      activeForm: "Completed",
      result_summary: "Backup created",
    };
    const parallel = [
      {
        ...delegated,
        id: "update-docs",
        delegated_to: "sonnet1",
        acceptance_criteria: ["Docs updated", "Examples included"],
      },
      {
        ...delegated,
        id: "write-tests",
        delegated_to: "haiku2",
        acceptance_criteria: ["All endpoints covered", "> 80% coverage"],
      },
      {
        ...delegated,
        id: "optimize-queries",
        delegated_to: "flash1",
        acceptance_criteria: ["Query time < 100ms", "No N+1 queries"],
      },
    ];
    expect(checkTodos({ todos: [backup] })).toMatchObject({ valid: true, todos: [backup] });
    expect(checkTodos({ todos: [done] })).toMatchObject({ valid: true, todos: [done] });
    expect(checkTodos({ todos: parallel })).toMatchObject({ valid: true, todos: parallel });
  });

  it("keeps the optional fields and the blocked flag (R161, C36)", () => {
    const full = {
      ...delegated,
      context: "c",
      delegate_session_id: "session-abc-123",
      result_summary: "r",
      blocked: { reason: "No credentials" },
    };
    expect(checkTodos([full]).todos).toEqual([full]);
  });

  it("reads numbers as ids and nulls as absent (C37)", () => {
    expect(checkTodos([{ ...pending, id: 7, context: null }]).todos).toEqual([{ ...pending, id: "7" }]);
  });

  it.each(["id", "content", "activeForm", "status"])("needs %s, also when it is empty (R161)", (field) => {
    const without = Object.fromEntries(Object.entries(pending).filter(([name]) => name !== field));
    for (const todo of [
      without,
      { ...pending, [field]: "" },
      { ...pending, [field]: " \t" },
      { ...pending, [field]: null },
    ]) {
      expect(checkTodos([todo])).toMatchObject({ valid: false, codes: [`MISSING:${field}`], todos: [] });
    }
  });

  it.each([
    [{ acceptance_criteria: undefined }, ["MISSING:acceptance_criteria"]],
    [{ acceptance_criteria: null }, ["MISSING:acceptance_criteria"]],
    [{ acceptance_criteria: [] }, ["MISSING:acceptance_criteria"]],
    [{ acceptance_criteria: ["", " "] }, ["MISSING:acceptance_criteria"]],
    [{ delegated_to: undefined }, ["MISSING:delegated_to"]],
    [{ delegated_to: "" }, ["MISSING:delegated_to"]],
    [{ delegated_to: "", acceptance_criteria: [] }, ["MISSING:acceptance_criteria", "MISSING:delegated_to"]],
  ])("needs criteria and a worker on a delegated task: %j (R67, R163)", (fields, codes) => {
    const verdict = checkTodos([{ ...delegated, ...fields }]);
    expect(verdict.valid).toBe(false);
    expect([...verdict.codes].toSorted()).toEqual(codes);
    expect(verdict.problems.map((problem) => problem.message)).toEqual(codes.map(() => delegatedMessage));
  });

  it("needs neither criteria nor a worker while a task is not delegated (R163)", () => {
    for (const status of ["pending", "in_progress", "completed"]) {
      expect(checkTodos([{ ...pending, status, acceptance_criteria: [], delegated_to: "" }]).valid).toBe(
        true,
      );
    }
  });

  it.each(["done", "Completed", "cancelled", 7, {}])("refuses status %j (R162)", (status) => {
    expect(checkTodos([{ ...pending, status }]).codes).toEqual(["INVALID_STATUS"]);
  });

  it.each([
    [{ id: {} }, "INVALID_FIELD:id"],
    [{ id: 1.5 }, "INVALID_FIELD:id"],
    [{ content: 7 }, "INVALID_FIELD:content"],
    [{ acceptance_criteria: "All tests pass" }, "INVALID_FIELD:acceptance_criteria"],
    [{ acceptance_criteria: ["a", ""] }, "INVALID_FIELD:acceptance_criteria"],
    [{ acceptance_criteria: [7, 8] }, "INVALID_FIELD:acceptance_criteria"],
    [{ delegated_to: 7 }, "INVALID_FIELD:delegated_to"],
    [{ context: 7 }, "INVALID_FIELD:context"],
    [{ blocked: true }, "INVALID_FIELD:blocked"],
    [{ blocked: { reason: "" } }, "INVALID_FIELD:blocked"],
  ])("names the field of a wrong type: %j", (fields, code) => {
    const verdict = checkTodos([{ ...delegated, ...fields }]);
    expect(verdict.codes).toEqual([code]);
    expect(verdict.problems).toHaveLength(1);
  });

  it("reports every problem of every task with its place", () => {
    const verdict = checkTodos([
      pending,
      { ...pending, id: "b", content: "", status: "new" },
      7,
      { status: "delegated" },
    ]);
    const named = verdict.problems.map((problem) => `${problem.index} ${problem.code}`);
    expect(named.toSorted()).toEqual([
      "1 INVALID_STATUS",
      "1 MISSING:content",
      "2 NOT_AN_OBJECT",
      "3 MISSING:acceptance_criteria",
      "3 MISSING:activeForm",
      "3 MISSING:content",
      "3 MISSING:delegated_to",
      "3 MISSING:id",
    ]);
    expect(verdict.codes).toHaveLength(7);
  });

  it("refuses an id used twice, also as number and text (R164)", () => {
    const verdict = checkTodos([{ ...pending, id: "7" }, pending, { ...pending, id: 7 }]);
    expect(verdict.codes).toEqual(["DUPLICATE_ID"]);
    expect(verdict.problems.map((problem) => problem.index)).toEqual([2]);
  });

  it.each([
    ["{", "NOT_JSON"],
    ["", "NOT_JSON"],
    ["{}", "NOT_AN_ARRAY"],
    ['{"todos":{}}', "NOT_AN_ARRAY"],
    ["7", "NOT_AN_ARRAY"],
    [null, "NOT_AN_ARRAY"],
    [undefined, "NOT_AN_ARRAY"],
    [{ tasks: [] }, "NOT_AN_ARRAY"],
  ])("refuses %j as %s", (value, code) => {
    expect(checkTodos(value)).toMatchObject({ valid: false, codes: [code] });
  });

  it("never throws, and is valid exactly when it reports no problem", () => {
    const field = fc.constantFrom(
      "id",
      "content",
      "activeForm",
      "status",
      "delegated_to",
      "acceptance_criteria",
      "__proto__",
    );
    const todo = fc.dictionary(
      field,
      fc.oneof(fc.constantFrom("a", "", "pending", "delegated"), fc.anything()),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(todo, fc.anything())), (todos) => {
        const verdict = checkTodos({ todos });
        expect(verdict.valid).toBe(verdict.problems.length === 0);
        expect(verdict.todos).toHaveLength(verdict.valid ? todos.length : 0);
      }),
    );
  });
});

describe("the status of a checklist item", () => {
  const allowed = new Set([
    "pending in_progress",
    "pending delegated",
    "in_progress completed",
    "in_progress delegated",
    "delegated completed",
    "delegated in_progress",
    "delegated pending",
  ]);
  const pairs = todoStatuses.flatMap((from) => todoStatuses.map((to) => [from, to] as const));

  it.each(pairs)("changes from %s to %s only if the table allows it (R162, C36)", (from, to) => {
    expect(canMoveTodo(from, to)).toBe(from === to || allowed.has(`${from} ${to}`));
  });

  it("may be any but completed at first (C36)", () => {
    expect(todoStatuses.filter(canCreateTodo)).toEqual(["pending", "in_progress", "delegated"]);
  });
});

describe("migrateLegacyTodo", () => {
  const place = { index: 0, timestamp: 1_234_567_890 };

  it("gives a task without an id a new one, and says so (R166)", () => {
    const { id: _id, ...legacy } = { ...pending, content: "Fix bug" };
    const migrated = migrateLegacyTodo(legacy, place);
    expect(migrated).toEqual({
      todo: { ...legacy, id: "migrated-0-1234567890" },
      warning: '[Session State] Migrating task without ID: "Fix bug" → migrated-0-1234567890',
    });
    expect(checkTodos([migrated.todo]).valid).toBe(true);
  });

  it("treats an empty id as a missing one (R166)", () => {
    expect(migrateLegacyTodo({ id: " " }, place).todo).toEqual({ id: "migrated-0-1234567890" });
  });

  it.each([pending, { id: 7 }, "text", null])("leaves %j as it is (R166)", (todo) => {
    expect(migrateLegacyTodo(todo, place)).toEqual({ todo });
  });
});
