import { describe, expect } from "vitest";
import { callAsWorker } from "../../src/supervisor/worker-client.ts";
import { it, type TestRuntime } from "../orchestrator/open-runtime.ts";
import { ask, done, shell, waitFor, write } from "../orchestrator/steps.ts";
import { holdManager, type HeldWorker } from "./held-worker.ts";
import { rawClient, type RawClient } from "./raw-client.ts";

const speak = async ({ environment }: HeldWorker): Promise<RawClient> => {
  const client = rawClient(environment);
  await client.initialize("2025-11-25");
  return client;
};

const part = (
  runtime: TestRuntime,
  name: string,
  steps: readonly object[],
  accept: readonly string[] = [],
) => {
  runtime.agent(name, steps);
  return { description: `Do ${name}`, agent: name, accept };
};

describe.concurrent("a manager's decision about a criterion", () => {
  it("needs a reason, and counts for one criterion that no program can check", async ({ open }) => {
    const runtime = await open();
    const held = await holdManager(runtime, "V1", { after: [done()] });
    const client = await speak(held);
    const task = part(
      runtime,
      "writer",
      [write("t.md", "x"), done()],
      ["It reads well", "It is polite", "`test -s t.md`"],
    );
    expect(await client.call("delegate", { tasks: [task] })).toMatchObject({
      done: false,
      questions: [{ kind: "criterion", details: ["It reads well", "It is polite"], answer_with: "verify" }],
    });
    const decide = (more: object) => client.call("verify", { id: "DEL-001", reason: "I read it.", ...more });
    for (const [more, code] of [
      [{ criterion: "It reads well", verdict: "passed", reason: " " }, "DECISION_WITHOUT_REASON"],
      [{ criterion: "It reads well", verdict: "waived" }, "DECISION_NEEDS_PERSON"],
      [{ criterion: "`test -s t.md`", verdict: "passed" }, "DECISION_AGAINST_CHECK"],
      [{ criterion: "`test -s t.md`", verdict: "failed" }, "DECISION_AGAINST_CHECK"],
      [{ criterion: "It rhymes", verdict: "passed" }, "CRITERION_NOT_FOUND"],
      [{ verdict: "passed" }, "CRITERION_NOT_FOUND"],
      [{ criterion: "It reads well", verdict: "fine" }, "USAGE"],
    ] as const)
      expect(await decide(more)).toMatchObject({ error: { code } });
    const first = await decide({ criterion: "It reads well", verdict: "passed" });
    expect(first).toMatchObject({ settled: false, still_open: [expect.any(String)] });
    expect(await decide({ criterion: "It is polite", verdict: "passed" })).toMatchObject({ settled: true });
    expect(await client.call("wait", {})).toMatchObject({
      done: true,
      tasks: [{ result: { success: true } }],
    });
    expect(runtime.told("V1-DEL-001", "criterion-checked").map(({ by }) => by)).toStrictEqual(
      expect.arrayContaining(["V1", "ambit"]),
    );
    expect(await decide({ criterion: "It is polite", verdict: "failed" })).toMatchObject({
      error: { code: "APPROVAL_NOT_FOUND" },
    });
    client.endInput();
    await held.release();
  });

  it("keeps the work unmerged, with its reason, if it says that the criterion failed", async ({ open }) => {
    const runtime = await open();
    const held = await holdManager(runtime, "V2", { after: [done()] });
    const client = await speak(held);
    const task = part(runtime, "writer", [write("t.md", "x"), done()], ["It reads well"]);
    const { cursor, ticket } = await client.call("delegate", { tasks: [task] });
    const reason = "Full of mistakes.";
    expect(await client.call("verify", { id: "DEL-001", verdict: "failed", reason })).toMatchObject({
      settled: true,
    });
    expect(await client.call("wait", { ticket, cursor })).toMatchObject({
      done: true,
      tasks: [
        { result: { success: false, error: "CRITERION_FAILED", summary: expect.stringContaining(reason) } },
      ],
    });
    expect(runtime.file("delegation/V2-DEL-001", "t.md")).toBe("x");
    client.endInput();
    await held.release();
  });
});

describe.concurrent("waiting", () => {
  it("ends with a ticket if it takes long, and the manager is resumed with the results", async ({ open }) => {
    const runtime = await open();
    const go = runtime.signal("go");
    const task = part(runtime, "slow", [waitFor(go), write("slow.txt", "x"), done("Slow. Done.")]);
    const held = await holdManager(runtime, "V3", { after: [shell("ls")] });
    const client = await speak(held);
    const ticketed = await client.call("delegate", { tasks: [task], wait_seconds: 1 });
    expect(ticketed).toMatchObject({
      done: false,
      ticket: "V3-DEL-001",
      advice: expect.stringContaining("End your turn now"),
    });
    client.endInput();
    const story = held.release();
    runtime.open(go);
    // Its script is the same in every turn; what it is told in the second one is what counts.
    expect(await story).toMatchObject({ attempt: expect.toSatisfy((attempt: number) => attempt > 1) });
    expect(runtime.prompt("V3", 2)).toContain("Slow. Done.");
  });

  it("is interrupted once by each question, and returns a new cursor every time", async ({ open }) => {
    const runtime = await open();
    const task = part(runtime, "asker", [ask("Which way?", 60), done()]);
    const held = await holdManager(runtime, "V4", { after: [done()] });
    const client = await speak(held);
    const first = await client.call("delegate", { tasks: [task] });
    expect(first).toMatchObject({ done: false, questions: [{ question: "Which way?" }] });
    const cursors = new Set([first["cursor"]]);
    for (let cursor = first["cursor"], round = 0; round < 3; round += 1) {
      const next = await client.call("wait", { cursor, wait_seconds: 1 });
      expect(next).toMatchObject({ done: false, ticket: "V4-DEL-001", questions: [{}] });
      cursor = next["cursor"];
      cursors.add(cursor);
    }
    expect(cursors.size).toBe(4);
    const { questions } = first;
    const [asked]: readonly unknown[] = Array.isArray(questions) ? questions : [];
    const id = typeof asked === "object" && asked !== null && "id" in asked ? asked.id : "";
    expect(await client.call("reply", { id, answer: "That way." })).toMatchObject({ answered: true });
    expect(await client.call("wait", {})).toMatchObject({ done: true });
    client.endInput();
    await held.release();
  });

  it("ends at once if there is nothing to wait for, and refuses the id of an unknown worker", async ({
    open,
  }) => {
    const runtime = await open();
    const held = await holdManager(runtime, "V5", { after: [done()] });
    const client = await speak(held);
    expect(await client.call("wait", {})).toMatchObject({ done: true, tasks: [], ticket: "" });
    expect(await client.call("wait", { ids: ["V5-DEL-001"] })).toMatchObject({
      error: { code: "DELEGATION_NOT_FOUND" },
    });
    client.endInput();
    await held.release();
  });
});

describe.concurrent("a submitted return", () => {
  it("is checked against the same contract as a file (C14, R36)", async ({ open }) => {
    const runtime = await open();
    const held = await holdManager(runtime, "V6");
    const client = await speak(held);
    const right = { status: "completed", summary: "Did it. All of it.", artifacts: [] };
    const other = {
      session_id: "sess_1700000000_aaaaaa",
      agent_type: "x",
      delegation_depth: 0,
      delegation_path: ["x"],
    };
    for (const [more, code] of [
      [{ metadata: other }, "SESSION_MISMATCH"],
      [{ artifacts: [{ type: "report", path: "gone.md", summary: "x" }] }, "ARTIFACT_MISSING"],
      [{ artifacts: [{ type: "report", path: "/etc/passwd", summary: "x" }] }, "ARTIFACT_PATH_ABSOLUTE"],
      [{ status: "failed" }, "ERRORS_REQUIRED"],
      [{ status: "in_progress" }, "INTERRUPTED"],
      [{ summary: null }, "MISSING_FIELD:summary"],
    ] as const)
      expect(await client.call("submit_return", { ...right, ...more })).toMatchObject({
        accepted: false,
        codes: expect.arrayContaining([code]),
      });
    expect(await client.call("submit_return", right)).toMatchObject({ accepted: true });
    client.endInput();
    expect(await held.release()).toMatchObject({ outcome: "completed", summary: right.summary });
  });
});

describe.concurrent("a story whose id looks like a worker's", () => {
  it("cannot be read or stopped by the story whose worker could have that id", async ({ open }) => {
    const runtime = await open();
    const held = await holdManager(runtime, "V7", { after: [done()] });
    const other = await holdManager(runtime, "V7-DEL-001", { after: [done()] });
    const call = (method: string, fields: object): Promise<unknown> =>
      callAsWorker(held.socket, { method, parameters: { ...fields, token: held.token } });
    for (const method of ["cancel", "result", "output", "diff"])
      await expect(call(method, { id: "V7-DEL-001" })).rejects.toMatchObject({
        code: "DELEGATION_NOT_FOUND",
      });
    expect(await call("status", {})).toMatchObject({ workers: [] });
    expect((await other.release()).outcome).toBe("completed");
    expect((await held.release()).outcome).toBe("completed");
  });
});
