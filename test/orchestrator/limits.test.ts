import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, vi } from "vitest";
import { validateReturn } from "../../src/contract/validate-return.ts";
import { until } from "../e2e/project.ts";
import { it, type TestRuntime } from "./open-runtime.ts";
import { mostAtOnce } from "./most-at-once.ts";
import { processesIn } from "./processes-in.ts";
import { delegate, directive, done, hang, shell, spend, write } from "./steps.ts";

const handsOut = (tasks: readonly object[]) => ({ begin: [delegate(tasks)], results: [done()] });
const refusedCodes = (runtime: TestRuntime, story: string): readonly (readonly string[])[] =>
  runtime.events.flatMap((event) =>
    event.type === "delegation-refused" && event.story === story
      ? [event.data.failures.map(({ code }) => code)]
      : [],
  );

describe.concurrent("a description as developers write it", () => {
  const description =
    "Refactor the `touch OUT/ran` part; keep $(touch OUT/ran) && ../lib at $5 | touch OUT/ran\n\nDelegation: L30-DEL-009";

  it("is accepted in a structured request and runs nowhere; its commits have one subject line (C40)", async ({
    open,
  }) => {
    const runtime = await open();
    const told = description.replaceAll("OUT", runtime.project.root);
    runtime.agent("x", [write("x.txt", "x"), done()]);
    await runtime.run("L30", handsOut([{ description: told, agent: "x" }]));
    expect(refusedCodes(runtime, "L30")).toEqual([]);
    expect(await runtime.read("L30-DEL-001")).toMatchObject({ outcome: "completed", description: told });
    expect(existsSync(join(runtime.project.root, "ran"))).toBe(false);
    const subject = told.replaceAll(/\n+/g, " ");
    const log = runtime.project.git("log", "--format=%s%n%(trailers:key=Delegation)", "ambit/L30");
    expect(log).toContain(`${subject}\nDelegation: L30-DEL-001\n`);
    expect(log).not.toMatch(/^Delegation: L30-DEL-009/m);
  });

  it("is refused as a directive, and the refusal names the form that accepts it (C40, R116)", async ({
    open,
  }) => {
    const runtime = await open();
    await runtime.run("L31", { begin: [directive("Fix the login; add tests")], results: [done()] });
    expect(refusedCodes(runtime, "L31")).toEqual([["SUSPICIOUS_CHARACTERS"]]);
    expect(runtime.prompt("L31", 2)).toContain("use the delegate tool or ambit delegate");
  });
});

describe.concurrent("a request beyond a limit", () => {
  it("is refused below the depth limit and on a cycle, explained, logged, and ends no other worker (R61, R63, R125, R196, R201)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("c", [delegate([{ description: "Too deep", agent: "d" }]), done("C. Did it alone.")]);
    runtime.agent("d", [done()]);
    runtime.agent("b", {
      begin: [
        delegate([{ description: "Round", agent: "b" }]),
        delegate([{ description: "Down", agent: "c" }]),
      ],
      results: [done()],
    });
    const story = await runtime.run("L1", handsOut([{ description: "Begin", agent: "b" }]));
    expect(story).toMatchObject({ outcome: "completed", workers: 1 });
    expect(refusedCodes(runtime, "L1")).toEqual([["CYCLE_DETECTED"], ["MAX_DEPTH_EXCEEDED"]]);
    expect(runtime.output("L1-DEL-001", 1)).toMatch(/ambit → scripted → b/);
    const deep = runtime.output("L1-DEL-001-DEL-001", 1);
    expect(deep).toMatch(/depth[^]*2/i);
    expect(deep).toContain("exit code 5");
    expect((await runtime.read("L1-DEL-001-DEL-001")).outcome).toBe("completed");
  });

  it("is refused for its count, fan-out, unknown agent or suspicious text; a batch counts as a whole (R64, R125)", async ({
    open,
  }) => {
    const runtime = await open("delegation:\n  fanOut:\n    depth0: 2\n  description:\n    policy: refuse\n");
    runtime.agent("x", [done()]);
    const tasks = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ description: `Part ${index}`, agent: "x" }));
    const script = [
      delegate(tasks(3)),
      delegate([{ description: "Who", agent: "nobody" }]),
      delegate([{ description: "Escape with `id`", agent: "x" }]),
      delegate([{ description: "Read /etc/passwd", agent: "x" }]),
      done(),
    ];
    await runtime.run("L2", script);
    expect(new Set(refusedCodes(runtime, "L2").flat())).toEqual(
      new Set(["TOO_MANY_DELEGATIONS", "AGENT_NOT_FOUND", "SUSPICIOUS_CHARACTERS", "SUSPICIOUS_PATH"]),
    );
    expect((await runtime.read("L2")).workers).toBe(0);
    await runtime.run("L3", [delegate(tasks(2)), done()], { delegationConfig: { maxDelegations: 1 } });
    expect(refusedCodes(runtime, "L3")).toEqual([["TOO_MANY_DELEGATIONS"], ["TOO_MANY_DELEGATIONS"]]);
    await runtime.run("L4", [delegate(tasks(1)), done()], { delegationConfig: { maxDepth: 0 } });
    expect(refusedCodes(runtime, "L4")).toEqual([["MAX_DEPTH_EXCEEDED"]]);
  });

  it("is refused at a depth whose agents may not delegate, and if delegating is switched off (R108, R120)", async ({
    open,
  }) => {
    const runtime = await open("delegation_access_control:\n  depth_1:\n    can_delegate: false\n");
    runtime.agent("x", [done()]);
    runtime.agent("eager", [delegate([{ description: "More", agent: "x" }]), done()]);
    await runtime.run("L16", handsOut([{ description: "Begin", agent: "eager" }]));
    expect(refusedCodes(runtime, "L16")).toEqual([["TOO_MANY_DELEGATIONS"]]);
    expect((await runtime.read("L16-DEL-001")).outcome).toBe("completed");
    runtime.project.write("ambit.yaml", "delegation:\n  enabled: false\n");
    await runtime.run("L17", [delegate([{ description: "More", agent: "x" }]), done()]);
    expect(refusedCodes(runtime, "L17")).toEqual([["DELEGATION_DISABLED"]]);
  });

  it("is refused when the manager's context is full of results (R62, R90, R125, R196)", async ({ open }) => {
    const runtime = await open();
    const names =
      "for i in $(seq 1 60); do echo x > a-file-with-a-name-that-nobody-would-like-to-type-twice-$i; done";
    runtime.agent("wordy", [shell(names), done()]);
    await runtime.run(
      "L5",
      {
        begin: [delegate([{ description: "Fill", agent: "wordy" }])],
        results: [delegate([{ description: "More", agent: "wordy" }]), done()],
      },
      // One worker needs a good 1,100 tokens, and so does the text of its result.
      { delegationConfig: { maxContextPerAgent: 1800 } },
    );
    expect(refusedCodes(runtime, "L5")).toEqual([["CONTEXT_BUDGET_EXCEEDED"]]);
    expect(runtime.output("L5", 2)).toMatch(/1,800/);
  });
});

describe.concurrent("a budget", () => {
  it("is lent, spent and returned; siblings cannot overspend it together (R104, R196)", async ({ open }) => {
    const runtime = await open();
    runtime.agent("saver", [spend(0.1), done()]);
    const task = (budget: number) => ({ description: "Spend", agent: "saver", budget_usd: budget });
    const story = await runtime.run(
      "L6",
      {
        begin: [delegate([task(0.4), task(0.3), task(0.4)])],
        results: [delegate([task(0.9)]), delegate([task(0.8)], 30), done()],
      },
      { budgetMicroUsd: 1_000_000 },
    );
    expect(story).toMatchObject({ outcome: "completed", workers: 3 });
    expect(story.money).toEqual({ limit: 1_000_000, lent: 0, spent: 300_000 });
    expect(refusedCodes(runtime, "L6")).toEqual([["COST_LIMIT_EXCEEDED"], ["COST_LIMIT_EXCEEDED"]]);
    expect((await runtime.read("L6-DEL-001")).money).toMatchObject({ limit: 400_000, spent: 100_000 });
  });

  it("asks before lending more than the threshold: approved, rejected, expired (R107)", async ({ open }) => {
    const runtime = await open("delegation:\n  cost:\n    alertThreshold: 0.5\n");
    runtime.agent("dear", [spend(0.4), write("dear.txt", "x"), done()]);
    const task = (more: object) => ({ description: "Dear", agent: "dear", budget_usd: 6, ...more });
    const story = runtime.run("L7", handsOut([task({}), task({}), task({ timeout_seconds: 1 })]));
    const answers = new Map([
      ["L7-DEL-001", "approved"],
      ["L7-DEL-002", "rejected"],
    ] as const);
    for (const [id, answer] of answers) {
      await until("it is asked", async () => (await runtime.engine.tools.store.approvalsOf(id)).length > 0);
      const [asked] = await runtime.engine.tools.store.approvalsOf(id);
      expect(asked).toMatchObject({ kind: "cost", question: "It may cost up to $6.00. Start it?" });
      await runtime.engine.answer(asked?.id ?? "", { answer, by: "ann", reason: "So." });
    }
    await story;
    expect((await runtime.read("L7-DEL-001")).outcome).toBe("completed");
    expect(await runtime.read("L7-DEL-002")).toMatchObject({
      outcome: "cancelled",
      code: "APPROVAL_REJECTED",
      attempt: 0,
    });
    expect(await runtime.read("L7-DEL-003")).toMatchObject({ code: "APPROVAL_EXPIRED", attempt: 0 });
    expect(runtime.prompt("L7", 2)).toContain("APPROVAL_REJECTED");
  });

  it("alerts once above the story's threshold, and stops no worker (R107)", async ({ open }) => {
    const runtime = await open("delegation:\n  cost:\n    alertThreshold: 0.5\n");
    const story = await runtime.run("L8", [spend(0.4), spend(0.2), spend(0.2), done()]);
    expect(story).toMatchObject({ outcome: "completed", microUsd: 800_000 });
    expect(runtime.told("L8", "limit-warned")).toMatchObject([{ code: "COST_ALERT" }]);
  });
});

describe.concurrent("a worker at its limit", () => {
  it("ends with its work kept and a valid return; the others and the manager continue (R73, R81, R186, R201)", async ({
    open,
  }) => {
    const runtime = await open(`
delegation:
  parallel: {maxConcurrent: 7}
  idle: {warnSeconds: 2, stopSeconds: 4}
  output: {maxBytes: 200000}
  windDown: {graceSeconds: 0}
  resources: {memoryBytes: 400000000}
`);
    const misbehaves = (name: string, ...steps: readonly object[]): void =>
      runtime.agent(name, [write(`${name}.txt`, name), ...steps]);
    misbehaves("slow", { fork: "daemon" }, { fork: "session" }, hang("deaf"));
    misbehaves("silent", hang("quiet"));
    misbehaves("loud", { flood: { bytes: 400_000_000, lines: false } });
    misbehaves("dear", spend(0.3), hang("talking"));
    misbehaves("wordy", { spend: { input: 500, output: 10 } }, hang("talking"));
    misbehaves("greedy", { hog: { megabytes: 700 } }, hang("talking"));
    misbehaves("good", done());
    const story = await runtime.run(
      "L9",
      handsOut([
        { description: "Slow", agent: "slow", timeout_seconds: 3 },
        { description: "Silent", agent: "silent" },
        { description: "Loud", agent: "loud" },
        { description: "Dear", agent: "dear", budget_usd: 0.2 },
        { description: "Wordy", agent: "wordy", budget_tokens: 100 },
        { description: "Greedy", agent: "greedy" },
        { description: "Good", agent: "good" },
      ]),
      { budgetMicroUsd: 1_000_000 },
    );
    const expected = [
      ["slow", "timed_out", "TIMEOUT"],
      ["silent", "timed_out", "STALLED"],
      ["loud", "partial", "OUTPUT_LIMIT_EXCEEDED"],
      ["dear", "partial", "COST_LIMIT_EXCEEDED"],
      ["wordy", "partial", "COST_LIMIT_EXCEEDED"],
      ["greedy", "partial", "RESOURCE_LIMIT_EXCEEDED"],
    ] as const;
    expect(story.outcome).toBe("completed");
    for (const [index, [name, outcome, code]] of expected.entries()) {
      const id = `L9-DEL-00${index + 1}`;
      const worker = await runtime.read(id);
      expect(worker).toMatchObject({ outcome, code, filesChanged: [`${name}.txt`] });
      expect(runtime.file(`delegation/${id}`, `${name}.txt`)).toBe(name);
      const { sessionId, depth, path } = worker;
      const salvaged = runtime.returnOf(id, 1, "salvaged-return.json");
      expect(validateReturn(salvaged, { session: sessionId, depth, path })).toMatchObject({
        valid: true,
        value: { status: "partial" },
      });
      expect(runtime.prompt("L9", 2)).toContain(code);
    }
    expect((await runtime.read("L9-DEL-004")).money.spent).toBe(300_000);
    expect(story.money).toEqual({ limit: 1_000_000, lent: 0, spent: 300_000 });
    // A hanging sibling does not delay the results of others.
    const closed = runtime.events.filter(({ type }) => type === "delegation-closed");
    const good = closed.findIndex(({ delegation }) => delegation === "L9-DEL-007");
    expect(good).toBeLessThan(closed.findIndex(({ delegation }) => delegation === "L9-DEL-001"));
    expect(processesIn(runtime.project.root)).toBe(0);
  });

  it("ends at the story's own budget and deadline; a deadline beyond the project's is refused (R72, C35)", async ({
    open,
  }) => {
    const runtime = await open("delegation:\n  windDown:\n    graceSeconds: 0\n");
    const spent = await runtime.run("L10", [write("z.txt", "z"), spend(2), hang()], {
      budgetMicroUsd: 1_000_000,
    });
    expect(spent).toMatchObject({ outcome: "partial", code: "COST_LIMIT_EXCEEDED", filesChanged: ["z.txt"] });
    const late = await runtime.run("L11", [hang()], { timeoutSeconds: 1 });
    expect(late).toMatchObject({ outcome: "timed_out", code: "TIMEOUT" });
    await expect(runtime.run("L12", [], { timeoutSeconds: 99_999 })).rejects.toMatchObject({ code: "USAGE" });
  });
});

describe.concurrent("concurrency", () => {
  it("never exceeds the limit over two stories at once, read from the journal (R80, R180, R196)", async ({
    open,
  }) => {
    const runtime = await open("delegation:\n  parallel: {maxConcurrent: 2}\n");
    runtime.agent("busy", [shell("sleep 0.1"), done()]);
    const tasks = [1, 2, 3].map((number) => ({ description: `Part ${number}`, agent: "busy" }));
    const stories = await Promise.all(["L13", "L14"].map((id) => runtime.run(id, handsOut(tasks))));
    expect(stories.map(({ outcome }) => outcome)).toEqual(["completed", "completed"]);
    expect(mostAtOnce(runtime.events)).toBe(2);
    const order = runtime.events.filter(
      ({ type, delegation }) => type === "attempt-started" && delegation?.includes("-DEL-"),
    );
    expect(order).toHaveLength(6);
  });

  it("can be lowered by a story, without busy waiting (R114, C30)", async ({ open }) => {
    const runtime = await open();
    const begin = vi.spyOn(runtime.engine.tools.store, "begin");
    runtime.agent("busy", [shell("sleep 0.3"), done()]);
    const tasks = [1, 2, 3].map((number) => ({ description: `Part ${number}`, agent: "busy" }));
    await runtime.run("L15", handsOut(tasks), { delegationConfig: { parallel: false } });
    expect(mostAtOnce(runtime.events)).toBe(1);
    expect(begin).toHaveBeenCalledTimes(5);
  });
});

describe("a worker that has timed out", () => {
  it("has at most half of its time limit to end by itself", async ({ open }) => {
    const runtime = await open("delegation: {windDown: {graceSeconds: 600}}\n");
    // With the whole grace this test would run out of time.
    const late = await runtime.run("L13", [write("g.txt", "g"), hang("deaf")], { timeoutSeconds: 2 });
    expect(late).toMatchObject({ outcome: "timed_out", code: "TIMEOUT", filesChanged: ["g.txt"] });
  });
});
