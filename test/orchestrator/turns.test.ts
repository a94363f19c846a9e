import { describe, expect } from "vitest";
import { continueDelegation } from "../../src/orchestrator/follow-up.ts";
import { it } from "./open-runtime.ts";
import { because, delegate, done, hang, returns, shell, write } from "./steps.ts";

const passes = (command: string): string => `\`${command}\` exits with code 0`;

describe.concurrent("a worker out of context", () => {
  it("is continued by a new session that has its note and its files (R90)", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    const story = await runtime.run("H1", {
      begin: [write("half.txt", "half"), { exhaust: "Half is done; the rest is in the plan." }],
      handover: [shell("cat half.txt"), write("rest.txt", "rest"), done("Whole. At last.")],
    });
    expect(story).toMatchObject({ outcome: "completed", attempt: 2 });
    expect(runtime.prompt("H1", 2)).toContain("Half is done; the rest is in the plan.");
    expect(runtime.output("H1", 2)).toContain("half");
    expect(runtime.file("refs/heads/ambit/H1", "half.txt")).toBe("half");
    expect(runtime.file("refs/heads/ambit/H1", "rest.txt")).toBe("rest");
  });

  it("is continued three times and no more; then its work is kept as partial (R201)", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    const story = await runtime.run("H2", [
      shell("echo x >> count.txt"),
      { exhaust: "It is still too much." },
    ]);
    expect(story).toMatchObject({ outcome: "partial", attempt: 4 });
    expect(story.summary).toMatch(/context/i);
    expect(runtime.file("delegation/H2", "count.txt")).toBe("x\nx\nx\nx\n");
    expect(runtime.told("H2", "attempt-retried").map(({ kind }) => kind)).toEqual([
      "handover",
      "handover",
      "handover",
    ]);
  });
});

describe.concurrent("a retry of the agent's own failure", () => {
  it("happens if the project allows it, and only if the agent says that it may help (R34, R123, R180)", async ({
    open,
  }) => {
    const runtime = await open("delegation:\n  retry: {enabled: true, maxAttempts: 2}\n");
    const failing = (recoverable: boolean) => ({
      begin: [returns("failed", "Network down. Sorry.", because("No network.", recoverable))],
      retry: [done("Up again. Done.")],
    });
    expect(await runtime.run("H3", failing(true))).toMatchObject({ outcome: "completed", attempt: 2 });
    expect(runtime.prompt("H3", 2)).toContain("No network.");
    expect(await runtime.run("H4", failing(false))).toMatchObject({ outcome: "failed", attempt: 1 });
  });
});

describe.concurrent("a follow-up", () => {
  const script = [
    shell("if [ -f half.txt ]; then echo right > lib.txt; else echo wrong > lib.txt; fi"),
    write("half.txt", "half"),
    done("Done. As far as I can."),
  ];
  const criteria = [passes("grep -q right lib.txt")];

  it("continues the kept work, under the same contract, as a story of its own (R34)", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    const old = await runtime.run("F1", script, { criteria, budgetMicroUsd: 3_000_000 });
    expect(old).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    const id = await continueDelegation(runtime.engine, { id: "F1", from: "work", note: "Look at lib.txt." });
    expect(id).toBe("F1.2");
    const next = await runtime.engine.whenEnded(id);
    expect(next).toMatchObject({ outcome: "completed", base: old.tip, description: "Story F1" });
    expect(next.money.limit).toBe(3_000_000);
    const prompt = runtime.prompt("F1.2", 1);
    for (const fact of ["continues F1", "CRITERION_FAILED", "Look at lib.txt.", "grep -q right lib.txt"])
      expect(prompt).toContain(fact);
    expect(runtime.file("refs/heads/ambit/F1.2", "lib.txt")).toBe("right\n");
    expect(await runtime.read("F1")).toMatchObject({ outcome: "partial" });
  });

  it("starts over on request, with another agent, and continues its numbering", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    await runtime.run("F2", script, { criteria });
    runtime.agent("expert", [shell("test ! -f half.txt && echo right > lib.txt"), done()]);
    const second = await continueDelegation(runtime.engine, {
      id: "F2",
      from: "base",
      note: "",
      agent: "expert",
    });
    expect(await runtime.engine.whenEnded(second)).toMatchObject({ id: "F2.2", outcome: "completed" });
    expect(runtime.file("refs/heads/ambit/F2.2", "half.txt")).toBeUndefined();
    const third = await continueDelegation(runtime.engine, { id: "F2.2", from: "base", note: "" });
    expect(third).toBe("F2.3");
    await runtime.engine.whenEnded(third);
  });

  it("of one worker continues only the part of that worker", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    runtime.agent("worker", script);
    const accept = criteria;
    await runtime.run("F3", {
      begin: [delegate([{ description: "The part", agent: "worker", accept }])],
      results: [done()],
    });
    const id = await continueDelegation(runtime.engine, { id: "F3-DEL-001", from: "work", note: "" });
    expect(await runtime.engine.whenEnded(id)).toMatchObject({ outcome: "completed", depth: 0 });
    expect(runtime.file(`refs/heads/ambit/${id}`, "lib.txt")).toBe("right\n");
  });

  it("is refused for a story that has not ended or never existed", async ({ open }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    await runtime.start("F4", [hang()]);
    await expect(
      continueDelegation(runtime.engine, { id: "F4", from: "work", note: "" }),
    ).rejects.toMatchObject({
      code: "STORY_EXISTS",
    });
    await expect(
      continueDelegation(runtime.engine, { id: "F5", from: "work", note: "" }),
    ).rejects.toMatchObject({
      code: "DELEGATION_NOT_FOUND",
    });
  });
});
