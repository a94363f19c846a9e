import { describe, expect } from "vitest";
import { until } from "../e2e/project.ts";
import { mostAtOnce } from "./most-at-once.ts";
import { it, type TestRuntime } from "./open-runtime.ts";
import { because, delegate, done, returns, shell, waitFor, write } from "./steps.ts";

const oneSlot = "delegation:\n  parallel: {maxConcurrent: 1}\n";
const handsOut = (tasks: readonly object[]) => ({ begin: [delegate(tasks)], results: [done()] });
const started = (runtime: TestRuntime, story: string): readonly string[] =>
  runtime.events.flatMap(({ type, delegation }) =>
    type === "attempt-started" && delegation?.startsWith(`${story}-DEL-`) === true ? [delegation] : [],
  );

describe.concurrent("waiting workers", () => {
  it("start by priority, then by age (R187)", async ({ open }) => {
    const runtime = await open(oneSlot);
    runtime.agent("x", [done()]);
    const task = (priority: number | string) => ({ description: `At ${priority}`, agent: "x", priority });
    await runtime.run("G1", handsOut([task("low"), task(0), task(0), task(9)]));
    expect(started(runtime, "G1")).toEqual(["G1-DEL-004", "G1-DEL-002", "G1-DEL-003", "G1-DEL-001"]);
  });

  it("start after their dependencies, named by place in the batch or by number, and have their work", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("first", [write("one.txt", "one"), done()]);
    runtime.agent("second", [shell("cat one.txt"), write("two.txt", "two"), done()]);
    runtime.agent("third", [shell("cat one.txt two.txt"), done()]);
    await runtime.run("G2", {
      begin: [
        delegate([
          { description: "One", agent: "first" },
          { description: "Two", agent: "second", depends_on: ["#1"] },
        ]),
        delegate([{ description: "Three", agent: "third", depends_on: ["DEL-002"] }]),
      ],
      results: [done()],
    });
    expect(started(runtime, "G2")).toEqual(["G2-DEL-001", "G2-DEL-002", "G2-DEL-003"]);
    expect(runtime.output("G2-DEL-002", 1)).toContain("\none");
    expect(runtime.output("G2-DEL-003", 1)).toContain("\nonetwo");
    const three = runtime.events.find(
      (event) => event.type === "attempt-started" && event.delegation === "G2-DEL-003",
    );
    const merged = runtime.events.find(
      (event) => event.type === "delegation-merged" && event.delegation === "G2-DEL-002",
    );
    expect(three?.seq).toBeGreaterThan(merged?.seq ?? Infinity);
  });

  it("are blocked by dependencies that fail or do not exist, and wait for dependencies that wait for an approval", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("good", [done()]);
    runtime.agent("bad", [returns("failed", "No. Sorry.", because("No."))]);
    const story = runtime.run(
      "G3",
      handsOut([
        { description: "Bad", agent: "bad" },
        { description: "After bad", agent: "good", depends_on: ["#1"] },
        { description: "After nobody", agent: "good", depends_on: ["G3-DEL-099"] },
        { description: "Dear", agent: "good", budget_usd: 9 },
        { description: "After dear", agent: "good", depends_on: ["#4"] },
      ]),
    );
    await runtime.engine.whenEnded("G3-DEL-003").catch(() => undefined);
    const { id } = await runtime.question();
    await until("the blocked have ended", async () => (await runtime.read("G3-DEL-003")).state === "closed");
    expect(await runtime.read("G3-DEL-005")).toMatchObject({ state: "queued" });
    expect(runtime.engine.whyWaiting("G3-DEL-005")).toContain("G3-DEL-004");
    await runtime.engine.answer(id, { answer: "approved", by: "ann", reason: "" });
    await story;
    for (const blocked of ["G3-DEL-002", "G3-DEL-003"])
      expect(await runtime.read(blocked)).toMatchObject({
        outcome: "blocked",
        code: "DEPENDENCY_FAILED",
        attempt: 0,
      });
    expect((await runtime.read("G3-DEL-005")).outcome).toBe("completed");
  });
});

describe.concurrent("a manager that waits in its call", () => {
  it("holds no slot: with one slot and two levels every worker ends (R201)", async ({ open }) => {
    const runtime = await open(oneSlot);
    runtime.agent("leaf", [write("leaf.txt", "leaf"), done()]);
    runtime.agent("middle", [
      delegate([{ description: "Leaf", agent: "leaf" }], 50),
      shell("cat leaf.txt"),
      write("middle.txt", "middle"),
      done("Middle. With the leaf."),
    ]);
    const story = await runtime.run("G4", [
      delegate([{ description: "Middle", agent: "middle" }], 50),
      shell("cat leaf.txt middle.txt"),
      done(),
    ]);
    expect(story).toMatchObject({ outcome: "completed", attempt: 1 });
    expect(await runtime.read("G4-DEL-001")).toMatchObject({ outcome: "completed", attempt: 1 });
    expect(runtime.output("G4-DEL-001", 1)).toContain("Completed work is in your folder.");
    expect(runtime.output("G4-DEL-001", 1)).toMatch(/\nleaf\n/);
    expect(runtime.output("G4", 1)).toMatch(/\nleafmiddle\n/);
    expect(runtime.file("refs/heads/ambit/G4", "leaf.txt")).toBe("leaf");
    expect(runtime.file("refs/heads/ambit/G4", "middle.txt")).toBe("middle");
    expect(mostAtOnce(runtime.events)).toBe(1);
  });

  it("gets a ticket if it takes too long, and keeps its own unfinished work while parked (R86)", async ({
    open,
  }) => {
    const runtime = await open();
    const gate = runtime.signal("gate");
    runtime.agent("slow", [waitFor(gate), write("slow.txt", "slow"), done()]);
    await runtime.start("G5", {
      begin: [
        write("before.txt", "before"),
        delegate([{ description: "Slow", agent: "slow" }], 1),
        write("after.txt", "after"),
      ],
      results: [shell("cat before.txt after.txt slow.txt"), done()],
    });
    await until("it is parked", async () => {
      const { state } = await runtime.read("G5");
      return state === "parked" && runtime.history("G5").includes("attempt-ended");
    });
    expect(runtime.output("G5", 1)).toContain("End your turn now");
    runtime.open(gate);
    expect(await runtime.engine.whenEnded("G5")).toMatchObject({ outcome: "completed", attempt: 2 });
    expect(runtime.output("G5", 2)).toContain("beforeafterslow");
    expect(runtime.file("refs/heads/ambit/G5", "after.txt")).toBe("after");
  });

  it("gets the failures and refusals of its call, and may try again (R81, R123)", async ({ open }) => {
    const runtime = await open();
    runtime.agent("bad", [returns("failed", "Could not. Sorry.", because("No compiler."))]);
    runtime.agent("good", [write("good.txt", "good"), done()]);
    const story = await runtime.run("G6", [
      delegate(
        [
          { description: "Try", agent: "bad" },
          { description: "Who", agent: "nobody" },
        ],
        30,
      ),
      delegate([{ description: "Try again", agent: "good" }], 30),
      shell("cat good.txt"),
      done(),
    ]);
    expect(story).toMatchObject({ outcome: "completed", attempt: 1, workers: 2 });
    const output = runtime.output("G6", 1);
    expect(output).toContain("failed   G6-DEL-001");
    expect(output).toContain("Could not. Sorry.");
    expect(output).toContain('There is no agent "nobody"');
    expect(output).toMatch(/\ngood\n/);
  });
});
