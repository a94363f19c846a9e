import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";
import { runShell, type CliResult } from "./run-cli.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
  project.write("source.sh", "exit 0\n");
  project.write("zproduct", "exit 0\n");
  project.write(
    "Makefile",
    "test: zproduct\n\t@sh zproduct\nzproduct: source.sh\n\t@cp source.sh zproduct\n",
  );
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "a program that is built");
});
afterEach(() => project.remove());

/** Without the rights of root, in a container whose list of users does not have this one. */
function asUnknownUser(line: string): Promise<CliResult> {
  return runShell(`exec unshare --user --map-user=54321 --map-group=54321 -- bash -c '${line}'`, {
    directory: project.root,
    home: join(dirname(project.root), "home"),
    environment: { AMBIT_IDLE_MS: "400" },
  });
}

describe("an ordinary user", () => {
  it("needs no name on this machine", async () => {
    expect((await asUnknownUser("id --user; getent passwd 54321 || echo unknown")).stdout).toBe(
      "54321\nunknown\n",
    );
    const run = await asUnknownUser('$ambit run Nothing --id U1 --check "make -s test" -- true');
    expect(run).toMatchObject({ status: 0, stderr: expect.not.stringContaining("INTERNAL") });
  });

  it("has no broken work proven by what was built before (SPEC 8)", async () => {
    const work = '-- sh -c "echo exit 1 > source.sh"';
    const run = await asUnknownUser(`$ambit run Break --id U2 --check "make -s test" ${work}`);
    expect(run).toMatchObject({ status: 3, stdout: expect.stringContaining("CRITERION_FAILED") });
  });
});
