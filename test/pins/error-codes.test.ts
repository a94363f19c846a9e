import { expect, it } from "vitest";
import { errorCodes, exitCodeFor, isErrorCode } from "../../src/contract/error-code.ts";

const PUBLISHED: Readonly<Record<string, number>> = {
  CYCLE_DETECTED: 5,
  MAX_DEPTH_EXCEEDED: 5,
  TOO_MANY_DELEGATIONS: 5,
  CONTEXT_BUDGET_EXCEEDED: 5,
  COST_LIMIT_EXCEEDED: 5,
  DESCRIPTION_TOO_LONG: 5,
  SUSPICIOUS_CHARACTERS: 5,
  SUSPICIOUS_PATH: 5,
  EMPTY_DESCRIPTION: 5,
  TIMEOUT: 124,
  STALLED: 124,
  OUTPUT_LIMIT_EXCEEDED: 5,
  RESOURCE_LIMIT_EXCEEDED: 5,
  DELEGATION_DISABLED: 5,
  NOT_JSON: 1,
  TRUNCATED: 1,
  NOT_AN_OBJECT: 1,
  MISSING_FIELD: 1,
  INVALID_FIELD: 1,
  DUPLICATE_KEY: 1,
  INVALID_STATUS: 1,
  INTERRUPTED: 1,
  SESSION_MISMATCH: 1,
  SUMMARY_EMPTY: 1,
  SUMMARY_TOO_LONG: 1,
  ERRORS_REQUIRED: 1,
  INVALID_ARTIFACT_TYPE: 1,
  ARTIFACT_REQUIRED: 1,
  ARTIFACT_MISSING: 1,
  ARTIFACT_EMPTY: 1,
  ARTIFACT_PATH_ABSOLUTE: 1,
  ARTIFACT_PATH_ESCAPES: 1,
  DEPTH_PATH_MISMATCH: 1,
  TOO_LARGE: 1,
  TOO_DEEP: 1,
  VALIDATION_FAILED: 1,
  TOOL_UNAVAILABLE: 1,
  BUILD_ERROR: 1,
  FILE_NOT_FOUND: 1,
  STATUS_SYNC_FAILED: 1,
  GIT_COMMIT_FAILED: 1,
  SUBTASK_CREATION_FAILED: 1,
  UNKNOWN_ERROR: 1,
  INVALID_SYNTAX: 1,
  INVALID_HOURS: 1,
  INVALID_RANGE: 1,
  INVALID_TASK_NUMBER: 1,
  NO_TASK_NUMBER: 1,
  RANGE_TOO_LARGE: 1,
  UNKNOWN_MARKER: 1,
  INVALID_SESSION_ID: 1,
  NOT_AN_ARRAY: 1,
  DUPLICATE_ID: 1,
  OUTPUT_UNWRITABLE: 6,
  STORY_NOT_FOUND: 2,
  STORY_EXISTS: 2,
  DELEGATION_NOT_FOUND: 2,
  PARENT_NOT_RUNNING: 5,
  STALE_ATTEMPT: 5,
  CHAIN_BROKEN: 1,
  PROJECTION_DIFFERS: 1,
  ILLEGAL_TRANSITION: 1,
  STORE_TOO_NEW: 6,
  STORE_UNUSABLE: 6,
  STORE_BUSY: 6,
  SQLITE_TOO_OLD: 6,
  USAGE: 2,
  CONFIG_INVALID: 2,
  CONFIG_OUT_OF_RANGE: 2,
  CONFIG_CONTRADICTION: 2,
  UNKNOWN_CONFIG_KEY: 2,
  INPUT_UNREADABLE: 2,
  NOT_A_REPOSITORY: 6,
  INTERNAL: 1,
};

it("keeps the published error codes and the exit status each one leads to (R60)", () => {
  expect(errorCodes).toStrictEqual(PUBLISHED);
});

it("answers a code with its exit status, and anything unknown with plain failure", () => {
  for (const [code, status] of Object.entries(PUBLISHED)) expect(exitCodeFor(code)).toBe(status);
  expect(exitCodeFor("NO_SUCH_CODE")).toBe(1);
  expect(exitCodeFor("toString")).toBe(1);
});

it("knows its own codes only", () => {
  expect(isErrorCode("CYCLE_DETECTED")).toBe(true);
  expect(isErrorCode("cycle_detected")).toBe(false);
  expect(isErrorCode("constructor")).toBe(false);
});
