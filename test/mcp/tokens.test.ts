import { describe, expect } from "vitest";
import { it } from "../orchestrator/open-runtime.ts";
import { delegate, done, hang, shell, write } from "../orchestrator/steps.ts";
import { heldSteps, holdManager, speakFor } from "./held-worker.ts";
import { rawClient } from "./raw-client.ts";
import { attack, attackCalls, wrongToken } from "./token-attack.ts";

const ROUNDS = 17;

describe.concurrent("a token", () => {
  it("does nothing if it is wrong or expired, whatever is called with it", async ({ open }) => {
    const runtime = await open();
    runtime.agent("helper", [write("helped.txt", "x"), done()]);
    runtime.agent("sleeper", [hang("quiet")]);
    const ended = await holdManager(runtime, "T1", { after: [done()] });
    await ended.release();
    const held = await holdManager(runtime, "T2", { after: [done()] });
    const client = rawClient(held.environment);
    await client.initialize("2025-06-18");
    await client.call("delegate", { tasks: [{ description: "Sleep", agent: "sleeper" }], wait_seconds: 0 });
    const before = await runtime.engine.tools.store.head();
    const calls = attackCalls("T2");
    const tokens = { live: held.token, expired: ended.token };
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(
        calls.map((one) => attack(held.socket, one, wrongToken(tokens, round))),
      );
      expect(new Set(answers)).toStrictEqual(new Set(["NOT_A_WORKER"]));
    }
    // Only the sleeper itself may have gone on meanwhile: nothing was asked, admitted, answered or stopped.
    const { events } = await runtime.engine.tools.store.eventsAfter(before.seq, 500);
    const own = new Set(["attempt-started", "workspace-created", "usage-reported"]);
    expect(
      events.map(({ body }) => String(JSON.parse(body).type)).filter((type) => !own.has(type)),
    ).toStrictEqual([]);
    expect(await runtime.read("T2")).toMatchObject({ workers: 1, state: "running" });
    // The same calls act with the right one, so they would have acted.
    const [first] = calls;
    if (first === undefined) throw new Error("no calls");
    expect(await attack(held.socket, first, held.token)).toContain("ACTED");
    expect(await runtime.read("T2")).toMatchObject({ workers: 2 });
    expect(await client.call("cancel", { id: "DEL-001" })).toMatchObject({ stopped: true });
    client.endInput();
    await held.release();
  });

  it("gives access to its own subtree only: other work can be neither read nor changed", async ({ open }) => {
    const runtime = await open();
    runtime.agent("left", [...heldSteps(runtime, "left"), done()]);
    runtime.agent("right", [...heldSteps(runtime, "right"), done()]);
    const story = runtime.run("T3", {
      begin: [
        delegate([
          { description: "Left", agent: "left" },
          { description: "Right", agent: "right" },
        ]),
      ],
      results: [done()],
    });
    const left = await speakFor(runtime, "left", { id: "T3-DEL-001", story: "T3" });
    const right = await speakFor(runtime, "right", { id: "T3-DEL-002", story: "T3" });
    const other = await holdManager(runtime, "T4", { after: [done()] });
    for (const [caller, target] of [
      [left, "T3-DEL-002"],
      [left, "T3"],
      [other, "T3-DEL-001"],
      [other, "T3"],
    ] as const) {
      for (const [method, fields] of [
        ["cancel", { id: target }],
        ["reply", { id: target, answer: "forged" }],
        ["verify", { id: target, verdict: "passed", reason: "forged" }],
        ["result", { id: target }],
        ["diff", { id: target }],
        ["output", { id: target }],
        ["wait", { ids: [target], waitSeconds: 0 }],
      ] as const) {
        const answer = await attack(caller.socket, { method, fields }, caller.token);
        expect(answer).toMatch(/^(?:DELEGATION|APPROVAL)_NOT_FOUND$/);
      }
    }
    // Its own, and the tree of its own story, it sees.
    expect(await attack(left.socket, { method: "output", fields: {} }, left.token)).toContain("ACTED");
    const tree = await attack(left.socket, { method: "tree", fields: {} }, left.token);
    expect(tree).toContain("T3-DEL-002");
    expect(tree).not.toContain("T4");
    expect(
      await attack(
        left.socket,
        { method: "verify", fields: { id: left.id, verdict: "passed", reason: "me" } },
        left.token,
      ),
    ).toBe("DECISION_BY_WORKER");
    void left.release();
    void right.release();
    await other.release();
    expect((await story).outcome).toBe("completed");
  });
});

describe.concurrent("a nested worker", () => {
  it("raises neither depth, budget nor identity by environment, arguments or input (R10)", async ({
    open,
  }) => {
    const runtime = await open("delegation:\n  maxDepth: 1\n");
    runtime.agent("helper", [done()]);
    runtime.agent("climber", [...heldSteps(runtime, "climber"), done()]);
    const story = runtime.run(
      "T5",
      { begin: [delegate([{ description: "Climb", agent: "climber", budget_usd: 1 }])], results: [done()] },
      { budgetMicroUsd: 2_000_000 },
    );
    const climber = await speakFor(runtime, "climber", { id: "T5-DEL-001", story: "T5" });
    const task = { description: "Deeper", agent: "helper" };
    const forged = {
      DELEGATION_DEPTH: "0",
      PARENT_STORY_ID: "T5",
      MAX_DELEGATION_DEPTH: "3",
      DELEGATION_PATH: "[]",
      AMBIT_RUN_ID: "exec-other",
    };
    const client = rawClient({ ...climber.environment, ...forged });
    await client.initialize("2025-06-18");
    const refused = { tasks: [{ admitted: false, codes: ["MAX_DEPTH_EXCEEDED"] }] };
    expect(await client.call("delegate", { tasks: [task] })).toMatchObject(refused);
    // What is not a field is refused by name; a token among the arguments is no token.
    expect(await client.call("delegate", { tasks: [task], token: "T5" })).toMatchObject(refused);
    for (const more of [{ depth: 0 }, { caller: "T5" }, { story: "T5" }, { parent: "T5" }, { maxDepth: 3 }])
      expect(await client.call("delegate", { tasks: [task], ...more })).toMatchObject({
        error: { code: "USAGE" },
      });
    for (const more of [{ depth: 0 }, { parent: "T5" }, { delegation_depth: 0 }, { maxDepth: 3 }])
      expect(await client.call("delegate", { tasks: [{ ...task, ...more }] })).toMatchObject({
        error: { code: "USAGE" },
      });
    const status = await client.call("status", { depth: 0 });
    expect(status).toMatchObject({ error: { code: "USAGE" } });
    expect(await client.call("status", {})).toMatchObject({
      self: { delegation_id: "T5-DEL-001", depth: 1 },
    });
    client.endInput();
    await client.exited;
    void climber.release();
    expect((await story).outcome).toBe("completed");
    expect((await runtime.read("T5-DEL-001")).workers).toBe(0);
  });

  it("gets no budget beyond its manager's, whatever number it writes", async ({ open }) => {
    const runtime = await open();
    runtime.agent("helper", [done()]);
    const held = await holdManager(runtime, "T6", { after: [done()], more: { budgetMicroUsd: 1_000_000 } });
    const client = rawClient(held.environment);
    await client.initialize("2025-06-18");
    const ask = (budget: unknown) =>
      client.call("delegate", { tasks: [{ description: "Spend", agent: "helper", budget_usd: budget }] });
    for (const budget of [5, "5", 1e9, "1000000"])
      expect(await ask(budget)).toMatchObject({
        tasks: [{ admitted: false, codes: ["COST_LIMIT_EXCEEDED"] }],
      });
    for (const budget of [-1, "1e9", "Infinity", "lots"])
      expect(await ask(budget)).toMatchObject({ error: { code: "USAGE" } });
    expect((await runtime.read("T6")).money.limit).toBe(1_000_000);
    expect(await ask(0.5)).toMatchObject({ tasks: [{ admitted: true }] });
    client.endInput();
    await held.release();
  });

  it("opens no story of its own by clearing its environment", async ({ open }) => {
    const runtime = await open();
    const line = `printf '%s\\n' '${JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "delegate", arguments: { tasks: [{ description: "Up" }] } },
    })}'`;
    const server = `env -i PATH="$PATH" HOME="$HOME" ambit mcp`;
    const wait = "until grep -q error out.txt 2>/dev/null; do :; done";
    const story = await runtime.run("T7", [
      shell(`(${line}; ${wait}) | ${server} > out.txt; cat out.txt; rm out.txt`),
      done(),
    ]);
    expect(runtime.output("T7", 1)).toContain("NOT_A_WORKER");
    expect(story).toMatchObject({ outcome: "completed", workers: 0 });
    expect(await runtime.engine.tools.store.stories(10)).toHaveLength(1);
  });
});
