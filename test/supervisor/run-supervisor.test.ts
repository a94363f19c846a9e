import { dirname, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectSupervisor, type SupervisorClient } from "../../src/supervisor/client.ts";
import { runInProcess } from "../../src/supervisor/run-in-process.ts";
import { runSupervisor } from "../../src/supervisor/run-supervisor.ts";
import { supervisorFiles } from "../../src/supervisor/supervisor-files.ts";
import { runInProcess as runCommandLine } from "../cli/run-in-process.ts";
import { makeProject, type Project } from "../e2e/project.ts";
import { removeFolder } from "../e2e/remove-folder.ts";

let project: Project;
let log: string[];
let done: Promise<void> | undefined;

const workerProgram = [process.execPath, resolve("dist/cli/main.cjs"), "__worker"];
const program = [process.execPath, resolve("dist/cli/main.cjs")];
const environment = () => ({ PATH: process.env["PATH"], HOME: dirname(project.root) });
const start = (idleMs: number): Promise<void> =>
  (done = runSupervisor({
    projectRoot: project.root,
    version: "1.2.3",
    environment: environment(),
    workerProgram,
    program,
    idleMs,
    log: (line) => log.push(line),
  }));
const connected = async (): Promise<SupervisorClient> => {
  for (;;) {
    const client = await connectSupervisor(supervisorFiles(project.root), { version: "1.2.3" });
    if (client !== undefined) return client;
    await new Promise((wait) => setTimeout(wait, 10));
  }
};
const commandLine = (...words: string[]) =>
  runCommandLine(words, {
    directory: project.root,
    environment: { PATH: process.env["PATH"] ?? "", HOME: dirname(project.root) },
  });
/** The closing event of a story, as a client that follows it sees it. */
const ended = async (client: SupervisorClient, story: string): Promise<unknown> => {
  const end = new Promise((resolveEnd) =>
    client.onNotice(({ notice, data: event }) => {
      if (notice !== "event") return;
      if (event.type === "delegation-closed" && event.delegation === story) resolveEnd(event.data);
    }),
  );
  await client.call("attach", { story });
  return end;
};

beforeEach(() => {
  project = makeProject();
  log = [];
  done = undefined;
});
afterEach(async () => {
  const client = await connectSupervisor(supervisorFiles(project.root), { version: "1.2.3" });
  await client?.call("shutdown", {});
  await done;
  removeFolder(dirname(project.root));
});

describe("a supervisor", () => {
  it("runs a story for its client, informs watchers, and exits when idle", async () => {
    const life = start(200);
    const client = await connected();
    const request = {
      id: "Y1",
      title: "Say",
      adapter: "command",
      command: ["sh", "-c", "echo one; echo x > x.txt; sleep 0.5"],
    };
    expect(await client.call("run", request)).toEqual({
      story: "Y1",
      warnings: [expect.stringContaining("All tests pass")],
    });
    expect(await client.call("status", {})).toMatchObject({ version: "1.2.3", running: ["Y1"] });
    await expect(client.call("run", request)).rejects.toMatchObject({ code: "STORY_EXISTS" });
    expect(await ended(client, "Y1")).toMatchObject({ outcome: "partial", filesChanged: ["x.txt"] });
    // Who comes late is told the same story.
    expect(await ended(client, "Y1")).toMatchObject({ outcome: "partial" });
    await expect(client.call("attach", { story: "nobody" })).rejects.toMatchObject({
      code: "STORY_NOT_FOUND",
    });
    const stop = { id: "Y1", reason: "x", by: "y" };
    expect(await client.call("stop", stop)).toEqual({ stopped: false, outcome: "partial" });
    client.close();
    await life;
    expect(log.at(-1)).toBe("leaving");
  });

  it("tells the client why a story could not run", async () => {
    void start(10_000);
    const client = await connected();
    await client.call("run", { id: "Y2", title: "x", adapter: "command", command: ["no-such-program"] });
    expect(await ended(client, "Y2")).toMatchObject({ outcome: "failed", code: "TOOL_UNAVAILABLE" });
    await expect(client.call("run", { id: "bad id" })).rejects.toMatchObject({ code: "USAGE" });
    client.close();
  });

  it("stops its work before it exits", async () => {
    const life = start(10_000);
    const client = await connected();
    await client.call("run", { id: "Y3", title: "x", adapter: "command", command: ["sleep", "7391"] });
    const end = ended(client, "Y3");
    await client.call("shutdown", {});
    expect(await end).toMatchObject({ outcome: "cancelled" });
    await life;
  });

  it("is unique per project, and no story runs without it meanwhile", async () => {
    void start(10_000);
    const client = await connected();
    const second = runSupervisor({
      projectRoot: project.root,
      version: "9",
      environment: environment(),
      workerProgram,
      program,
      idleMs: 1,
      log: () => undefined,
    });
    await expect(second).rejects.toMatchObject({ code: "SUPERVISOR_RUNNING" });
    const options = {
      projectRoot: project.root,
      version: "9",
      environment: environment(),
      workerProgram,
      program,
      event: () => undefined,
      output: () => undefined,
      abort: new AbortController().signal,
      warn: () => undefined,
    };
    const here = runInProcess(options, { id: "Y4", title: "x", adapter: "command", command: ["true"] });
    await expect(here).rejects.toThrow(new RegExp(`process ${process.pid}`));
    client.close();
  });
});

describe("commands about running work", () => {
  it("run a story in process, and report, clean and diagnose", async () => {
    const run = await commandLine(
      "run",
      "Write",
      "--id",
      "Z1",
      "--in-process",
      "--json",
      "--",
      "sh",
      "-c",
      "echo c > c.txt",
    );
    expect(run).toMatchObject({ exitCode: 3 });
    expect(JSON.parse(run.stdout)).toMatchObject({ story: "Z1", outcome: "partial", files_changed: 1 });
    expect(run.stderr).toContain("running");
    expect((await commandLine("supervisor", "status")).stdout).toContain("No supervisor is running");
    expect((await commandLine("supervisor", "stop")).stdout).toContain("No supervisor is running");
    expect((await commandLine("stop", "Z1")).stdout).toContain("not running");
    expect((await commandLine("clean", "--dry-run")).stdout).toContain("0 removed, 0 left");
    expect((await commandLine("clean")).stdout).toContain("0 removed, 0 left");
    const health = await commandLine("doctor");
    expect(health.exitCode).toBe(0);
    for (const name of ["node", "git", "containment", "sandbox", "open work", "leftovers"])
      expect(health.stdout).toContain(name);
    expect((await commandLine("doctor", "--ascii")).stdout).toContain("ok   node");
  });

  it("run, follow and stop stories through a supervisor, and attach to them", async () => {
    void start(10_000);
    (await connected()).close();
    const run = await commandLine("run", "Say", "--id", "Z2", "--", "sh", "-c", "echo hello; echo c > c.txt");
    expect(run).toMatchObject({ exitCode: 3 });
    expect(run.stdout).toContain("kept     branch delegation/Z2");
    const long = commandLine("run", "Long", "--id", "Z3", "--", "sleep", "7392");
    await expect.poll(async () => (await commandLine("supervisor", "status")).stdout).toContain("running Z3");
    expect((await commandLine("run", "Away", "--id", "Z4", "--detach", "--", "true")).stdout).toContain(
      "Z4 is running",
    );
    const watching = commandLine("attach", "Z3");
    expect((await commandLine("stop", "Z3", "--reason", "enough")).stdout).toContain(
      "has stopped (cancelled)",
    );
    expect((await long).stdout).toContain("cancelled");
    expect((await watching).stdout).toContain("cancelled");
    expect((await commandLine("attach", "Z2")).stdout).toContain("partial");
    expect((await commandLine("run", "x", "--id", "Z5", "--", "no-such-program")).exitCode).toBe(6);
    expect((await commandLine("supervisor", "stop")).stdout).toContain("has stopped");
  });
});
