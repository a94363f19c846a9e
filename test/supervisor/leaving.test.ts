import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openReader } from "../../src/journal/open-reader.ts";
import { storeFile } from "../../src/journal/store-file.ts";
import { connectSupervisor } from "../../src/supervisor/client.ts";
import { ensureSupervisor, type EnsureOptions } from "../../src/supervisor/ensure-supervisor.ts";
import { runSupervisor } from "../../src/supervisor/run-supervisor.ts";
import { CallNotTaken, connectLine } from "../../src/supervisor/socket/line-client.ts";
import { SocketServer, type Handler } from "../../src/supervisor/socket/socket-server.ts";
import { supervisorFiles } from "../../src/supervisor/supervisor-files.ts";
import { makeProject, type Project } from "../e2e/project.ts";
import { removeFolder } from "../e2e/remove-folder.ts";

describe("a server that leaves", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "ambit-leaving-"));
    path = join(folder, "s.sock");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const serve = async (handler: Handler): Promise<SocketServer> => {
    const server = new SocketServer(new Map([["count", handler]]));
    await server.listen(path);
    return server;
  };
  const connect = async () => {
    const client = await connectLine(path);
    if (client === undefined) throw new Error("no server listens");
    return client;
  };

  it.each([0, 1, 7, 99, 100])(
    "answers the %i calls that it accepted, and rejects the others without running them",
    async (limit) => {
      let made = 0;
      const server: SocketServer = await serve(async () => {
        made += 1;
        if (made === limit) server.leave();
        await new Promise((wait) => setTimeout(wait, 5));
        return made;
      });
      const client = await connect();
      if (limit === 0) server.leave();
      const calls = await Promise.allSettled(Array.from({ length: 100 }, () => client.call("count", {})));
      const answered = calls.filter(({ status }) => status === "fulfilled");
      expect(answered).toHaveLength(limit);
      expect(made).toBe(limit);
      for (const call of calls.slice(limit))
        expect(call.status === "rejected" && call.reason).toBeInstanceOf(CallNotTaken);
      await expect(client.call("count", {})).rejects.toBeInstanceOf(CallNotTaken);
      client.close();
      await server.close();
    },
  );

  it("stops listening at once", async () => {
    const server = await serve(async () => 1);
    server.leave();
    expect(await connectLine(path)).toBeUndefined();
    await server.close();
  });
});

describe("a command that meets a supervisor which is leaving", () => {
  const VERSION = "0.0.0";
  const program = [process.execPath, resolve("dist/cli/main.cjs")];
  let project: Project;
  let options: EnsureOptions;
  beforeEach(() => {
    project = makeProject();
    const environment = { PATH: process.env["PATH"], HOME: dirname(project.root), AMBIT_IDLE_MS: "1" };
    options = {
      projectRoot: project.root,
      version: VERSION,
      program: [...program, "__supervisor"],
      environment,
    };
  });
  afterEach(async () => {
    const client = await connectSupervisor(supervisorFiles(project.root), { version: VERSION });
    await client?.call("shutdown", {});
    await client?.closed;
    removeFolder(dirname(project.root));
  });

  const runHere = (onLog: (line: string) => void): Promise<void> =>
    runSupervisor({
      projectRoot: project.root,
      version: VERSION,
      environment: options.environment,
      workerProgram: [...program, "__worker"],
      program,
      idleMs: 1,
      log: onLog,
    });
  /** A story of one program, which is there exactly once and ends. */
  const startStory = async (id: string): Promise<void> => {
    const client = await ensureSupervisor(options);
    const request = { id, title: id, adapter: "command", command: ["true"] };
    expect(await client.call("run", request)).toEqual({
      story: id,
      warnings: [expect.stringContaining("All tests pass")],
    });
    client.close();
  };
  const countStories = async (): Promise<number> => {
    const reader = openReader(storeFile(project.root));
    const stories = await reader?.stories(1000);
    await reader?.close();
    return stories?.length ?? 0;
  };

  it("starts the next one when the last one has just decided to leave because it is idle", async () => {
    let started: Promise<void> | undefined;
    await runHere((line) => {
      if (line === "leaving") started = startStory("L1");
    });
    await started;
    expect(await countStories()).toBe(1);
  });

  it("says that the next one is still starting, when it has neither failed nor answered in time", async () => {
    const program = [process.execPath, "-e", "setTimeout(() => {}, 3000)"];
    await expect(ensureSupervisor({ ...options, program, maxStartMs: 900 })).rejects.toMatchObject({
      code: "SUPERVISOR_GONE",
      message: "The supervisor was started and does not listen after 1 s; the machine may be very busy.",
    });
  });

  it("sends the call to the next one if it was connected but its call was not taken", async () => {
    const life = runHere(() => undefined);
    const [one, other] = await Promise.all([ensureSupervisor(options), ensureSupervisor(options)]);
    expect([one.hello.pid, other.hello.pid]).toEqual([process.pid, process.pid]);
    await one.call("shutdown", {});
    const request = { id: "L2", title: "x", adapter: "command", command: ["true"] };
    const [, answer, status] = await Promise.all([
      life,
      other.call("run", request),
      other.call("status", {}),
    ]);
    expect(answer).toEqual({ story: "L2", warnings: [expect.stringContaining("All tests pass")] });
    expect(status.pid).not.toBe(process.pid);
    await expect(other.call("run", request)).rejects.toMatchObject({ code: "STORY_EXISTS" });
    other.close();
    expect(await countStories()).toBe(1);
  });

  it("succeeds in a row of twelve between which supervisors come and go", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `L3-${index}`);
    const [first, second] = [names.slice(0, 6), names.slice(6)];
    const runAll = async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) await startStory(id);
    };
    await Promise.all([runAll(first), runAll(second)]);
    expect(await countStories()).toBe(12);
  });
});
