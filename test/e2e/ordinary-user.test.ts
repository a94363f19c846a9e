import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startEcho } from "../containment/echo-service.ts";
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

  it("reads that a port is in use, and not that the work is at fault", async () => {
    const port = await startEcho();
    const listen = `require("node:net").createServer().listen(${port}, "127.0.0.1")`;
    project.write("listen.cjs", listen);
    const without = "bwrap --dev-bind / / --ro-bind /dev/null /usr/bin/bwrap --";
    for (const [id, wrap] of [
      ["U3", ""],
      ["U4", without],
    ] as const) {
      const run = await asUnknownUser(
        `${wrap} $ambit run Listen --id ${id} --allow-red-base --check "node listen.cjs" -- touch ${id}`,
      );
      const { stdout } = await asUnknownUser(`$ambit verify ${id} --json`);
      expect(run.stdout + run.stderr + stdout).toContain(
        `Port ${port} is in use by a program of another user: a collision with another program, not a fault of the work`,
      );
    }
  });

  it("reads in the doctor how large each workspace's copy of the dependencies is", async () => {
    project.write(".gitignore", "node_modules\n");
    project.write("node_modules/big/file", "x".repeat(2_500_000));
    const check = '--check "test -s node_modules/big/file"';
    expect(await asUnknownUser(`$ambit run Nothing --id U5 ${check} -- true`)).toMatchObject({ status: 0 });
    const { stdout } = await asUnknownUser("$ambit doctor");
    expect(stdout).toMatch(/each has a copy of the dependencies,.* 3 MB/);
  });

  it("gets no broken work proven by earlier build output (SPEC 8)", async () => {
    const work = '-- sh -c "echo exit 1 > source.sh"';
    const run = await asUnknownUser(`$ambit run Break --id U2 --check "make -s test" ${work}`);
    expect(run).toMatchObject({ status: 3, stdout: expect.stringContaining("CRITERION_FAILED") });
  });
});
