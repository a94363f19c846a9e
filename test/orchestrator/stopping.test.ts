import { describe, expect } from "vitest";
import { until } from "../e2e/project.ts";
import { it, type TestRuntime } from "./open-runtime.ts";
import { processesIn } from "./processes-in.ts";
import { because, delegate, done, hang, returns, say, shell, write } from "./steps.ts";

const why = { reason: "enough", by: "ann" };
const handsOut = (...agents: string[]) => ({
  begin: [delegate(agents.map((agent) => ({ description: `Part of ${agent}`, agent })))],
  results: [done()],
});
const isRunning = (runtime: TestRuntime, id: string, file: string): Promise<void> =>
  until(`${id} works`, async () => {
    const delegation = await runtime.engine.tools.store.delegation(id);
    return delegation?.state === "running" && runtime.has(delegation, file);
  });

describe.concurrent("stopping", () => {
  it("a story ends its whole tree, keeps all work, and leaves no process", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    runtime.agent("leaf", [write("leaf.txt", "leaf"), hang("deaf")]);
    runtime.agent("middle", [
      write("middle.txt", "middle"),
      delegate([{ description: "Leaf", agent: "leaf" }], 50),
      done(),
    ]);
    await runtime.start("T1", [
      write("top.txt", "top"),
      delegate([{ description: "Middle", agent: "middle" }], 50),
      done(),
    ]);
    await isRunning(runtime, "T1-DEL-001-DEL-001", "leaf.txt");
    await runtime.engine.stop("T1", why);
    const tree = await runtime.engine.tools.store.storyTree("T1");
    expect(tree.map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled", "cancelled"]);
    for (const [id, file] of [
      ["T1", "top.txt"],
      ["T1-DEL-001", "middle.txt"],
      ["T1-DEL-001-DEL-001", "leaf.txt"],
    ] as const)
      expect(runtime.file(`delegation/${id}`, file)).toBeDefined();
    expect(processesIn(runtime.project.root)).toBe(0);
    expect(runtime.told("T1", "cancellation-requested")[0]).toEqual(why);
    expect(runtime.events.filter(({ type }) => type === "delegation-closed")).toHaveLength(3);
    expect(runtime.engine.isBusy("T1")).toBe(false);
  });

  it("a subtree leaves its siblings and its manager at work, and informs the manager (R81)", async ({
    open,
  }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    runtime.agent("leaf", [write("leaf.txt", "leaf"), hang()]);
    runtime.agent("middle", {
      begin: [delegate([{ description: "Leaf", agent: "leaf" }])],
      results: [done()],
    });
    runtime.agent("good", [write("good.txt", "good"), done()]);
    const story = runtime.run("T2", handsOut("middle", "good"));
    await isRunning(runtime, "T2-DEL-001-DEL-001", "leaf.txt");
    await runtime.engine.stop("T2-DEL-001", why);
    expect(await story).toMatchObject({ outcome: "completed" });
    expect((await runtime.read("T2-DEL-001")).outcome).toBe("cancelled");
    expect((await runtime.read("T2-DEL-001-DEL-001")).outcome).toBe("cancelled");
    expect((await runtime.read("T2-DEL-002")).outcome).toBe("completed");
    expect(runtime.prompt("T2", 2)).toMatch(/T2-DEL-001 .* ended cancelled/);
    expect(runtime.file("delegation/T2-DEL-001-DEL-001", "leaf.txt")).toBe("leaf");
    expect(runtime.file("refs/heads/ambit/T2", "good.txt")).toBe("good");
  });

  it("needs no process for waiting work: queued, asked and returned work ends at once", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    runtime.agent("dear", [done()]);
    runtime.agent("judged", [write("judged.txt", "x"), done()]);
    await runtime.start("T3", {
      begin: [
        delegate([
          { description: "Dear", agent: "dear", budget_usd: 9 },
          { description: "Judged", agent: "judged", accept: ["Pleases the editor"] },
          { description: "Later", agent: "dear", depends_on: ["#2"] },
        ]),
      ],
      results: [done()],
    });
    await until("both wait", async () => (await runtime.engine.tools.store.openApprovals(9)).length === 2);
    await runtime.engine.stop("T3", why);
    const tree = await runtime.engine.tools.store.storyTree("T3");
    expect(tree.map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled", "cancelled", "cancelled"]);
    expect(tree.map(({ attempt }) => attempt)).toEqual([1, 0, 1, 0]);
    expect(runtime.file("delegation/T3-DEL-002", "judged.txt")).toBe("x");
    expect(await runtime.engine.tools.store.openApprovals(9)).toEqual([]);
  });

  it("does not wait for a running check", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    // It also runs on the base, which has no such file and does not count here.
    const check = { command: `test ! -f x.txt || echo x > ${runtime.signal("begun")}; sleep 7531` };
    await runtime.start("T4", [write("x.txt", "x"), done()], { criteria: [{ text: "Slow", check }] });
    await until("the check runs", () => runtime.isOpen(runtime.signal("begun")));
    const began = performance.now();
    await runtime.engine.stop("T4", why);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await runtime.read("T4")).toMatchObject({ outcome: "cancelled", filesChanged: ["x.txt"] });
    expect(runtime.ref("refs/heads/ambit/T4")).toBe("");
    expect(processesIn(runtime.project.root)).toBe(0);
  });
});

describe.concurrent("a manager that ends early", () => {
  it("takes its open workers with it; their work is kept", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    runtime.agent("leaf", [write("leaf.txt", "leaf"), hang()]);
    runtime.agent("lead", [
      write("lead.txt", "lead"),
      delegate([{ description: "Leaf", agent: "leaf" }]),
      shell(`until [ -e ${runtime.signal("leaf")} ]; do sleep 0.02; done`),
      { spend: { input: 1, output: 1, usd: 2 } },
      hang(),
    ]);
    const story = runtime.run("T5", {
      begin: [delegate([{ description: "Lead", agent: "lead", budget_usd: 1 }])],
      results: [done()],
    });
    await isRunning(runtime, "T5-DEL-001-DEL-001", "leaf.txt");
    runtime.open(runtime.signal("leaf"));
    expect((await story).outcome).toBe("completed");
    expect(await runtime.read("T5-DEL-001")).toMatchObject({
      outcome: "partial",
      code: "COST_LIMIT_EXCEEDED",
    });
    expect(await runtime.read("T5-DEL-001-DEL-001")).toMatchObject({ outcome: "cancelled" });
    expect(runtime.told("T5-DEL-001-DEL-001", "cancellation-requested")[0]?.by).toBe("ambit");
    expect(runtime.file("delegation/T5-DEL-001-DEL-001", "leaf.txt")).toBe("leaf");
  });

  it("with a return while its workers work is resumed with their results first", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    runtime.agent("slow", [shell(`until [ -e ${runtime.signal("go")} ]; do sleep 0.02; done`), done()]);
    const story = runtime.run("T6", {
      begin: [delegate([{ description: "Slow", agent: "slow" }]), done("Too early. I said so.")],
      results: [done("Now. With the results.")],
    });
    await until(
      "it is parked",
      async () => (await runtime.engine.tools.store.delegation("T6"))?.state === "parked",
    );
    runtime.open(runtime.signal("go"));
    expect(await story).toMatchObject({ outcome: "completed", summary: "Now. With the results." });
    expect((await runtime.read("T6-DEL-001")).outcome).toBe("completed");
  });
});

describe.concurrent("a failure", () => {
  it("of a worker in any form never ends its manager or siblings (R81, R196)", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    runtime.agent("crash", [{ exit: 3 }]);
    runtime.agent("silent", [say("I say nothing useful.")]);
    runtime.agent("failed", [returns("failed", "No. Sorry.", because("No."))]);
    runtime.agent("missing", "- not: a step\n");
    runtime.agent("good", [write("good.txt", "good"), done()]);
    const story = await runtime.run("T7", handsOut("crash", "silent", "failed", "missing", "good"));
    expect(story.outcome).toBe("completed");
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map((number) => runtime.read(`T7-DEL-00${number}`)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      "failed",
      "failed",
      "failed",
      "failed",
      "completed",
    ]);
    for (const { id } of outcomes) expect(runtime.prompt("T7", 2)).toContain(`${id} (`);
    expect(runtime.file("refs/heads/ambit/T7", "good.txt")).toBe("good");
  });
});
