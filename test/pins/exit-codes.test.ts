import { expect, it } from "vitest";
import { exitCode, exitCodeMeanings } from "../../src/contract/exit-code.ts";

it("keeps the published exit codes", () => {
  expect(exitCode).toStrictEqual({
    completed: 0,
    failed: 1,
    usage: 2,
    partial: 3,
    blocked: 4,
    limit: 5,
    environment: 6,
    conflict: 7,
    deadline: 124,
    interrupted: 130,
    terminated: 143,
  });
});

it("explains every exit code", () => {
  expect(Object.keys(exitCodeMeanings)).toStrictEqual(Object.keys(exitCode));
});
