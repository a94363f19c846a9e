import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { TestRuntime } from "./open-runtime.ts";
import { until, userState } from "../e2e/project.ts";
import { comeFromOutside, it } from "./outside-runtime.ts";
import { ask, because, delegate, done, returns, shell, waitFor, write } from "./steps.ts";

const part = (description: string, agent: string, more: object = {}) => ({ description, agent, ...more });
const terminalEvents = (runtime: TestRuntime, id: string): number =>
  runtime.history(id).filter((type) => type === "delegation-closed").length;

describe.concurrent("an external manager", () => {
  it("delegates, waits, and its workers' work is merged into the story's branch; nothing of the person's is touched (R80)", async ({
    open,
  }) => {
    // One slot: a manager that held one would wait for its workers for ever.
    const runtime = await open("delegation:\n  parallel: {maxConcurrent: 1}\n");
    runtime.agent("left", [write("left.txt", "left\n"), done("Left. Done.")]);
    runtime.agent("right", [write("right.txt", "right\n"), done("Right. Done.")]);
    const before = userState(runtime.project);
    const me = await comeFromOutside(runtime);
    expect(await runtime.read(me.story)).toMatchObject({ state: "running", attempt: 1, depth: 0 });
    const answer = await me.call("delegate", {
      tasks: [part("The left", "left"), part("The right", "right")],
      waitSeconds: 50,
    });
    expect(answer).toMatchObject({
      done: true,
      tasks: [{ result: { success: true } }, { result: { success: true } }],
    });
    expect(answer).toHaveProperty("advice", expect.stringContaining(`ambit merge ${me.story}`));
    expect(answer).not.toHaveProperty("advice", expect.stringContaining("your folder"));
    expect(userState(runtime.project)).toEqual(before);
    expect(runtime.file(`refs/heads/ambit/${me.story}`, "left.txt")).toBe("left\n");
    expect(runtime.file(`refs/heads/ambit/${me.story}`, "right.txt")).toBe("right\n");
    expect((await runtime.read(me.story)).state).toBe("running");
    await me.call("submit_return", { status: "completed", summary: "All parts are in." });
    expect(await runtime.engine.whenEnded(me.story)).toMatchObject({
      outcome: "completed",
      attempt: 1,
      summary: "All parts are in. 2 of 2 delegations completed.",
      filesChanged: ["left.txt", "right.txt"],
    });
    expect(terminalEvents(runtime, me.story)).toBe(1);
    expect(runtime.told(me.story, "workspace-created")).toEqual([]);
    expect(userState(runtime.project)).toEqual(before);
  });

  it("ends partial if a worker does, and says which; cancelled if nothing was delegated", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("good", [write("good.txt", "x"), done()]);
    runtime.agent("bad", [returns("failed", "Could not. Sorry.", because("No compiler."))]);
    const me = await comeFromOutside(runtime);
    await me.call("delegate", { tasks: [part("Good", "good"), part("Bad", "bad")], waitSeconds: 50 });
    await me.call("submit_return", { status: "completed", summary: "All is well." });
    const ended = await runtime.engine.whenEnded(me.story);
    expect(ended).toMatchObject({ outcome: "partial", filesChanged: ["good.txt"] });
    expect(ended.summary).toContain(
      `1 of 2 delegations completed. Not completed: ${me.story}-DEL-002 failed`,
    );
    const other = await comeFromOutside(runtime);
    await other.call("submit_return", { status: "completed", summary: "Nothing to do." });
    expect(await runtime.engine.whenEnded(other.story)).toMatchObject({ outcome: "cancelled", code: null });
    expect(runtime.ref(`refs/heads/ambit/${other.story}`)).toBe("");
  });

  it("gives its workers the person's current files, edits of the same line included", async ({ open }) => {
    const runtime = await open();
    const read = (name: string) => [shell(`cat a.txt > ${name}.txt`), done()];
    for (const name of ["one", "two", "three"]) runtime.agent(name, read(name));
    const me = await comeFromOutside(runtime);
    const see = async (agent: string): Promise<string | undefined> => {
      await me.call("delegate", { tasks: [part(`Look ${agent}`, agent)], waitSeconds: 50 });
      return runtime.file(`refs/heads/ambit/${me.story}`, `${agent}.txt`);
    };
    expect(await see("one")).toBe("one\n");
    runtime.project.write("a.txt", "edited once\n");
    expect(await see("two")).toBe("edited once\n");
    runtime.project.write("a.txt", "edited twice\n");
    const before = userState(runtime.project);
    expect(await see("three")).toBe("edited twice\n");
    expect(userState(runtime.project)).toEqual(before);
    expect(runtime.told(me.story, "work-kept")).toHaveLength(3);
  });

  it("continues after the person merged the work done so far", async ({ open }) => {
    const runtime = await open();
    runtime.agent("first", [write("a.txt", "one\ntwo\n"), done()]);
    runtime.agent("second", [shell("cat a.txt own.txt > seen.txt"), done()]);
    runtime.project.git("add", "-A");
    runtime.project.git("commit", "--quiet", "-m", "agents");
    const me = await comeFromOutside(runtime);
    await me.call("delegate", { tasks: [part("First", "first")], waitSeconds: 50 });
    runtime.project.git("merge", "--quiet", "--ff-only", `ambit/${me.story}`);
    runtime.project.write("a.txt", "one\nTWO\n");
    runtime.project.write("own.txt", "own\n");
    await me.call("delegate", { tasks: [part("Second", "second")], waitSeconds: 50 });
    expect(runtime.file(`refs/heads/ambit/${me.story}`, "seen.txt")).toBe("one\nTWO\nown\n");
  });

  it("is bound by the project's limits of count, depth and budget, and by the agents that exist (R61, R64, R125)", async ({
    open,
  }) => {
    const settings =
      "delegation:\n  maxDelegationsPerStory: 2\n  maxDepth: 1\n  cost: {perStoryUsd: 1, perDelegationUsd: 1}\n";
    const runtime = await open(settings);
    runtime.agent("x", [done()]);
    runtime.agent("eager", [delegate([part("Deeper", "x")]), done()]);
    const me = await comeFromOutside(runtime);
    const codes = async (...tasks: object[]): Promise<unknown> => {
      const { tasks: told } = Object(await me.call("delegate", { tasks, waitSeconds: 50 }));
      return told.map((task: { codes?: unknown }) => task.codes ?? "admitted");
    };
    expect(await codes(part("1", "x"), part("2", "x"), part("3", "x"))).toEqual(
      [1, 2, 3].map(() => ["TOO_MANY_DELEGATIONS"]),
    );
    expect(await codes(part("Dear", "x", { budget_usd: 2 }))).toEqual([["COST_LIMIT_EXCEEDED"]]);
    expect(await codes(part("Who", "nobody"))).toEqual([["AGENT_NOT_FOUND"]]);
    expect(await codes({ description: "Anybody" })).toEqual([["AGENT_NOT_FOUND"]]);
    expect(await codes(part("Go deeper", "eager"))).toEqual(["admitted"]);
    expect(runtime.output(`${me.story}-DEL-001`, 1)).toContain("depth limit (1) reached");
    expect(await codes(part("Fits", "x"))).toEqual(["admitted"]);
    expect(await codes(part("One too many", "x"))).toEqual([["TOO_MANY_DELEGATIONS"]]);
    expect(await runtime.read(me.story)).toMatchObject({ workers: 2, money: { limit: 1_000_000 } });
  });

  it("sees its workers' questions and answers them, as a person can", async ({ open }) => {
    const runtime = await open();
    runtime.agent("asker", [ask("uuid or bigint?", 50), write("asked.txt", "x"), done()]);
    const me = await comeFromOutside(runtime);
    await me.call("delegate", { tasks: [part("Ask", "asker")], waitSeconds: 0 });
    const asked = await runtime.question();
    expect(asked.delegation).toBe(`${me.story}-DEL-001`);
    await me.call("reply", { id: asked.id, answer: "bigint, please" });
    expect(await me.call("wait", { waitSeconds: 50 })).toMatchObject({ done: true });
    expect(runtime.output(`${me.story}-DEL-001`, 1)).toContain("bigint, please");
  });
});

describe.concurrent("an external manager that disconnects", () => {
  it("leaves its workers running; the story ends with them, once", async ({ open }) => {
    const runtime = await open("", 50);
    const gate = runtime.signal("gate");
    runtime.agent("slow", [waitFor(gate), write("slow.txt", "x"), done()]);
    const me = await comeFromOutside(runtime);
    await me.call("delegate", { tasks: [part("Slow", "slow")], waitSeconds: 0 });
    me.leave();
    await until("nobody is there", async () => (await runtime.read(me.story)).state === "parked");
    expect(await runtime.read(me.story)).toMatchObject({ waitingFor: [`${me.story}-DEL-001`] });
    await expect(me.call("status")).rejects.toMatchObject({ code: "NOT_A_WORKER" });
    expect(runtime.engine.isBusy(me.story)).toBe(true);
    runtime.open(gate);
    expect(await runtime.engine.whenEnded(me.story)).toMatchObject({ outcome: "completed" });
    expect(terminalEvents(runtime, me.story)).toBe(1);
    await until("nothing is left to do", () => !runtime.engine.isBusy(me.story));
    expect(runtime.file(`refs/heads/ambit/${me.story}`, "slow.txt")).toBe("x");
  });

  it("may return in time and continue; its earlier token no longer works", async ({ open }) => {
    const runtime = await open();
    const gate = runtime.signal("gate");
    runtime.agent("slow", [waitFor(gate), write("slow.txt", "x"), done()]);
    const before = await comeFromOutside(runtime);
    await before.call("delegate", { tasks: [part("Slow", "slow")], waitSeconds: 0 });
    before.leave();
    await until("nobody is there", async () => (await runtime.read(before.story)).state === "parked");
    const after = await comeFromOutside(runtime, before.story);
    expect(after.token).not.toBe(before.token);
    await expect(before.call("status")).rejects.toMatchObject({ code: "NOT_A_WORKER" });
    // Its old connection may be noticed to be gone only now.
    before.leave();
    const waited = after.call("wait", { waitSeconds: 50 });
    runtime.open(gate);
    expect(await waited).toMatchObject({ done: true });
    expect(await runtime.read(after.story)).toMatchObject({ state: "running", attempt: 1 });
    await after.call("delegate", { tasks: [part("Again", "slow")], waitSeconds: 50 });
    expect((await runtime.read(after.story)).workers).toBe(2);
  });

  it("without any delegation leaves only a cancelled story behind", async ({ open }) => {
    const runtime = await open("", 0);
    const me = await comeFromOutside(runtime);
    me.leave();
    expect(await runtime.engine.whenEnded(me.story)).toMatchObject({ outcome: "cancelled" });
  });

  it("cannot return to a story that has ended, that others lead, or that never existed", async ({ open }) => {
    const runtime = await open("", 0);
    const me = await comeFromOutside(runtime);
    me.leave();
    await runtime.engine.whenEnded(me.story);
    await expect(comeFromOutside(runtime, me.story)).rejects.toMatchObject({ code: "PARENT_NOT_RUNNING" });
    await expect(comeFromOutside(runtime, "S-never")).rejects.toMatchObject({ code: "STORY_NOT_FOUND" });
    const gate = runtime.signal("gate");
    await runtime.start("OTHER", [waitFor(gate), done()]);
    await expect(comeFromOutside(runtime, "OTHER")).rejects.toMatchObject({ code: "STORY_NOT_FOUND" });
    runtime.open(gate);
    expect(await runtime.engine.whenEnded("OTHER")).toMatchObject({ outcome: "completed" });
  });
});

describe.concurrent("the end of a story with an external manager", () => {
  it("follows a person's stop: cancelled if work is running, otherwise by its workers' outcomes", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("stuck", [write("half.txt", "x"), waitFor(runtime.signal("never")), done()]);
    runtime.agent("quick", [write("quick.txt", "x"), done()]);
    const why = { reason: "enough", by: "ann" };
    const busy = await comeFromOutside(runtime);
    await busy.call("delegate", { tasks: [part("Stuck", "stuck")], waitSeconds: 0 });
    await until("it works", async () => runtime.has(await runtime.read(`${busy.story}-DEL-001`), "half.txt"));
    await runtime.engine.stop(busy.story, why);
    expect(await runtime.read(busy.story)).toMatchObject({ state: "closed", outcome: "cancelled" });
    expect(await runtime.read(`${busy.story}-DEL-001`)).toMatchObject({ outcome: "cancelled" });
    expect(runtime.file(`refs/heads/delegation/${busy.story}-DEL-001`, "half.txt")).toBe("x");
    await expect(busy.call("status")).rejects.toMatchObject({ code: "NOT_A_WORKER" });
    const idle = await comeFromOutside(runtime);
    await idle.call("delegate", { tasks: [part("Quick", "quick")], waitSeconds: 50 });
    await runtime.engine.stop(idle.story, why);
    expect(await runtime.read(idle.story)).toMatchObject({ outcome: "completed" });
    expect(terminalEvents(runtime, busy.story) + terminalEvents(runtime, idle.story)).toBe(2);
  });
});

describe("the wall time of the project", () => {
  /** As if this much time had passed since it was looked at last. */
  const passSeconds = (runtime: TestRuntime, story: string, seconds: number): void => {
    vi.spyOn(systemClock, "wallMs").mockImplementation(() => Date.now() + seconds * 1000);
    runtime.engine.consider(story);
  };
  afterEach(() => void vi.restoreAllMocks());

  it("ends a story whose manager is connected but has no running work", async ({ open }) => {
    const runtime = await open("delegation:\n  parallel: {timeoutSeconds: 1000}\n");
    runtime.agent("quick", [done()]);
    const me = await comeFromOutside(runtime);
    await me.call("delegate", { tasks: [part("Quick", "quick")], waitSeconds: 50 });
    runtime.engine.consider(me.story);
    await until("it was looked at", () => !runtime.engine.isBusy(me.story));
    expect(await runtime.read(me.story)).toMatchObject({ state: "running" });
    passSeconds(runtime, me.story, 1001);
    expect(await runtime.engine.whenEnded(me.story)).toMatchObject({ outcome: "completed" });
    await expect(me.call("status")).rejects.toMatchObject({ code: "NOT_A_WORKER" });
  });

  it("grants a last worker its time, and then stops what still runs", async ({ open }) => {
    const runtime = await open("delegation:\n  parallel: {timeoutSeconds: 1000}\n");
    runtime.agent("stuck", [write("half.txt", "x"), waitFor(runtime.signal("never")), done()]);
    const me = await comeFromOutside(runtime);
    await me.call("delegate", { tasks: [part("Stuck", "stuck")], waitSeconds: 0 });
    await until("it works", async () => runtime.has(await runtime.read(`${me.story}-DEL-001`), "half.txt"));
    passSeconds(runtime, me.story, 1500);
    expect((await runtime.read(`${me.story}-DEL-001`)).state).toBe("running");
    passSeconds(runtime, me.story, 2001);
    expect(await runtime.engine.whenEnded(me.story)).toMatchObject({ outcome: "timed_out", code: "TIMEOUT" });
    expect(await runtime.read(`${me.story}-DEL-001`)).toMatchObject({ outcome: "cancelled" });
    expect(terminalEvents(runtime, me.story)).toBe(1);
  });
});

it("an agent with the name of the client does not close a cycle below an external manager", async ({
  open,
}) => {
  const runtime = await open();
  runtime.agent("test-client", [write("x.txt", "x"), done()]);
  const me = await comeFromOutside(runtime);
  await me.call("delegate", { tasks: [part("Same name", "test-client")], waitSeconds: 50 });
  expect(await runtime.read(`${me.story}-DEL-001`)).toMatchObject({
    outcome: "completed",
    work: { adapter: "scripted" },
  });
  expect((await runtime.read(me.story)).path).toEqual(["ambit", "outside:test-client"]);
  expect(readFileSync(join(runtime.project.root, "a.txt"), "utf8")).toBe("one\n");
});
