import { describe, expect } from "vitest";
import { it, type TestRuntime } from "../orchestrator/open-runtime.ts";
import { done, shell, together, waitFor, write } from "../orchestrator/steps.ts";
import { connect, type TestClient } from "./connect.ts";
import { heldSteps, holdManager, speakFor, type HeldWorker } from "./held-worker.ts";

const backupCriteria = [
  "Backup file created in /backups/",
  "Backup file size > 100MB",
  "Backup integrity verified (checksum matches)",
];
const backup = {
  id: "backup-production-db",
  content: "Backup production database",
  activeForm: "Delegating database backup",
  status: "delegated",
  delegated_to: "haiku1",
  acceptance_criteria: backupCriteria,
  context: "Production backup before schema migration. Critical - do not skip verification.",
};

async function lead(runtime: TestRuntime, id: string): Promise<{ held: HeldWorker; client: TestClient }> {
  const held = await holdManager(runtime, id, { after: [done()] });
  return { held, client: await connect("current client", held) };
}

describe.concurrent("a manager's task list, over MCP,", () => {
  it("delegates, verifies and completes a task, here a backup of a database (R164, R167, R168, R173)", async ({
    open,
  }) => {
    const runtime = await open();
    const go = runtime.signal("go");
    const summary = "Backup created: backups/prod.sql.gz (487MB). SHA256 verified successfully.";
    runtime.agent("haiku1", [waitFor(go), write("backups/prod.sql.gz", "dump\n"), done(summary)]);
    const { held, client } = await lead(runtime, "B1");

    const handedOut = await client.call("task_update", { todos: [backup] });
    expect(handedOut).toMatchObject({
      isError: false,
      value: {
        accepted: true,
        delegations: [{ todo: backup.id, admitted: true, delegation_id: "B1-DEL-001" }],
        todos: [{ id: backup.id, status: "delegated", delegation_id: "B1-DEL-001", delegated_to: "haiku1" }],
      },
    });
    const worker = await runtime.read("B1-DEL-001");
    expect(worker).toMatchObject({ todo: backup.id, agent: "haiku1", criteria: backupCriteria });
    // The second step of the sources' example says the same once more: it is no second delegation (R175).
    const again = await client.call("send_agent_message", {
      to: "haiku1",
      message: JSON.stringify({
        type: "task_assignment",
        task_id: backup.id,
        content: backup.content,
        acceptance_criteria: backupCriteria,
        context: "Production backup before schema migration.",
      }),
    });
    expect(again.value).toMatchObject({ repeated: true, to: "B1-DEL-001" });
    expect((await client.call("task_update", { todos: [backup] })).value).toMatchObject({ delegations: [] });
    expect((await runtime.read("B1")).workers).toBe(1);

    const early = await client.call("task_update", { todos: [{ id: backup.id, status: "completed" }] });
    expect(early).toMatchObject({ isError: true, value: { accepted: false, codes: ["TASK_NOT_VERIFIED"] } });
    runtime.open(go);
    const asked = await client.call("wait", {});
    expect(asked.value).toMatchObject({ questions: [{ kind: "criterion", details: backupCriteria }] });
    const undecided = await client.call("task_update", { todos: [{ ...backup, status: "completed" }] });
    const { problems } = undecided.value;
    for (const text of backupCriteria) expect(JSON.stringify(problems)).toContain(`unverified: ${text}`);
    for (const criterion of backupCriteria)
      await client.call("verify", { id: "DEL-001", criterion, verdict: "passed", reason: "I looked." });
    expect((await client.call("wait", {})).value).toMatchObject({ done: true });

    const completed = await client.call("task_update", {
      todos: [{ ...backup, activeForm: "Completed", status: "completed", result_summary: summary }],
    });
    expect(completed.value).toMatchObject({
      accepted: true,
      todos: [
        {
          status: "completed",
          outcome: "completed",
          result_summary: summary,
          delegate_session_id: worker.sessionId,
        },
      ],
    });
    const [told] = (await runtime.engine.tools.store.messages({ from: "B1-DEL-001", limit: 10 })).map(
      ({ body }) => body,
    );
    expect(told).toMatchObject({ type: "task_completion", status: "completed", result_summary: summary });
    await client.close();
    expect((await held.release()).outcome).toBe("completed");
    expect(runtime.file("refs/heads/ambit/B1", "backups/prod.sql.gz")).toBe("dump\n");
  });

  it("runs three delegated tasks side by side, each with its own worker (R164, R175, R191)", async ({
    open,
  }) => {
    const runtime = await open();
    const meet = runtime.signal("meet");
    for (const [name, file] of [
      ["sonnet1", "docs.md"],
      ["haiku2", "tests.txt"],
      ["flash1", "queries.sql"],
    ] as const)
      runtime.agent(name, [together(meet, 3), write(file, "x\n"), done(`Made ${file}. All of it.`)]);
    const { held, client } = await lead(runtime, "B2");
    const todo = (id: string, agent: string, file: string) => ({
      id,
      content: `Do ${id}`,
      activeForm: `Delegating ${id}`,
      status: "delegated",
      delegated_to: agent,
      acceptance_criteria: [`\`test -s ${file}\` exits with code 0`],
    });
    const todos = [
      todo("update-docs", "sonnet1", "docs.md"),
      todo("write-tests", "haiku2", "tests.txt"),
      todo("optimize-queries", "flash1", "queries.sql"),
    ];
    expect((await client.call("task_update", { todos })).value).toMatchObject({
      delegations: [{ admitted: true }, { admitted: true }, { admitted: true }],
    });
    expect((await client.call("wait", {})).value).toMatchObject({ done: true });
    const done3 = await client.call("task_update", {
      todos: todos.map(({ id }) => ({ id, status: "completed" })),
    });
    expect(done3.value).toMatchObject({
      accepted: true,
      todos: [
        { id: "update-docs", status: "completed", delegated_to: "sonnet1" },
        { id: "write-tests", status: "completed", delegated_to: "haiku2" },
        { id: "optimize-queries", status: "completed", delegated_to: "flash1" },
      ],
    });
    await client.close();
    await held.release();
    for (const file of ["docs.md", "tests.txt", "queries.sql"])
      expect(runtime.file("refs/heads/ambit/B2", file)).toBe("x\n");
  });

  it("does not complete a task that a worker only claims is done: it names the criterion and the finding (R173)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("liar", [write("work.txt", "x\n"), done("All 127 tests pass. Everything is green.")]);
    const { held, client } = await lead(runtime, "B3");
    const todo = {
      id: "fix-login",
      content: "Fix the login",
      activeForm: "Fixing the login",
      status: "delegated",
      delegated_to: "liar",
      acceptance_criteria: ["`sh -c 'echo 3 tests are red; exit 1'` exits with code 0"],
    };
    await client.call("task_update", { todos: [todo] });
    await client.call("wait", {});
    const refused = await client.call("task_update", { todos: [{ id: "fix-login", status: "completed" }] });
    expect(refused).toMatchObject({ isError: true, value: { codes: ["TASK_NOT_VERIFIED"] } });
    const said = JSON.stringify(refused.value["problems"]);
    expect(said).toContain("B3-DEL-001 ended partial (CRITERION_FAILED)");
    expect(said).toContain("failed: `sh -c 'echo 3 tests are red; exit 1'`");
    expect(said).toContain("3 tests are red");
    // It is the manager's again, and goes to another worker in one step (R188, R190).
    runtime.agent("honest", [write("work.txt", "y\n"), done()]);
    const other = { ...todo, delegated_to: "honest", acceptance_criteria: ["`test -s work.txt` passes"] };
    expect((await client.call("task_update", { todos: [other] })).value).toMatchObject({
      delegations: [{ admitted: true, delegation_id: "B3-DEL-002" }],
    });
    expect((await client.call("wait", {})).value).toMatchObject({ done: true });
    expect(
      (await client.call("task_update", { todos: [{ id: "fix-login", status: "completed" }] })).value,
    ).toMatchObject({ accepted: true, todos: [{ status: "completed", delegation_id: "B3-DEL-002" }] });
    await client.close();
    await held.release();
  });

  it("takes a task back: its worker is stopped and the work kept (R190, C36)", async ({ open }) => {
    const runtime = await open();
    const begun = runtime.signal("begun");
    runtime.agent("slow", [write("half.txt", "half\n"), shell(`touch ${begun}`), { hang: "quiet" }]);
    const { held, client } = await lead(runtime, "B4");
    const todo = {
      id: "t",
      content: "Do it",
      activeForm: "Doing it",
      acceptance_criteria: ["It reads well"],
    };
    await client.call("task_update", { todos: [{ ...todo, status: "delegated", delegated_to: "slow" }] });
    await client.call("wait", { wait_seconds: 1 });
    const recalled = await client.call("task_update", { todos: [{ id: "t", status: "pending" }] });
    expect(recalled.value).toMatchObject({
      accepted: true,
      todos: [{ id: "t", status: "pending", outcome: "cancelled" }],
    });
    expect(runtime.ref("refs/heads/delegation/B4-DEL-001")).not.toBe("");
    // Nobody works on it any more, so it can be done here.
    for (const status of ["in_progress", "completed"])
      expect((await client.call("task_update", { todos: [{ id: "t", status }] })).value).toMatchObject({
        accepted: true,
      });
    await client.close();
    await held.release();
  });

  it("refuses moves that the table forbids, with the specified text, and changes nothing (R67, R162, R163)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("helper", [done()]);
    const { held, client } = await lead(runtime, "B5");
    const pending = { id: "a", content: "Do a", activeForm: "Doing a", status: "pending" };
    const wrong = await client.call("task_update", {
      todos: [pending, { ...pending, id: "b", status: "delegated", acceptance_criteria: [] }],
    });
    expect(wrong).toMatchObject({
      isError: true,
      value: { accepted: false, codes: ["MISSING:delegated_to", "MISSING:acceptance_criteria"] },
    });
    expect(wrong.value["problems"]).toContainEqual({
      code: "MISSING:delegated_to",
      message: "Tasks with status 'delegated' must have 'acceptance_criteria' and 'delegated_to' fields",
    });
    expect((await client.call("tasks")).value).toMatchObject({ todos: [] });
    await client.call("task_update", { todos: [pending] });
    for (const [status, from] of [
      ["completed", "a"],
      ["completed", "new"],
    ] as const)
      expect(
        (await client.call("task_update", { todos: [{ ...pending, id: from, status }] })).value,
      ).toMatchObject({ codes: ["TASK_MOVE_REFUSED"] });
    // An unknown agent is refused by the same guards as any delegation, and the task stays where it was.
    const unknown = await client.call("task_update", {
      todos: [{ ...pending, status: "delegated", delegated_to: "nobody", acceptance_criteria: ["x y z 1"] }],
    });
    expect(unknown).toMatchObject({
      isError: true,
      value: {
        delegations: [{ admitted: false, codes: ["AGENT_NOT_FOUND"] }],
        todos: [{ id: "a", status: "pending", blocked: { reason: expect.stringContaining("nobody") } }],
      },
    });
    await client.close();
    await held.release();
  });

  it("gives old tasks an id if they have none, says so, and recognises them later (R166)", async ({
    open,
  }) => {
    const runtime = await open();
    const { held, client } = await lead(runtime, "B6");
    const legacy = { content: "Fix bug", activeForm: "Fixing bug", status: "pending" };
    const first = await client.call("task_update", { todos: [legacy] });
    const [told] = Array.isArray(first.value["warnings"]) ? first.value["warnings"] : [];
    expect(told).toMatch(/^\[Session State\] Migrating task without ID: "Fix bug" → migrated-0-\d{13}$/);
    const again = await client.call("task_update", { todos: [{ ...legacy, status: "in_progress" }] });
    expect(again.value).toMatchObject({
      warnings: [],
      todos: [{ content: "Fix bug", status: "in_progress" }],
    });
    await client.close();
    await held.release();
  });
});

describe.concurrent("messages, over MCP,", () => {
  it("carry a blocker up and its answer down, and show the task as blocked meanwhile (R169, R174, C36)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("haiku1", [...heldSteps(runtime, "haiku1"), write("m.sql", "x\n"), done()]);
    const { held, client } = await lead(runtime, "B7");
    const todo = {
      id: "migrate-db-schema",
      content: "Migrate",
      activeForm: "Migrating",
      status: "delegated",
    };
    const criteria = ["`test -s m.sql` exits with code 0"];
    await client.call("task_update", {
      todos: [{ ...todo, delegated_to: "haiku1", acceptance_criteria: criteria }],
    });
    const worker = await speakFor(runtime, "haiku1", { id: "B7-DEL-001", story: "B7" });
    const below = await connect("older client", worker);
    // It says that it has the task, and keeps its own steps on a list of its own (R174).
    await below.call("send_agent_message", { to: "manager", message: { type: "ack" } });
    expect(await runtime.engine.tools.store.message("B7-DEL-001-assignment")).toMatchObject({
      state: "acknowledged",
    });
    const step = { id: "step-1", content: "Write the script", activeForm: "Writing", status: "in_progress" };
    expect((await below.call("task_update", { todos: [step] })).value).toMatchObject({
      todos: [{ id: "step-1", manager: "B7-DEL-001" }],
    });
    expect((await client.call("tasks", { id: "step-1" })).value).toMatchObject({
      error: { code: "TASK_NOT_FOUND" },
    });
    const blocked = below.call("send_agent_message", {
      to: "manager-id",
      message: {
        type: "task_status",
        task_id: "migrate-db-schema",
        status: "blocked",
        blocker: "Need database credentials for staging environment",
        requested_action: "Please provide DB_HOST and DB_PASSWORD for staging",
        attempted_solutions: ["Checked .env file (not found)"],
      },
    });
    const waited = await client.call("wait", {});
    expect(waited.value).toMatchObject({
      done: false,
      questions: [
        {
          kind: "clarification",
          question: expect.stringContaining("Need database credentials for staging"),
          details: ["tried: Checked .env file (not found)"],
        },
      ],
    });
    expect((await client.call("tasks", { id: "migrate-db-schema" })).value).toMatchObject({
      todo: { blocked: { reason: "Need database credentials for staging environment" } },
    });
    expect(await runtime.project.json("inbox")).toMatchObject({ questions: [{ delegation: "B7-DEL-001" }] });
    const answer = { type: "answer", task_id: "migrate-db-schema", answer: "Use DB_PASSWORD=hunter2secret" };
    expect((await client.call("send_agent_message", { to: "haiku1", message: answer })).value).toMatchObject({
      to: "B7-DEL-001",
      redacted: 1,
    });
    expect((await blocked).value).toMatchObject({ answer: "Use DB_PASSWORD=[redacted]" });
    await below.close();
    void worker.release();
    expect((await client.call("wait", {})).value).toMatchObject({ done: true });
    await client.close();
    await held.release();
  });

  it("show a manager which of its workers wait, how urgent they are, and the machines that take work (R189)", async ({
    open,
  }) => {
    const runtime = await open("delegation:\n  parallel: {maxConcurrent: 1}\n");
    const gate = runtime.signal("gate");
    runtime.agent("haiku1", [waitFor(gate), done()]);
    const { held, client } = await lead(runtime, "B9");
    expect((await client.call("list_agents")).value).not.toHaveProperty("machines");
    const task = { description: "Work", agent: "haiku1" };
    await client.call("delegate", { tasks: [task, { ...task, priority: "high" }], wait_seconds: 0 });
    const machines = [{ name: "north", pools: ["gpu", "default"], slots: 4, free: 3 }];
    const poolOf = (agent: string | null) => (agent === "haiku1" ? "gpu" : "default");
    Object.assign(runtime.engine.tools, { listMachines: async () => machines, poolOf });
    expect((await client.call("list_agents")).value).toMatchObject({
      agents: expect.arrayContaining([
        expect.objectContaining({ name: "haiku1", pool: "gpu" }),
        expect.objectContaining({ name: "claude", pool: "default", problem: null }),
      ]),
      workers: [
        { delegation_id: "B9-DEL-001", priority: 0, waits_because: "waits for a slot: 1 of 1 in use" },
        { delegation_id: "B9-DEL-002", priority: 1, waits_because: null },
      ],
      machines,
    });
    runtime.open(gate);
    await client.close();
    await held.release();
  });

  it("pass a manager's question to a running worker once (R127, R171, R172)", async ({ open }) => {
    const runtime = await open();
    runtime.agent("haiku1", [...heldSteps(runtime, "haiku1"), done()]);
    const { held, client } = await lead(runtime, "B8");
    await client.call("delegate", {
      tasks: [{ description: "Work", agent: "haiku1", accept: "It reads well" }],
      wait_seconds: 0,
    });
    const worker = await speakFor(runtime, "haiku1", { id: "B8-DEL-001", story: "B8" });
    const below = await connect("current client", worker);
    const question = "Please confirm: did tests pass? (npm test output)";
    const asked = { to: "DEL-001", message: { type: "clarification_request", question } };
    const first = await client.call("send_agent_message", asked);
    // Said twice before it was read, it is one message.
    expect((await client.call("send_agent_message", asked)).value).toMatchObject({
      repeated: true,
      message_id: first.value["message_id"],
    });
    expect((await below.call("list_pending_messages")).value).toMatchObject({
      messages: [{ from: "B8", message: { type: "clarification_request", question } }],
    });
    expect((await below.call("list_pending_messages")).value).toStrictEqual({ messages: [] });
    const said = { type: "answer", in_reply_to: first.value["message_id"], answer: "Yes, 127 pass." };
    await below.call("send_agent_message", { to: "manager", message: said });
    const progress = {
      type: "task_progress",
      progress_summary: "87/127 passing",
      next_steps: "Fix the rest",
    };
    await below.call("send_agent_message", { to: "manager", message: JSON.stringify(progress) });
    expect((await client.call("status")).value).toMatchObject({ unread_messages: 2 });
    expect((await client.call("list_pending_messages")).value).toMatchObject({
      messages: [
        { from: "B8-DEL-001", message: { answer: "Yes, 127 pass." } },
        { from: "B8-DEL-001", message: { progress_summary: "87/127 passing", status: "in_progress" } },
      ],
    });
    // To no one outside its own circle, and nothing that is no message.
    for (const [to, message, code] of [
      ["B8-DEL-002", progress, "RECIPIENT_NOT_FOUND"],
      ["someone", progress, "RECIPIENT_NOT_FOUND"],
      ["manager", { type: "gossip" }, "MESSAGE_INVALID"],
      ["manager", "no json", "MESSAGE_INVALID"],
      ["manager", { type: "task_progress", progress_summary: "x".repeat(70_000) }, "MESSAGE_INVALID"],
      ["manager", { type: "cancel", reason: "no" }, "MESSAGE_INVALID"],
    ] as const)
      expect((await below.call("send_agent_message", { to, message })).value).toMatchObject({
        error: { code },
      });
    await below.close();
    expect((await client.call("list_agents")).value).toMatchObject({
      workers: [{ delegation_id: "B8-DEL-001", status: "running", silent_seconds: expect.any(Number) }],
    });
    const cancel = { type: "cancel", reason: "enough" };
    expect((await client.call("send_agent_message", { to: "haiku1", message: cancel })).value).toMatchObject({
      stopped: true,
      outcome: "cancelled",
    });
    await client.close();
    await held.release();
  });
});
