import { describe, expect } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import { workerCalls, type WorkerCallName } from "../../src/orchestrator/worker-calls.ts";
import { it, type TestRuntime } from "./open-runtime.ts";

const lease = { owner: "test", leaseMs: 60_000, maxConcurrent: 9 };

/** A manager and its worker, both at work as if on a machine that is frozen from now on. */
async function makeManager({ engine }: TestRuntime): Promise<string> {
  const { store } = engine.tools;
  await store.openStory({ id: "L1", kind: "story", title: "T", agent: "claude", limits: defaultLimits });
  await store.begin("L1", 1, lease);
  await store.admit({ parent: "L1", parentAttempt: 1, requests: [{ description: "Part" }] });
  await store.begin("L1-DEL-001", 1, lease);
  return engine.live.registerAttempt(await engine.read("L1"));
}

const lose = async ({ engine }: TestRuntime): Promise<void> => {
  const about = { story: "L1", delegation: "L1", attempt: 1 };
  await engine.tools.store.record({ ...about, type: "attempt-lost", data: { reason: "no heartbeat" } });
};

const message = { type: "task_assignment", task_id: "T1", content: "More" };
const progress = { type: "task_progress", progress_summary: "Half" };

describe.concurrent("an agent whose attempt was lost", () => {
  it("sends no message any more", async ({ open }) => {
    const runtime = await open();
    const token = await makeManager(runtime);
    const send = (): Promise<unknown> =>
      workerCalls.send_agent_message(runtime.engine, { token, to: "person", message: progress });
    await send();
    expect(runtime.told("L1", "message-sent")).toHaveLength(1);
    await lose(runtime);
    await workerCalls
      .send_agent_message(runtime.engine, {
        token,
        to: "person",
        message: { ...progress, progress_summary: "All" },
      })
      .catch(() => undefined);
    expect(runtime.told("L1", "message-sent")).toHaveLength(1);
  });

  it("cannot act as the attempt that follows it, on another machine", async ({ open }) => {
    const runtime = await open();
    const token = await makeManager(runtime);
    await lose(runtime);
    await runtime.engine.tools.store.begin("L1", 2, { ...lease, owner: "another" });
    const before = runtime.events.length;
    const worker = "L1-DEL-001";
    const calls: readonly (readonly [WorkerCallName, object])[] = [
      ["delegate", { tasks: [{ description: "More" }] }],
      ["ask", { question: "Why?" }],
      ["send_agent_message", { to: "person", message: progress }],
      ["send_agent_message", { to: worker, message }],
      ["cancel", { id: worker }],
      ["reply", { id: worker, answer: "Yes" }],
      ["submit_return", { status: "completed", summary: "Done" }],
      ["task_update", { todos: [{ id: "T1", content: "a", activeForm: "b", status: "pending" }] }],
      ["list_pending_messages", {}],
      ["wait", { ids: [worker] }],
    ];
    for (const [name, fields] of calls)
      expect([name, await codeOf(workerCalls[name](runtime.engine, { token, ...fields }))]).toEqual([
        name,
        "NOT_A_WORKER",
      ]);
    expect(runtime.events.slice(before)).toEqual([]);
  });
});

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "done",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
