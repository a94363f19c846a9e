import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeProject, until, type Project } from "./project.ts";

let project: Project;
let pid: number;

beforeEach(async () => {
  project = makeProject();
  const mark = join(project.root, "..", "started");
  const line = `touch ${mark}; sleep 300`;
  await project.ambit("run", "Wait", "--id", "W1", "--detach", "--", "sh", "-c", line);
  await until("the worker runs", () => existsSync(mark));
  pid = await project.supervisorPid();
});
afterEach(async () => {
  // The stopped supervisor cannot leave by itself. The second test has already killed it.
  await project.ambit("supervisor", "stop", "--force");
  await project.remove();
});

const asking: readonly (readonly string[])[] = [
  ["supervisor", "status"],
  ["supervisor", "stop"],
  ["stop", "W1"],
  ["resume", "W1"],
  ["attach", "W1"],
  ["message", "send", "W1", "hello"],
  ["run", "Another", "--", "true"],
];

it(
  "a stopped supervisor hangs no command: each ends and names the process that does not answer",
  { timeout: 90_000 },
  async () => {
    process.kill(pid, "SIGSTOP");
    const results = await Promise.all(asking.map((words) => project.ambit(...words)));
    for (const [index, { status, stderr }] of results.entries()) {
      expect([asking[index], status, stderr]).toMatchObject([
        {},
        6,
        expect.stringContaining("SUPERVISOR_STUCK"),
      ]);
      expect(stderr).toContain(`process ${pid},`);
      expect(stderr).toContain("ambit supervisor stop --force");
    }
    const [doctor, explain] = await Promise.all([project.ambit("doctor"), project.ambit("explain", "W1")]);
    expect(doctor.stdout).toMatch(/[✔!] git .*[\s\S]*✖ supervisor .*does not answer/);
    expect(doctor.status).toBe(6);
    expect(explain.stdout).toMatch(/does not answer[\s\S]*ambit supervisor stop --force/);
  },
);

it(
  "a stopped supervisor is killed by stop --force, and its story can then be stopped without starting again",
  { timeout: 90_000 },
  async () => {
    process.kill(pid, "SIGSTOP");
    const stopped = await project.ambit("supervisor", "stop", "--force");
    expect([stopped.status, stopped.stdout]).toEqual([
      0,
      expect.stringContaining(`Process ${pid} did not answer`),
    ]);
    expect(await project.json("status", "W1")).toMatchObject({ interrupted: true, status: "running" });
    expect((await project.ambit("status", "W1")).stdout).toMatch(/interrupted.*\n.*ambit resume W1/);
    expect((await project.ambit("tree", "W1")).stderr).toContain("No supervisor is running");
    expect((await project.ambit("stop", "W1")).status).toBe(0);
    // The worker was not started again only to be stopped.
    expect((await project.ambit("audit", "W1")).stdout.match(/attempt-started/g)).toHaveLength(1);
    expect(await project.json("status", "W1")).toMatchObject({ status: "cancelled", is_over: true });
  },
);

it("stop waits for a supervisor that is leaving, though it accepts no calls anymore", async () => {
  const mark = join(project.root, "..", "ignoring");
  // Long enough to run commands in the meantime, on a busy machine, too.
  project.write("ambit.yaml", "delegation:\n  windDown:\n    graceSeconds: 8\n");
  const line = `trap "" TERM; touch ${mark}; while :; do sleep 1; done`;
  await project.ambit("run", "Stay", "--id", "W2", "--detach", "--", "sh", "-c", line);
  await until("the second worker runs", () => existsSync(mark));
  process.kill(pid, "SIGTERM");
  await until(
    "it takes no calls",
    async () => (await project.json("supervisor", "status"))["running"] === false,
  );
  expect(isRunning(pid)).toBe(true);
  expect(await project.json("supervisor", "stop")).toMatchObject({ running: false, pid });
  expect(isRunning(pid)).toBe(false);
});

function isRunning(process: number): boolean {
  try {
    // A process that has ended but was not waited for still has a folder.
    return !readFileSync(`/proc/${process}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
