import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  delegationContextSchema,
  delegationListSchema,
  delegationRequestSchema,
  delegationResultSchema,
  workerOutputSchema,
} from "../../src/contract/delegation-request.ts";

function badFields(schema: z.ZodType, value: unknown): readonly string[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map((issue) => issue.path.join("."));
}

describe("delegationListSchema", () => {
  const list = {
    delegations: [
      { description: "Simple data validation", estimated_hours: 2, preferred_provider: "claude-haiku" },
      { description: "Complex algorithm design", estimated_hours: 6, preferred_provider: "claude-opus" },
      { description: "Test generation", estimated_hours: 3, preferred_provider: "gpt-4o" },
    ],
  };

  it("reads the JSON form with its providers (R4)", () => {
    expect(delegationListSchema.parse(list)).toEqual(list);
  });

  it("reads hours written as text, and null as absent (R4, C34)", () => {
    const text = {
      delegations: [{ description: "a", estimated_hours: "4", preferred_provider: null, note: 1 }],
    };
    expect(delegationListSchema.parse(text)).toEqual({
      delegations: [{ description: "a", estimated_hours: 4 }],
    });
  });

  it.each([
    [{}, "delegations"],
    [{ delegations: [] }, "delegations"],
    [{ delegations: [{ estimated_hours: 1 }] }, "delegations.0.description"],
    [{ delegations: [{ description: " ", estimated_hours: 1 }] }, "delegations.0.description"],
    [{ delegations: [{ description: "a" }] }, "delegations.0.estimated_hours"],
    [{ delegations: [{ description: "a", estimated_hours: 0 }] }, "delegations.0.estimated_hours"],
    [{ delegations: [{ description: "a", estimated_hours: "soon" }] }, "delegations.0.estimated_hours"],
    [{ delegations: [{ description: "a", estimated_hours: "" }] }, "delegations.0.estimated_hours"],
  ])("refuses %j because of %s (R4)", (value, field) => {
    expect(badFields(delegationListSchema, value)).toEqual([field]);
  });
});

describe("delegationRequestSchema", () => {
  it("needs a description and nothing else", () => {
    expect(delegationRequestSchema.parse({ description: "Fix the login" })).toEqual({
      description: "Fix the login",
    });
    expect(badFields(delegationRequestSchema, {})).toEqual(["description"]);
  });

  it("stores numbers for numbers written as text, lists for single texts, and drops nulls (C34)", () => {
    const request = delegationRequestSchema.parse({
      description: "Fix the login",
      agent: null,
      estimated_hours: "4",
      accept: "npm test exits with code 0",
      file_scope: ["src/**", "test/login.test.ts"],
      budget_usd: "1.50",
      budget_tokens: "20000",
      timeout_seconds: " 600 ",
      priority: " High ",
      depends_on: "US-1-DEL-001",
      context: "Keep the session cookie",
      preferred_provider: "claude-haiku",
    });
    expect(request).toEqual({
      description: "Fix the login",
      estimated_hours: 4,
      accept: ["npm test exits with code 0"],
      file_scope: ["src/**", "test/login.test.ts"],
      budget_usd: 1.5,
      budget_tokens: 20_000,
      timeout_seconds: 600,
      priority: 1,
      depends_on: ["US-1-DEL-001"],
      context: "Keep the session cookie",
      preferred_provider: "claude-haiku",
    });
  });

  it.each([
    ["low", -1],
    ["medium", 0],
    ["high", 1],
    ["5", 5],
    [-3, -3],
  ])("reads priority %j as %d", (priority, expected) => {
    expect(delegationRequestSchema.parse({ description: "a", priority }).priority).toBe(expected);
  });

  it.each([
    [{ timeout: 5 }, ""],
    [{ agent: "" }, "agent"],
    [{ accept: [""] }, "accept.0"],
    [{ accept: Array.from({ length: 101 }, () => "a") }, "accept"],
    [{ file_scope: ["/etc/**"] }, "file_scope.0"],
    [{ file_scope: ["src/../../x"] }, "file_scope.0"],
    [{ budget_usd: -1 }, "budget_usd"],
    [{ budget_tokens: 0 }, "budget_tokens"],
    [{ budget_tokens: "1.5" }, "budget_tokens"],
    [{ timeout_seconds: 0 }, "timeout_seconds"],
    [{ timeout_seconds: "1e3" }, "timeout_seconds"],
    [{ priority: "urgent" }, "priority"],
    [{ priority: 101 }, "priority"],
    [{ depends_on: [7] }, "depends_on.0"],
  ])("refuses %j", (fields, field) => {
    expect(badFields(delegationRequestSchema, { description: "a", ...fields })).toEqual([field]);
  });

  it("keeps a dotted file name and a hidden folder in scope", () => {
    const file_scope = ["..config/x", "a..b", ".github/**"];
    expect(delegationRequestSchema.parse({ description: "a", file_scope }).file_scope).toEqual(file_scope);
  });

  it("stores the same number for a decimal and for its text (C34)", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (cents) => {
        const amount = cents / 100;
        const fromText = delegationRequestSchema.parse({ description: "a", budget_usd: String(amount) });
        expect(fromText).toEqual(delegationRequestSchema.parse({ description: "a", budget_usd: amount }));
      }),
    );
  });
});

describe("delegationContextSchema", () => {
  const context = {
    session_id: "sess_1735460684_a1b2c3",
    delegation_depth: 1,
    delegation_path: ["orchestrator", "implement", "implementer"],
    timeout: 3600,
    caller: "implement",
    task_context: { task_number: 191, language: "lean", complexity: "high", description: "Fix it" },
  };

  it("reads the required and the optional fields (R22, R23)", () => {
    expect(delegationContextSchema.parse(context)).toEqual(context);
    const { caller: _caller, task_context: _task, ...required } = context;
    expect(delegationContextSchema.parse({ ...required, caller: null })).toEqual(required);
  });

  it("keeps other fields of the task context (R23)", () => {
    const more = { ...context, task_context: { task_number: "244", plan: "p.md" } };
    expect(delegationContextSchema.parse(more).task_context).toEqual({ task_number: 244, plan: "p.md" });
  });

  it.each(["session_id", "delegation_depth", "delegation_path", "timeout"])("needs %s (R22)", (field) => {
    const rest = Object.fromEntries(Object.entries(context).filter(([name]) => name !== field));
    expect(badFields(delegationContextSchema, rest)).toEqual([field]);
  });

  it.each([
    [{ session_id: "sess_x" }, "session_id"],
    [{ delegation_depth: 4 }, "delegation_depth"],
    [{ delegation_depth: -1 }, "delegation_depth"],
    [{ delegation_path: [] }, "delegation_path"],
    [{ delegation_path: ["a", ""] }, "delegation_path.1"],
    [{ timeout: 0 }, "timeout"],
    [{ task_context: { task_number: 0 } }, "task_context.task_number"],
  ])("refuses %j (R22)", (fields, field) => {
    expect(badFields(delegationContextSchema, { ...context, ...fields })).toEqual([field]);
  });
});

describe("workerOutputSchema", () => {
  it("reads the output of a worker (R48)", () => {
    const output = {
      success: true,
      tokens_in: 12_500,
      tokens_out: 3200,
      cost: 0.45,
      files_changed: ["lib/jwt.py", "tests/test_jwt.py"],
      error: null,
    };
    expect(workerOutputSchema.parse(output)).toEqual(output);
  });

  it("accepts numbers as text and files as files_modified, and reads an empty error as null (R48, C34)", () => {
    const output = { success: false, tokens_in: "7", cost: "0.10", files_modified: ["a"], error: "" };
    expect(workerOutputSchema.parse(output)).toEqual({
      success: false,
      tokens_in: 7,
      tokens_out: null,
      cost: 0.1,
      files_changed: ["a"],
      error: null,
    });
  });

  it("prefers files_changed, and keeps the text of an error (R48)", () => {
    const output = { success: false, files_changed: ["a"], files_modified: ["b"], error: "boom" };
    expect(workerOutputSchema.parse(output)).toMatchObject({
      files_changed: ["a"],
      error: "boom",
      tokens_in: null,
    });
  });

  it.each([
    [{}, "success"],
    [{ success: "yes" }, "success"],
    [{ success: true, tokens_in: -1 }, "tokens_in"],
    [{ success: true, tokens_out: 1.5 }, "tokens_out"],
    [{ success: true, cost: "free" }, "cost"],
    [{ success: true, files_changed: "a" }, "files_changed"],
    [{ success: true, error: 7 }, "error"],
    ["done", ""],
  ])("refuses %j (R48)", (value, field) => {
    expect(badFields(workerOutputSchema, value)).toEqual([field]);
  });
});

describe("delegationResultSchema", () => {
  it("reads the result that a manager gets (R47)", () => {
    const result = {
      delegation_id: "US-007-DEL-001",
      success: true,
      summary: "JWT service added",
      files_changed: ["lib/jwt.py"],
      cost: 0.45,
      duration_ms: 277_000,
      error: null,
    };
    expect(delegationResultSchema.parse(result)).toEqual(result);
    expect(delegationResultSchema.parse({ ...result, error: "", duration_ms: "277000" })).toEqual(result);
  });

  it("needs an id, the outcome and a summary (R47)", () => {
    expect(badFields(delegationResultSchema, {})).toEqual(["delegation_id", "success", "summary"]);
  });
});

describe("published schemas", () => {
  it.each([
    ["list", delegationListSchema],
    ["request", delegationRequestSchema],
    ["context", delegationContextSchema],
    ["worker output", workerOutputSchema],
    ["result", delegationResultSchema],
  ])("has a JSON Schema for the %s in both directions", (_name, schema) => {
    expect(z.toJSONSchema(schema, { io: "input" })).toMatchObject({ type: "object" });
    expect(z.toJSONSchema(schema, { io: "output" })).toMatchObject({ type: "object" });
  });
});
