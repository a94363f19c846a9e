import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callAsWorker } from "../../src/supervisor/worker-client.ts";
import { openExternalManager, type ExternalManager } from "../../src/supervisor/external-manager-client.ts";
import { describeAgent } from "../orchestrator/open-runtime.ts";
import { done, waitFor, write } from "../orchestrator/steps.ts";
import { makeProject, until, userState, type Project } from "./project.ts";
import { cli } from "./run-cli.ts";

let project: Project;
let version: string;
const managers: ExternalManager[] = [];

/** Leads a story as `ambit mcp` does in a person's terminal. */
async function lead(options: { readonly story?: string; readonly environment?: object } = {}) {
  const { environment = {}, ...more } = options;
  const manager = await openExternalManager({
    projectRoot: project.root,
    version,
    program: [process.execPath, cli, "__supervisor"],
    environment: {
      PATH: process.env["PATH"],
      HOME: dirname(project.root),
      AMBIT_IDLE_MS: "400",
      ...environment,
    },
    client: "claude-code",
    ...more,
  });
  managers.push(manager);
  return manager;
}

const call = ({ socket, token }: ExternalManager, method: string, parameters: object) =>
  callAsWorker(socket, { method, parameters: { ...parameters, token } });
const tasks = (...names: string[]) => names.map((agent) => ({ description: `Part ${agent}`, agent }));
const statusOf = async (story: string): Promise<unknown> => (await project.json("status", story))["status"];
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const closings = async (id: string): Promise<number> => {
  const { events } = await project.json("logs", id, "--events");
  const all = Array.isArray(events) ? events : [];
  return all.filter(({ type, delegation }) => type === "delegation-closed" && delegation === id).length;
};

beforeEach(async () => {
  project = makeProject();
  version = String((await project.json("version"))["version"]);
});
afterEach(async () => {
  for (const manager of managers.splice(0)) manager.close();
  await project.remove();
});

function commitAgents(agents: Readonly<Record<string, readonly object[]>>): void {
  for (const [name, script] of Object.entries(agents)) describeAgent(project, name, [...script]);
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "agents");
}

describe("an agent in a person's own terminal", () => {
  it("leads a story: two workers, results, the person's files untouched until ambit merge (R80)", async () => {
    commitAgents({
      left: [write("left.txt", "left\n"), done("Left. Done.")],
      right: [write("right.txt", "right\n"), done("Right. Done.")],
    });
    const before = userState(project);
    const manager = await lead();
    const { story } = manager;
    const answer = await call(manager, "delegate", { tasks: tasks("left", "right"), waitSeconds: 50 });
    expect(answer).toMatchObject({ done: true, tasks: [{ admitted: true }, { admitted: true }] });
    expect(userState(project)).toEqual(before);
    expect(await statusOf(story)).toBe("running");
    expect((await project.ambit("tree", story)).stdout).toContain("Work managed by claude-code");
    expect((await project.ambit("status", story)).stdout).toContain("2 of 2 done");
    expect((await project.ambit("explain", story)).stdout).toContain("external manager");
    expect((await project.ambit("logs", story)).status).toBe(0);
    expect((await project.ambit("inbox")).status).toBe(0);
    expect((await project.json("diff", story, "--name-only"))["files"]).toMatchObject([
      { path: "left.txt" },
      { path: "right.txt" },
    ]);
    // The agent is still connected, and proven work can be merged all the same.
    expect(await project.ambit("merge", story, "--yes")).toMatchObject({ status: 0 });
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.git("show", "HEAD:left.txt")).toBe("left\n");
    manager.close();
    await until("it has ended", async () => (await statusOf(story)) === "completed");
    expect(await closings(story)).toBe(1);
    expect((await project.ambit("explain", story)).stdout).toContain("completed");
    expect((await project.ambit("resume", story)).status).toBe(0);
  });

  it("loses no work when it disconnects in the middle, and the supervisor exits afterwards", async () => {
    const gate = `${dirname(project.root)}/gate`;
    commitAgents({ slow: [waitFor(gate), write("slow.txt", "x"), done()] });
    const manager = await lead();
    const { story } = manager;
    const pid = await project.supervisorPid();
    await call(manager, "delegate", { tasks: tasks("slow"), waitSeconds: 0 });
    manager.close();
    await manager.closed;
    await until("nobody leads it", async () => {
      const { why } = await project.json("explain", story);
      return JSON.stringify(why).includes(`waits for ${story}-DEL-001`);
    });
    const early = await project.ambit("merge", story, "--yes");
    expect(early.status).not.toBe(0);
    expect(early.stderr).toContain("Delegate the rest again");
    project.write("../gate", "");
    await until("it has ended", async () => (await statusOf(story)) === "completed");
    await until("the supervisor has left", () => !isAlive(pid));
    expect(await project.ambit("merge", story, "--yes")).toMatchObject({ status: 0 });
    expect(await closings(story)).toBe(1);
  });

  it("can be rejoined by its restarted client, and by no other", async () => {
    commitAgents({ quick: [write("quick.txt", "x"), done()] });
    const first = await lead({ environment: { AMBIT_IDLE_MS: "20000" } });
    first.close();
    await first.closed;
    expect(first.isOpen()).toBe(false);
    const again = await lead({ story: first.story });
    expect(again).toMatchObject({ story: first.story });
    expect(again.token).not.toBe(first.token);
    await expect(call(first, "status", {})).rejects.toMatchObject({ code: "NOT_A_WORKER" });
    expect(await call(again, "delegate", { tasks: tasks("quick"), waitSeconds: 50 })).toMatchObject({
      done: true,
    });
    await call(again, "submit_return", { status: "completed", summary: "In." });
    await again.closed;
    expect(again.isOpen()).toBe(false);
    expect(await statusOf(first.story)).toBe("completed");
    await expect(lead({ story: first.story })).rejects.toMatchObject({ code: "PARENT_NOT_RUNNING" });
  });

  it("has its own story next to another one's, and cannot act on that one", async () => {
    commitAgents({ quick: [write("quick.txt", "x"), done()] });
    const [one, two] = [await lead(), await lead()];
    expect(one.story).not.toBe(two.story);
    await call(one, "delegate", { tasks: tasks("quick"), waitSeconds: 50 });
    await expect(call(two, "result", { id: `${one.story}-DEL-001` })).rejects.toMatchObject({
      code: "DELEGATION_NOT_FOUND",
    });
    expect(await call(one, "result", { id: `${one.story}-DEL-001` })).toMatchObject({ outcome: "completed" });
    two.close();
    await until("the other has ended", async () => (await statusOf(two.story)) === "cancelled");
    expect(await statusOf(one.story)).toBe("running");
  });

  it("is not available to workers", async () => {
    await expect(lead({ environment: { AMBIT_TOKEN: "x" } })).rejects.toMatchObject({ code: "NOT_A_PERSON" });
  });
});

describe("a story of an external manager whose supervisor was killed", () => {
  it("continues its workers with the next command, and ends with them if its manager does not return", async () => {
    const gate = `${dirname(project.root)}/gate`;
    commitAgents({ slow: [waitFor(gate), write("slow.txt", "x"), done()] });
    const manager = await lead();
    const { story } = manager;
    await call(manager, "delegate", { tasks: tasks("slow"), waitSeconds: 0 });
    await until("it runs", async () =>
      JSON.stringify(await project.json("status", story)).includes('"running"'),
    );
    process.kill(await project.supervisorPid(), "SIGKILL");
    await manager.closed;
    expect(manager.isOpen()).toBe(false);
    project.write("../gate", "");
    await project.ambit("resume", story, "--detach");
    await until("it has ended", async () => (await statusOf(story)) === "completed");
    expect(await closings(story)).toBe(1);
    expect(project.git("show", `ambit/${story}:slow.txt`)).toBe("x");
    expect(await project.ambit("merge", story, "--yes")).toMatchObject({ status: 0 });
  });

  it("accepts its manager again, which finds its workers", async () => {
    const gate = `${dirname(project.root)}/gate`;
    commitAgents({ slow: [waitFor(gate), write("slow.txt", "x"), done()] });
    const manager = await lead({ environment: { AMBIT_IDLE_MS: "20000" } });
    const { story } = manager;
    await call(manager, "delegate", { tasks: tasks("slow"), waitSeconds: 0 });
    process.kill(await project.supervisorPid(), "SIGKILL");
    await manager.closed;
    const again = await lead({ story, environment: { AMBIT_IDLE_MS: "20000" } });
    project.write("../gate", "");
    expect(await call(again, "wait", { waitSeconds: 50 })).toMatchObject({
      done: true,
      tasks: [{ delegation_id: `${story}-DEL-001`, result: { success: true } }],
    });
    expect(await statusOf(story)).toBe("running");
    await call(again, "submit_return", { status: "completed", summary: "In." });
    await again.closed;
    expect(await statusOf(story)).toBe("completed");
    expect(await closings(story)).toBe(1);
  });
});
