import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, userState, type Project } from "./project.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

/** The guide's own program, as a file that imports the built package by its name. */
function guideProgram(): string {
  const guide = readFileSync("docs/guides/library.md", "utf8");
  const [, program = ""] = /```js\n(?<program>[\s\S]*?)```/.exec(guide) ?? [];
  const folder = dirname(project.root);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("."), join(folder, "node_modules", "ambit"));
  const file = join(folder, "program.mjs");
  writeFileSync(file, program);
  return file;
}

describe("the library", () => {
  it("runs the program of its guide (R84)", async () => {
    const before = userState(project);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [guideProgram(), project.root], {
      env: { PATH: process.env["PATH"], HOME: dirname(project.root), AMBIT_TRUST: "1" },
    });
    expect(stdout).toBe("completed\ngreeting.txt\ndelegation-merged HELLO-1\n");
    expect(stderr).toContain("delegation-merged HELLO-1");
    expect(project.git("show", "ambit/HELLO-1:greeting.txt")).toBe("hello\n");
    expect(userState(project)).toEqual(before);
    expect((await project.ambit("audit", "--verify")).status).toBe(0);
  });
});
