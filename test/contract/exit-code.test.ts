import { expect, it } from "vitest";
import { errorCodes, exitCodeFor, isErrorCode } from "../../src/contract/error-code.ts";
import { exitCode, exitCodeMeanings } from "../../src/contract/exit-code.ts";

it("explains each exit status in exactly these words", () => {
  expect(exitCodeMeanings).toStrictEqual({
    completed: "completed and accepted",
    failed: "failed, or a check did not pass",
    usage: "usage or configuration error; nothing started",
    partial: "partial: some work is usable and can be resumed",
    blocked: "blocked: needs an answer, an approval or a login",
    limit: "a limit refused or stopped it",
    environment: "the environment is not ready",
    conflict: "a merge conflict is left for you; nothing is half-merged",
    deadline: "the deadline passed",
    interrupted: "interrupted, or detached while agents keep working",
    terminated: "terminated",
  });
});

it("maps a code to its exit status, and an unknown or inherited name to plain failure (R60)", () => {
  expect(exitCodeFor("MAX_DEPTH_EXCEEDED")).toBe(exitCode.limit);
  expect(exitCodeFor("TIMEOUT")).toBe(exitCode.deadline);
  expect(exitCodeFor("NO_SUCH_CODE")).toBe(exitCode.failed);
  expect(exitCodeFor("constructor")).toBe(exitCode.failed);
});

it("every code of the table counts as an error code, and no other name does", () => {
  expect(Object.keys(errorCodes).filter((code) => !isErrorCode(code))).toStrictEqual([]);
  expect(isErrorCode("max_depth_exceeded")).toBe(false);
  expect(isErrorCode("toString")).toBe(false);
});
