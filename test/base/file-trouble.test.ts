import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DelegationError } from "../../src/base/delegation-error.ts";
import { explainFileTrouble, explainUnexpectedFileTrouble, isDiskFull } from "../../src/base/file-trouble.ts";

const explained = (code: string, cause?: unknown): DelegationError =>
  new DelegationError({ code, message: `${code} it is`, recommendation: "Do it.", cause });
const system = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: no`), { code, path });
const sqlite = (errcode: number): Error => Object.assign(new Error("sqlite says no"), { errcode });

describe("a file error", () => {
  it.each([
    ["a full disk", system("ENOSPC", "/p/x"), "The disk of /p/x is full: ENOSPC: no"],
    ["a quota", system("EDQUOT"), "The disk of /p is full: EDQUOT: no"],
    ["an error of SQLite with an extended code", sqlite(13 + 256), "The disk of /p is full: sqlite says no"],
    [
      "the error output of git",
      explained("GIT_FAILED", new Error("fatal: No space left on device")),
      "GIT_FAILED it is",
    ],
    ["a cause of a cause", explained("A", explained("B", system("ENOSPC"))), "A it is"],
  ])("is reported as a full disk: %s", (_name, error, text) => {
    expect(isDiskFull(error)).toBe(true);
    const told = explainFileTrouble(error, "/p");
    expect(told).toMatchObject({ code: "DISK_FULL", message: expect.stringContaining(text), cause: error });
    // Explaining it again adds nothing.
    expect(explainFileTrouble(told, "/p")).toBeUndefined();
    expect(isDiskFull(told)).toBe(true);
  });

  it.each([
    ["EROFS", system("EROFS", "/p/x"), "/p/x is on a read-only file system"],
    ["SQLite", sqlite(8), "/p is on a read-only file system"],
    ["a mode or an owner inside our folder", system("EACCES", "/p/x"), "/p/x cannot be used"],
  ])("is reported with its path: %s", (_name, error, text) => {
    expect(explainFileTrouble(error, "/p")).toMatchObject({
      code: "STORE_UNUSABLE",
      message: expect.stringContaining(text),
    });
  });

  it.each([
    ["something else", new TypeError("x is not a function")],
    ["no error", "ENOSPC"],
    ["a right that is missing outside our folder", system("EACCES", "/etc/shadow")],
    ["a program that may not be started", system("EACCES")],
    ["what already says what to do", explained("INPUT_UNREADABLE", system("EROFS", "/p/x"))],
  ])("is passed on unchanged: %s", (_name, error) => {
    expect(explainFileTrouble(error, "/p")).toBeUndefined();
    expect(isDiskFull(error)).toBe(false);
  });

  it.each([
    ["a full disk", system("ENOSPC", "/p/x"), "DISK_FULL", "The disk of /p/x is full"],
    ["a table that is gone", new Error("no such table: events"), "STORE_DAMAGED", "no such table: events"],
    ["a full disk, without a path", sqlite(13), "DISK_FULL", "A disk is full: sqlite says no"],
    ["a read-only file system", system("EROFS", "/p/x"), "FILE_NOT_ALLOWED", "/p/x is on a read-only"],
    [
      "a file of another user",
      system("EACCES", "/etc/shadow"),
      "FILE_NOT_ALLOWED",
      "/etc/shadow cannot be used",
    ],
  ])("is explained wherever the file is: %s", (_name, error, code, text) => {
    const message = expect.stringContaining(text);
    expect(explainUnexpectedFileTrouble(error)).toMatchObject({ code, message, cause: error });
  });

  it.each([
    ["something else", new TypeError("x is not a function")],
    ["what already says what to do", explained("INPUT_UNREADABLE", system("EROFS", "/p/x"))],
    ["a full disk that is explained", explained("DISK_FULL", system("ENOSPC"))],
  ])("is left as it is: %s", (_name, error) => {
    expect(explainUnexpectedFileTrouble(error)).toBeUndefined();
  });

  it("does not loop over circular causes", () => {
    const error = new Error("round");
    error.cause = error;
    expect(isDiskFull(error)).toBe(false);
  });

  it("is recognised when the system really throws it", () => {
    const thrown = catchError(() => writeFileSync("/dev/full", "x"));
    expect(explainFileTrouble(thrown, "/dev")).toMatchObject({ code: "DISK_FULL" });
  });
});

function catchError(action: () => void): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
