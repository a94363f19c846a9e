import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";
import { runShell, type CliResult } from "./run-cli.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

function inShell(line: string, environment: Readonly<Record<string, string>> = {}): Promise<CliResult> {
  const { root } = project;
  return runShell(line, {
    directory: root,
    home: join(root, "../home"),
    environment: { AMBIT_IDLE_MS: "400", ...environment },
  });
}

it.each(["/nonexistent/folder", "/etc/passwd"])(
  "ambit works with a TMPDIR that is no folder for temporary files: %s",
  async (folder) => {
    const told = { TMPDIR: folder };
    const run = await inShell("$ambit run Work --id T1 --check 'test -f x' -- sh -c 'echo x > x'", told);
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining("completed")]);
    expect(await inShell("$ambit doctor", told)).toMatchObject({ status: 0, stderr: "" });
    expect(await inShell("$ambit audit --verify --full", told)).toMatchObject({ status: 0 });
  },
);

it("a limit of open files that is too low is named as the reason why git cannot be run", async () => {
  const run = await inShell("ulimit -n 32; $ambit run Work --id T1 -- true");
  expect(run.status).toBe(6);
  expect(run.stderr).toMatch(/Cannot run "git": spawn git EMFILE\n +next +Allow more open files/);
});
