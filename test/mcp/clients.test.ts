import { describe, expect } from "vitest";
import { it } from "../orchestrator/open-runtime.ts";
import { ask, because, done, hang, returns, write } from "../orchestrator/steps.ts";
import { clientKinds, connect } from "./connect.ts";
import { holdManager } from "./held-worker.ts";

const managerTools = [
  "delegate",
  "wait",
  "look",
  "verify",
  "cancel",
  "reply",
  "task_update",
  "submit_return",
  "send_agent_message",
  "list_pending_messages",
];
const workerTools = ["submit_return", "send_agent_message", "list_pending_messages", "status"];

describe.concurrent.each(clientKinds)("the MCP server, with the %s,", (kind) => {
  it("lists and calls every tool, resource and prompt over stdio (C14)", async ({ open, onTestFinished }) => {
    const runtime = await open();
    runtime.agent("helper", [write("helped.txt", "yes\n"), done("Helped. All of it.")]);
    runtime.agent("asker", [ask("uuid or bigint?", 60), write("asked.txt", "x"), done("Asked. Then done.")]);
    runtime.agent("writer", [write("text.md", "Fine words.\n"), done("Wrote it. All of it.")]);
    runtime.agent("sleeper", [hang("quiet")]);
    const held = await holdManager(runtime, "M1");
    const client = await connect(kind, held);
    onTestFinished(() => client.close());
    if (kind !== "older client")
      expect(client.protocol()).toBe(kind === "newest protocol" ? "modern" : "legacy");

    expect(await client.tools()).toStrictEqual(managerTools);
    const agents = await client.call("list_agents");
    const helper = { name: "helper", adapter: "scripted", problem: null };
    expect(agents.value).toMatchObject({ agents: expect.arrayContaining([expect.objectContaining(helper)]) });
    expect(agents.text).toStrictEqual(agents.value);
    expect((await client.call("status")).value).toMatchObject({
      self: { delegation_id: "M1", depth: 0 },
      workers: [],
      questions: [],
    });

    // Handed out and waited for in one call; a single task stands for a list of one.
    const helped = await client.call("delegate", { tasks: { description: "Help", agent: "helper" } });
    expect(helped).toMatchObject({
      isError: false,
      value: { done: true, tasks: [{ delegation_id: "M1-DEL-001", result: { success: true } }] },
    });
    expect((await client.call("result", { id: "DEL-001" })).value).toMatchObject({ outcome: "completed" });
    expect((await client.call("diff", { id: "M1-DEL-001", kind: "patch" })).value).toMatchObject({
      files: [{ path: "helped.txt", kind: "added" }],
      patch: expect.stringContaining("+yes"),
    });
    expect((await client.call("tree")).value).toMatchObject({ story: "M1", tree: { id: "M1" } });

    // One tool shows the same, and each.
    for (const [what, id, shows] of [
      ["status", undefined, { self: { delegation_id: "M1", can_delegate: true } }],
      ["tree", undefined, { tree: { id: "M1" } }],
      ["result", "DEL-001", { outcome: "completed" }],
      ["diff", "M1-DEL-001", { patch: null, files: [{ path: "helped.txt" }] }],
      ["patch", "M1-DEL-001", { patch: expect.stringContaining("+yes") }],
      ["tasks", undefined, { todos: [] }],
      ["agents", undefined, { agents: expect.arrayContaining([expect.objectContaining(helper)]) }],
    ] as const)
      expect((await client.call("look", { what, id })).value).toMatchObject(shows);
    expect(await client.call("look", { what: "everything" })).toMatchObject({
      isError: true,
      value: { error: { code: "USAGE" } },
    });

    // A worker's question ends the wait; the manager answers and waits on.
    const interrupted = await client.call("delegate", { tasks: [{ description: "Ask", agent: "asker" }] });
    expect(interrupted.value).toMatchObject({
      done: false,
      ticket: "M1-DEL-002",
      questions: [{ delegation_id: "M1-DEL-002", question: "uuid or bigint?", answer_with: "reply" }],
    });
    expect((await client.call("reply", { id: "DEL-002", answer: "bigint" })).value).toMatchObject({
      answered: true,
    });
    const { ticket, cursor } = interrupted.value;
    const answered = await client.call("wait", { ticket, cursor });
    expect(answered.value).toMatchObject({ done: true, tasks: [{ result: { success: true } }] });
    expect(answered.value["cursor"]).not.toBe(cursor);
    expect(runtime.output("M1-DEL-002", 1)).toContain("bigint");

    // A criterion no program can check is the manager's to decide.
    const judged = await client.call("delegate", {
      tasks: [{ description: "Write", agent: "writer", accept: "It reads well" }],
    });
    expect(judged.value).toMatchObject({ questions: [{ kind: "criterion", answer_with: "verify" }] });
    const bare = await client.call("verify", { id: "DEL-003", verdict: "passed", reason: " " });
    expect(bare).toMatchObject({ isError: true, value: { error: { code: "DECISION_WITHOUT_REASON" } } });
    const verified = await client.call("verify", {
      id: "DEL-003",
      verdict: "passed",
      reason: "I read it.",
    });
    expect(verified.value).toMatchObject({ settled: true, verdict: "passed" });
    expect((await client.call("wait", { ids: ["DEL-003"] })).value).toMatchObject({ done: true });
    expect((await runtime.read("M1-DEL-003")).outcome).toBe("completed");

    const sleeping = await client.call("delegate", {
      tasks: [{ description: "Sleep", agent: "sleeper" }],
      wait_seconds: "0",
    });
    expect(sleeping.value).toMatchObject({ done: false, ticket: "M1-DEL-004" });
    expect((await client.call("cancel", { id: "DEL-004", reason: "enough" })).value).toMatchObject({
      stopped: true,
      outcome: "cancelled",
    });

    const asked = { type: "clarification_request", question: "Which way?" };
    const question = client.call("send_agent_message", { to: "manager", message: asked });
    const waiting = await runtime.question();
    await runtime.engine.answer(waiting.id, { answer: "replied", by: "ann", reason: "That way." });
    expect((await question).value).toMatchObject({ answer: "That way." });

    expect(await client.resources()).toStrictEqual([
      "ambit://story/tree",
      "ambit://story/log",
      "ambit://story/diff",
    ]);
    expect(await client.templates()).toHaveLength(2);
    expect(await client.read("ambit://story/tree")).toContain("M1-DEL-004");
    expect(await client.read("ambit://story/log")).toContain("delegation-admitted");
    expect(await client.read("ambit://story/diff")).toContain("helped.txt");
    expect(await client.read("ambit://delegation/M1-DEL-002/output")).toContain("bigint");
    expect(await client.read("ambit://delegation/M1-DEL-003/diff")).toContain("Fine words.");
    await expect(client.read("ambit://delegation/M2/diff")).rejects.toThrow("DELEGATION_NOT_FOUND");
    const workflows = ["research", "plan", "implement", "revise", "review", "todo", "errors", "meta"];
    expect(await client.prompts()).toStrictEqual(["delegate-well", "return-contract", ...workflows]);
    expect(await client.prompt("delegate-well")).toContain("accept");
    expect(await client.prompt("return-contract")).toContain('"status"');

    const wrong = await client.call("submit_return", { status: "done", summary: "", artifacts: [] });
    expect(wrong).toMatchObject({
      isError: true,
      value: { accepted: false, codes: expect.arrayContaining(["INVALID_STATUS", "SUMMARY_EMPTY"]) },
    });
    const right = await client.call("submit_return", {
      status: "completed",
      summary: "Led four workers. All is there.",
      artifacts: '[{"type":"documentation","path":"text.md","summary":"words"}]',
      errors: null,
    });
    expect(right).toMatchObject({ isError: false, value: { accepted: true, codes: [] } });
    expect(await held.release()).toMatchObject({
      outcome: "completed",
      summary: "Led four workers. All is there.",
    });
    expect(runtime.file("refs/heads/ambit/M1", "helped.txt")).toBe("yes\n");
  });
});

describe.concurrent("a worker at the depth limit", () => {
  it("is offered four tools, and is refused if it calls another", async ({ open, onTestFinished }) => {
    const runtime = await open("delegation:\n  maxDepth: 0\n");
    const held = await holdManager(runtime, "L1");
    const client = await connect("newest protocol", held);
    onTestFinished(() => client.close());
    expect(await client.tools()).toStrictEqual(workerTools);
    expect(await client.call("delegate", { tasks: [{ description: "Help" }] })).toMatchObject({
      isError: true,
      value: { tasks: [{ status: "refused", codes: expect.arrayContaining(["MAX_DEPTH_EXCEEDED"]) }] },
    });
    await held.release();
  });
});

describe.concurrent("the answer to a manager", () => {
  it("distinguishes refused, failed and completed tasks, and has null for an unknown cost", async ({
    open,
    onTestFinished,
  }) => {
    const runtime = await open();
    runtime.agent("helper", [write("helped.txt", "yes\n"), done("Helped. All of it.")]);
    runtime.agent("quitter", [returns("failed", "Could not. Sorry.", because("No compiler."))]);
    const held = await holdManager(runtime, "A1");
    const client = await connect("newest protocol", held);
    onTestFinished(() => client.close());
    const tasks = ["helper", "quitter", "unknown"].map((agent) => ({ description: "Help", agent }));
    const { value } = await client.call("delegate", { tasks });
    expect(value).toMatchObject({
      advice: "All have ended: 1 completed, 1 failed, 1 refused. Completed work is in your folder.",
      tasks: [
        { status: "completed", result: { cost: null } },
        { status: "failed", result: { success: false } },
        { status: "refused", codes: ["AGENT_NOT_FOUND"] },
      ],
    });
    await held.release();
  });
});
