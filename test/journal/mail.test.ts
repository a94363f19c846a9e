import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { rebuildStore } from "../../src/journal/rebuild-store.ts";
import type { Store } from "../../src/journal/store.ts";
import { buildTodoDocument, buildChecklist } from "../../src/journal/todo-view.ts";
import { formatTodoLines } from "../../src/journal/todo-lines.ts";
import { verifyJournal } from "../../src/journal/verify-journal.ts";

let file: string;
let store: Store;
const lease = { owner: "o", leaseMs: 1000, maxConcurrent: 9 };

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), "ambit-mail-"));
  file = join(folder, "ambit.db");
  store = openStore(file);
  onTestFinished(async () => {
    await store.close().catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  });
  await store.openStory({ id: "S", kind: "story", title: "t", agent: "lead", limits: defaultLimits });
  await store.begin("S", 1, lease);
});

const send = (id: string, from: string, to: string, body: object) =>
  store.record({
    type: "message-sent",
    story: "S",
    delegation: from,
    attempt: 0,
    data: { messageId: id, from, to, body: { ...body } },
  });
const mark = (id: string, reader: string, attempt: number) =>
  store.record({
    type: "message-marked",
    story: "S",
    delegation: reader,
    attempt,
    data: { messageId: id, state: "delivered" },
  });
const pending = async (to: string) =>
  (await store.messages({ to, state: "pending", limit: 10 })).map(({ id }) => id);

describe("the mailbox of the store", () => {
  it("repeats messages to an attempt that was lost, and to no other (R172)", async () => {
    await send("m1", "S-DEL-001", "S", { type: "ack" });
    await send("m1", "S-DEL-001", "S", { type: "ack" });
    await send("m2", "S-DEL-001", "S", { type: "answer", answer: "x" });
    await mark("m1", "S", 1);
    expect(await pending("S")).toEqual(["m2"]);
    await store.record({
      type: "attempt-lost",
      story: "S",
      delegation: "S",
      attempt: 1,
      data: { reason: "killed" },
    });
    expect(await pending("S")).toEqual(["m1", "m2"]);
    await store.begin("S", 2, lease);
    await mark("m1", "S", 2);
    await mark("m2", "S", 2);
    await store.record({
      type: "attempt-retried",
      story: "S",
      delegation: "S",
      attempt: 2,
      data: { reason: "again", kind: "retry" },
    });
    expect(await pending("S")).toEqual([]);
  });

  it("repeats messages to an attempt that could not start because its provider was full", async () => {
    await send("m1", "person", "S", { type: "answer", answer: "x" });
    await mark("m1", "S", 1);
    const data = { reason: "full", provider: "anthropic", afterMs: 1 };
    await store.record({ type: "attempt-retried", story: "S", delegation: "S", attempt: 1, data });
    expect(await pending("S")).toEqual(["m1"]);
  });

  it("has an assignment for each delegated task and a completion at its end, also after a rebuild (R167, R168, R176, R192)", async () => {
    const todo = {
      id: "docs",
      content: "Write docs",
      activeForm: "Writing docs",
      status: "delegated" as const,
      acceptance_criteria: ["They read well"],
      delegated_to: "haiku1",
    };
    await store.record({
      type: "todos-updated",
      story: "S",
      delegation: "S",
      attempt: 1,
      data: { todos: [todo] },
    });
    const request = {
      description: "Write docs",
      agent: "haiku1",
      criteria: ["They read well"],
      todo: "docs",
    };
    const [first] = await store.admit({ parent: "S", parentAttempt: 1, requests: [request] });
    expect(first).toMatchObject({ admitted: true, delegation: { todo: "docs" } });
    const [second] = await store.admit({ parent: "S", parentAttempt: 1, requests: [request] });
    expect(second).toMatchObject({
      admitted: false,
      failures: [{ code: "TASK_ALREADY_DELEGATED", message: expect.stringContaining("S-DEL-001") }],
    });
    const session = first?.admitted === true ? first.delegation.sessionId : "";
    expect(await store.messages({ to: "S-DEL-001", limit: 5 })).toMatchObject([
      { id: "S-DEL-001-assignment", from: "S", body: { type: "task_assignment", task_id: "docs" } },
    ]);
    await store.begin("S-DEL-001", 1, lease);
    await store.settle("S-DEL-001", 1, { outcome: "failed", code: "TIMEOUT", summary: "Ran out of time." });
    expect(await store.messages({ story: "S", from: "S-DEL-001", limit: 5 })).toMatchObject([
      { id: "S-DEL-001-completion", to: "S", body: { status: "failed", result_summary: "Ran out of time." } },
    ]);
    const [view] = buildChecklist({
      todos: await store.todos({ story: "S" }),
      delegations: await store.storyTree("S"),
    });
    if (view === undefined) throw new Error("no task");
    expect(view).toMatchObject({
      blocked: "S-DEL-001 ended failed (TIMEOUT)",
      worker: { outcome: "failed" },
    });
    expect(formatTodoLines(buildTodoDocument(view))).toStrictEqual([
      "Task: docs - Write docs [delegated]",
      "   → Delegated to: haiku1 (S-DEL-001)",
      "   → Acceptance criteria: They read well",
      "   → Blocked: S-DEL-001 ended failed (TIMEOUT)",
      "Result: Ran out of time.",
      `   → Session: ${session}`,
    ]);
    expect(await store.workerTotals()).toMatchObject([
      { agent: "haiku1", delegations: 1, finished: 1, outcomes: { failed: 1 }, attempts: 1 },
    ]);
    await store.close();
    expect(verifyJournal(file).differingProjections).toEqual([]);
    rebuildStore(file);
    store = openStore(file);
    expect(await store.todos({ manager: "S" })).toMatchObject([{ item: { id: "docs" } }]);
    expect(await store.message("S-DEL-001-completion")).toMatchObject({ state: "pending" });
  });

  it("stores a task change once, and drops the fields that a change removes", async () => {
    const change = (changeId: string, fields: object) =>
      store.record({
        type: "task-changed",
        story: "tasks",
        delegation: null,
        attempt: 0,
        data: { taskId: "7", changeId, kind: "changed", source: "store", fields: { ...fields } },
      });
    await change("c1", { title: "A", effort: "2h" });
    const { seq } = await store.head();
    expect(await change("c1", { title: "Other" })).toBe("ok");
    expect(await store.head()).toMatchObject({ seq });
    await change("c2", { effort: null, status: "planned" });
    expect(await store.task("7")).toMatchObject({ fields: { title: "A", status: "planned" } });
    expect(await store.tasks(5)).toHaveLength(1);
    expect(await store.stories(5)).toHaveLength(1);
  });
});
