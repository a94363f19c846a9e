import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { messageMaxBytes, messageSchema, parseMessage } from "../../src/contract/message.ts";

const assignment = {
  type: "task_assignment",
  task_id: "migrate-db-schema",
  content: "Create database migration for new user fields",
  acceptance_criteria: [
    "Migration script created in migrations/",
    "All tests pass",
    "No breaking changes to existing API",
  ],
  context: "Adding OAuth fields to user table - keep existing auth flow intact",
  priority: "high",
};
const completion = {
  type: "task_completion",
  task_id: "migrate-db-schema",
  status: "completed",
  result_summary:
    "Created migration 20250120_add_oauth_fields.sql. All 127 tests passing. No API changes required.",
  files_modified: ["migrations/20250120_add_oauth_fields.sql", "tests/migrations/test_oauth_fields.py"],
};
const blocked = {
  type: "task_status",
  task_id: "migrate-db-schema",
  status: "blocked",
  blocker: "Need database credentials for staging environment",
  requested_action: "Please provide DB_HOST and DB_PASSWORD for staging",
  attempted_solutions: [
    "Checked .env file (not found)",
    "Searched for credentials in config/ (none present)",
  ],
};
const progress = {
  type: "task_progress",
  task_id: "migrate-db-schema",
  status: "in_progress",
  progress_summary: "Migration script created, running tests (87/127 passing)",
  estimated_completion: "5 minutes",
  next_steps: "Fixing remaining test failures in auth flow",
};
const clarification = {
  type: "clarification_request",
  task_id: "...",
  question: "Please confirm: did tests pass? (npm test output)",
};
const shortAssignment = {
  type: "task_assignment",
  task_id: "backup-production-db",
  content: "Backup production database",
  acceptance_criteria: ["Backup file size > 100MB"],
};
const shortCompletion = {
  type: "task_completion",
  task_id: "backup-production-db",
  status: "completed",
  result_summary: "Backup created. Verified successfully.",
};
const ack = { type: "ack", task_id: "t", in_reply_to: "m-1", note: "Starting now" };
const answer = { type: "answer", task_id: "t", in_reply_to: "m-2", answer: "Yes, all of them" };
const cancel = { type: "cancel", task_id: "t", reason: "Given to another worker" };

function codesOf(input: unknown): readonly string[] {
  const reading = parseMessage(input);
  return reading.status === "valid" ? [] : reading.problems.map((problem) => problem.code);
}

describe("parseMessage", () => {
  it.each([
    ["assignment", assignment],
    ["shortAssignment", shortAssignment],
    ["completion", completion],
    ["shortCompletion", shortCompletion],
    ["blocked", blocked],
    ["progress", progress],
    ["clarification", clarification],
    ["ack", ack],
    ["answer", answer],
    ["cancel", cancel],
  ])("reads the %s message as object and as JSON text (R126, R167–R171, R174, C38)", (_name, message) => {
    expect(parseMessage(message)).toEqual({ status: "valid", message });
    expect(parseMessage(JSON.stringify(message, null, 2))).toEqual({ status: "valid", message });
  });

  it("drops unknown keys, reads nulls as absent and one text as a list of one", () => {
    const sloppy = {
      ...shortAssignment,
      acceptance_criteria: "a",
      context: null,
      priority: "HIGH",
      mood: "fine",
    };
    const message = { ...shortAssignment, acceptance_criteria: ["a"], priority: "high" };
    expect(parseMessage(sloppy)).toEqual({ status: "valid", message });
  });

  it("fills in the status of progress and the attempts of a blocked task (R169, R170)", () => {
    const short = { type: "task_progress", task_id: "t", progress_summary: "half" };
    expect(parseMessage(short)).toMatchObject({ message: { status: "in_progress" } });
    const stuck = { type: "task_status", task_id: "t", status: "blocked", blocker: "No key" };
    expect(parseMessage(stuck)).toMatchObject({ message: { attempted_solutions: [] } });
  });

  it.each([
    [{ ...assignment, acceptance_criteria: [] }, "INVALID_FIELD:acceptance_criteria"],
    [{ ...assignment, acceptance_criteria: undefined }, "MISSING_FIELD:acceptance_criteria"],
    [{ ...assignment, content: " " }, "INVALID_FIELD:content"],
    [{ ...assignment, task_id: undefined }, "MISSING_FIELD:task_id"],
    [{ ...assignment, priority: "soon" }, "INVALID_FIELD:priority"],
    [{ ...assignment, priority: 1 }, "INVALID_FIELD:priority"],
    [{ ...completion, status: "in_progress" }, "INVALID_FIELD:status"],
    [{ ...completion, result_summary: "" }, "INVALID_FIELD:result_summary"],
    [{ ...blocked, status: "completed" }, "INVALID_FIELD:status"],
    [{ ...blocked, blocker: null }, "MISSING_FIELD:blocker"],
    [{ ...progress, progress_summary: undefined }, "MISSING_FIELD:progress_summary"],
    [{ ...clarification, question: undefined }, "MISSING_FIELD:question"],
    [{ ...answer, answer: undefined }, "MISSING_FIELD:answer"],
    [{ ...cancel, reason: undefined }, "MISSING_FIELD:reason"],
    [{ task_id: "t" }, "MISSING_FIELD:type"],
    [{ type: "gossip", task_id: "t" }, "INVALID_FIELD:type"],
  ])("names the bad field (%#)", (message, code) => {
    expect(codesOf(message)).toEqual([code]);
  });

  it.each([
    ["not json", "NOT_JSON"],
    ["", "NOT_JSON"],
    [undefined, "NOT_JSON"],
    [10n, "NOT_JSON"],
    ["[]", "NOT_AN_OBJECT"],
    [null, "NOT_AN_OBJECT"],
    [7, "NOT_AN_OBJECT"],
    ['"text"', "NOT_AN_OBJECT"],
  ])("refuses %s as %s", (input, code) => {
    expect(codesOf(input)).toEqual([code]);
  });

  it("refuses a message that refers to itself", () => {
    const loop: Record<string, unknown> = { ...ack };
    loop["self"] = loop;
    expect(codesOf(loop)).toEqual(["NOT_JSON"]);
  });

  it("accepts 64 KiB and not a byte more, counted in UTF-8, in both forms", () => {
    const frame = JSON.stringify({ ...answer, answer: "" }).length;
    const fits = { ...answer, answer: "x".repeat(messageMaxBytes - frame) };
    const tooLong = { ...answer, answer: `${fits.answer}x` };
    const wide = { ...answer, answer: "é".repeat(messageMaxBytes / 2) };
    expect(messageMaxBytes).toBe(65_536);
    for (const form of [(value: unknown) => value, (value: unknown) => JSON.stringify(value)]) {
      expect(codesOf(form(fits))).toEqual([]);
      expect(codesOf(form(tooLong))).toEqual(["TOO_LARGE"]);
      expect(codesOf(form(wide))).toEqual(["TOO_LARGE"]);
    }
  });

  it("never throws, and returns an accepted message unchanged", () => {
    const text = fc.string({ minLength: 1 }).filter((value) => value.trim() !== "");
    fc.assert(
      fc.property(text, text, fc.anything(), (task_id, question, anything) => {
        const message = { type: "clarification_request", task_id, question };
        expect(parseMessage(JSON.stringify(message))).toEqual({ status: "valid", message });
        expect(["valid", "invalid"]).toContain(parseMessage(anything).status);
      }),
    );
  });
});

describe("messageSchema", () => {
  it("has a JSON Schema with one entry for each of the eight types", () => {
    const schema = z.toJSONSchema(messageSchema, { io: "input" });
    expect(schema.oneOf ?? schema.anyOf).toHaveLength(8);
  });
});
