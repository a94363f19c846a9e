import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { verifyJournal } from "../../src/journal/verify-journal.ts";
import { storeFile } from "../../src/journal/store-file.ts";
import { sendPersonMessage } from "../../src/orchestrator/person-messages.ts";
import { makeProject, until } from "../e2e/project.ts";
import { it, openOn, useRuntime, type TestRuntime } from "./open-runtime.ts";
import { delegate, done, shell, waitFor, write } from "./steps.ts";

/** Changes the list as an agent's shell would. */
const todos = (list: readonly object[]) => ({ run: ["ambit", "todos", "--update", JSON.stringify(list)] });
const say = (to: string, message: object, waitSeconds = 0) => ({
  run: ["ambit", "message", "send", to, "--wait", String(waitSeconds), JSON.stringify(message)],
});
const task = (id: string, agent: string, more: object = {}) => ({
  id,
  content: `Do ${id}`,
  activeForm: `Doing ${id}`,
  status: "delegated",
  delegated_to: agent,
  acceptance_criteria: ["`test -s out.txt` exits with code 0"],
  ...more,
});

async function stateOf({ project }: TestRuntime, anchor: string): Promise<unknown> {
  const file = join(project.root, ".git/ambit", `${anchor}.state.json`);
  return JSON.parse(readFileSync(file, "utf8"));
}

describe.concurrent("a manager's task list, from its shell,", () => {
  it("gives workers background and a deadline, is shown again on resume, and kept in a file for others (R165, R197, R198)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("haiku1", [write("out.txt", "x\n"), done("Made out.txt. All of it.")]);
    const context = "Production backup before schema migration.";
    const story = await runtime.run("L1", {
      begin: [
        todos([
          task("backup", "haiku1", { context, timeout_seconds: 600 }),
          { ...task("later", "haiku1"), status: "pending" },
        ]),
      ],
      results: [
        shell("test -s out.txt"),
        todos([{ id: "backup", status: "completed" }]),
        done("Led it. All is proven."),
      ],
    });
    expect(story).toMatchObject({ outcome: "completed", attempt: 2 });
    const worker = await runtime.read("L1-DEL-001");
    expect(runtime.prompt("L1-DEL-001", 1)).toContain(context);
    expect(worker.timeoutSeconds).toBe(600);
    // Its task stands in its prompt once, not a second time as a message.
    expect(runtime.prompt("L1-DEL-001", 1)).not.toContain("Messages for you");
    const told = runtime.prompt("L1", 2);
    expect(told).toContain("- [delegated] backup: Do backup, L1-DEL-001 (haiku1) ended completed");
    expect(told).toContain("- [pending] later: Do later");
    expect(told).not.toContain("Messages for you");
    const { engine, project } = runtime;
    await until("the file is written", async () =>
      JSON.stringify(await stateOf(runtime, "L1")).includes('"completed"'),
    );
    expect(await stateOf(runtime, "L1")).toMatchObject({
      anchor_id: "L1",
      session_id: story.sessionId,
      todos: [
        {
          id: "backup",
          status: "completed",
          delegated_to: "haiku1",
          delegate_session_id: worker.sessionId,
          result_summary: "Made out.txt. All of it.",
        },
        { id: "later", status: "pending", delegation_id: null },
      ],
    });
    // Assignment and completion are in the mailbox, each read once; rebuilt from the events it is the same.
    expect(await engine.tools.store.messages({ story: "L1", limit: 10 })).toMatchObject([
      {
        from: "L1",
        to: "L1-DEL-001",
        state: "delivered",
        body: { type: "task_assignment", task_id: "backup" },
      },
      {
        from: "L1-DEL-001",
        to: "L1",
        state: "delivered",
        body: { type: "task_completion", status: "completed" },
      },
    ]);
    expect(verifyJournal(storeFile(project.root)).differingProjections).toEqual([]);
  });

  it("delegates by priority if slots are few (R189)", async ({ open }) => {
    const runtime = await open("delegation:\n  parallel: {maxConcurrent: 1}\n");
    const order = runtime.signal("order");
    for (const name of ["a", "b", "c"])
      runtime.agent(name, [shell(`echo ${name} >> ${order}`), write("out.txt", `${name}\n`), done()]);
    await runtime.run("L2", {
      begin: [
        todos([
          task("low", "a", { priority: "low", file_scope: ["a/**", "out.txt"] }),
          task("middle", "b"),
          task("high", "c", { priority: "high", timeout_seconds: 600 }),
        ]),
      ],
      results: [done()],
    });
    expect(runtime.text(order).trim().split("\n").indexOf("c")).toBeLessThan(
      runtime.text(order).trim().split("\n").indexOf("a"),
    );
    expect(await runtime.read("L2-DEL-003")).toMatchObject({ timeoutSeconds: 600, priority: 1 });
  });

  it("completes the manager's own work only if its checks are green (R173)", async ({ open }) => {
    const runtime = await open();
    const own = {
      id: "own",
      content: "Own",
      activeForm: "Owning",
      acceptance_criteria: ["`grep -q right own.txt` passes"],
    };
    const tell = (status: string) =>
      shell(`ambit todos --update '${JSON.stringify([{ ...own, status }])}'; echo "${status} $?"`);
    const story = await runtime.run("L4", [
      tell("in_progress"),
      write("own.txt", "wrong\n"),
      tell("completed"),
      write("own.txt", "right\n"),
      tell("completed"),
      done(),
    ]);
    expect(story.outcome).toBe("completed");
    const output = runtime.output("L4", 1);
    expect(output.match(/completed [01]/g)).toEqual(["completed 1", "completed 0"]);
    expect(output).toContain("TASK_NOT_VERIFIED: Task own is not proven by what you have now");
    expect(output).toContain("- failed: `grep -q right own.txt` passes");
  });

  it("reports errors with exit status and words, and changes nothing (R67)", async ({ open }) => {
    const runtime = await open();
    const script = (list: string) => shell(`ambit todos --update '${list}'; echo "status $?"`);
    await runtime.run("L3", [
      script('[{"id":"x","content":"x","activeForm":"x","status":"delegated"}]'),
      script("[{"),
      script('[{"id":"x","content":"x","activeForm":"x","status":"completed"}]'),
      done(),
    ]);
    const output = runtime.output("L3", 1);
    expect(output).toContain(
      "Tasks with status 'delegated' must have 'acceptance_criteria' and 'delegated_to' fields",
    );
    expect(output).toContain("NOT_JSON");
    expect(output).toContain("TASK_MOVE_REFUSED");
    expect(output.match(/status 1/g)).toHaveLength(3);
    expect(await runtime.engine.tools.store.todos({ manager: "L3" })).toEqual([]);
  });
});

describe.concurrent("a message", () => {
  it("is read before the work counts if it arrives while its worker works (R172)", async ({ open }) => {
    const runtime = await open();
    const [begun, go] = [runtime.signal("begun"), runtime.signal("go")];
    runtime.agent("deaf", {
      begin: [shell(`touch ${begun}`), waitFor(go), write("out.txt", "uuid\n"), done("Used uuid. Done.")],
      answer: [write("out.txt", "bigint\n"), done("Used bigint. Done.")],
    });
    const story = runtime.run("M1", {
      begin: [delegate([{ description: "Choose", agent: "deaf" }])],
      results: [done()],
    });
    await until("it is at work", () => runtime.isOpen(begun));
    const sent = await sendPersonMessage(runtime.engine, { to: "M1-DEL-001", text: "ids are bigint" });
    expect(sent).toMatchObject({ to: "M1-DEL-001" });
    runtime.open(go);
    expect((await story).outcome).toBe("completed");
    expect(runtime.prompt("M1-DEL-001", 2)).toContain("- person, about M1-DEL-001, answers: ids are bigint");
    expect(runtime.file("refs/heads/ambit/M1", "out.txt")).toBe("bigint\n");
    expect(await runtime.read("M1-DEL-001")).toMatchObject({ attempt: 2, outcome: "completed" });
    await expect(sendPersonMessage(runtime.engine, { to: "M1-DEL-001", text: "late" })).rejects.toMatchObject(
      {
        code: "RECIPIENT_NOT_FOUND",
      },
    );
  });

  it("gives a worker that has returned another turn if its manager asks a question (R127)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("terse", {
      begin: [write("out.txt", "x\n"), done("Done. All.")],
      answer: [
        say("manager", { type: "answer", answer: "npm test: 127 pass" }),
        done("127 tests pass. All of it."),
      ],
    });
    const asked = { type: "clarification_request", question: "Did the tests pass?" };
    const story = runtime.run("M2", {
      begin: [
        delegate([{ description: "Work", agent: "terse", accept: ["It reads well"] }], 20),
        say("DEL-001", asked),
        shell("until ambit message read | grep -q '127 pass'; do sleep 0.1; done"),
      ],
      results: [done()],
    });
    await until(
      "its second turn has returned",
      () => runtime.history("M2-DEL-001").filter((type) => type === "delegation-returned").length === 2,
    );
    const { id } = await runtime.question();
    await runtime.engine.answer(id, { answer: "approved", by: "person", reason: "It does." });
    expect((await story).outcome).toBe("completed");
    expect(runtime.prompt("M2-DEL-001", 2)).toContain("asks: Did the tests pass?");
    expect(await runtime.read("M2-DEL-001")).toMatchObject({ attempt: 2, outcome: "completed" });
  });

  it("about progress reaches watchers and the manager, and only the newest one does (R170)", async ({
    open,
  }) => {
    const runtime = await open();
    const go = runtime.signal("go");
    const progress = (summary: string) =>
      say("manager", { type: "task_progress", progress_summary: summary });
    runtime.agent("teller", [progress("10 of 127 pass"), progress("87 of 127 pass"), waitFor(go), done()]);
    const story = runtime.run("M3", {
      begin: [delegate([{ description: "Tell", agent: "teller" }])],
      results: [done()],
    });
    await until(
      "both were sent",
      () => runtime.history("M3-DEL-001").filter((type) => type === "message-sent").length === 2,
    );
    const inbox = await runtime.project.json("inbox");
    expect(inbox).toMatchObject({
      questions: [],
      news: [{ from: "M3-DEL-001", message: { progress_summary: "87 of 127 pass", status: "in_progress" } }],
    });
    const { stdout } = await runtime.project.ambit("inbox");
    expect(stdout).toContain("M3-DEL-001 says: 87 of 127 pass");
    runtime.open(go);
    await story;
    expect(runtime.prompt("M3", 2)).toContain("87 of 127 pass");
    expect(runtime.prompt("M3", 2)).not.toContain("10 of 127");
    expect(await runtime.project.json("message", "list", "M3")).toMatchObject({
      messages: [{ state: "dismissed" }, { state: "delivered", message: { type: "task_progress" } }],
    });
  });
});

describe("a message to an attempt that dies", () => {
  it("is delivered again to the next one, and the task list is still there (R165, R172)", async ({
    onTestFinished,
  }) => {
    const project = makeProject();
    const first = await openOn(project);
    const before = useRuntime(project, first);
    const held = before.signal("held");
    before.agent("helper", [waitFor(held), write("out.txt", "x\n"), done()]);
    await before.start("K1", {
      attempts: [
        [todos([task("help", "helper")])],
        [{ hang: "quiet" }],
        [todos([{ id: "help", status: "completed" }]), done("Led on. Done.")],
      ],
    });
    await until("it waits", async () => (await before.read("K1")).state === "parked");
    await sendPersonMessage(before.engine, { to: "K1", text: "use bigint" });
    before.open(held);
    await until("it has begun its second turn", () =>
      before.told("K1", "message-marked").some(({ state }) => state === "delivered"),
    );
    await until("it was told", () =>
      existsSync(join(project.root, ".git/ambit/logs/K1/attempt-2/prompt.md")),
    );
    await first.close();
    const second = await openOn(project);
    const after = useRuntime(project, second);
    onTestFinished(() => after.close());
    expect(await after.engine.whenEnded("K1")).toMatchObject({ outcome: "completed", attempt: 3 });
    for (const attempt of [2, 3]) expect(after.prompt("K1", attempt)).toContain("answers: use bigint");
    expect(after.prompt("K1", 3)).toContain("[delegated] help: Do help, K1-DEL-001 (helper) ended completed");
    expect(await after.engine.tools.store.messages({ to: "K1", state: "pending", limit: 5 })).toEqual([]);
    expect(await stateOf(after, "K1")).toMatchObject({ todos: [{ id: "help", status: "completed" }] });
  });
});

describe.concurrent("a silent worker", () => {
  const settings = (reassign: number) =>
    `delegation:\n  idle: {warnSeconds: 3, stopSeconds: 6, reassign: ${reassign}}\n`;

  it("is replaced by a fresh one, which continues from its files (R188)", async ({ open }) => {
    const runtime = await open(settings(1));
    runtime.agent("sleepy", {
      begin: [write("half.txt", "half\n"), { hang: "quiet" }],
      handover: [shell("cat half.txt > out.txt"), done("Went on. All of it.")],
    });
    const story = await runtime.run("Z1", {
      begin: [delegate([{ description: "Sleep", agent: "sleepy" }])],
      results: [done()],
    });
    expect(story.outcome).toBe("completed");
    expect(await runtime.read("Z1-DEL-001")).toMatchObject({ attempt: 2, outcome: "completed" });
    expect(runtime.prompt("Z1-DEL-001", 2)).toContain("It fell silent and was stopped; you take its place.");
    expect(runtime.file("refs/heads/ambit/Z1", "out.txt")).toBe("half\n");
  });

  it("is replaced by the agent that the project names, and so is one whose time ran out (R188)", async ({
    open,
  }) => {
    const runtime = await open(
      "delegation:\n  idle: {warnSeconds: 5, stopSeconds: 10, reassign: 1, reassignLate: 1}\nagents:\n  fallback: awake\n",
    );
    runtime.agent("sleepy", [write("half.txt", "half\n"), { hang: "quiet" }]);
    runtime.agent("chatty", [write("half.txt", "half\n"), { hang: "talking" }]);
    runtime.agent("awake", [
      shell("cat half.txt > $(basename half.txt .txt)-done.txt"),
      done("Went on. All of it."),
    ]);
    const late = { description: "Talk", agent: "chatty", timeout_seconds: 20 };
    const hands = (task: object) => ({ begin: [delegate([task])], results: [done()] });
    await Promise.all([
      runtime.run("Z4", hands({ description: "Sleep", agent: "sleepy" })),
      runtime.run("Z5", hands(late)),
    ]);
    for (const [id, why] of [
      ["Z4", "It fell silent and was stopped"],
      ["Z5", "Its time ran out"],
    ] as const) {
      const ended = await runtime.read(`${id}-DEL-001`);
      expect(ended).toMatchObject({ attempt: 2, outcome: "completed", agent: "awake" });
      expect(runtime.told(ended.id, "attempt-retried")).toMatchObject([{ handedTo: { agent: "awake" } }]);
      const notes = runtime.told(ended.id, "note-added").map(({ text }) => text);
      expect(notes.join("\n")).toContain(
        `awake takes the place of ${id === "Z4" ? "sleepy" : "chatty"}: ${why}`,
      );
      expect(runtime.prompt(ended.id, 2)).toContain(`${why}; you take its place.`);
      expect(runtime.file(`refs/heads/ambit/${id}`, "half-done.txt")).toBe("half\n");
    }
  });

  it.for([
    ["Z6", "does not exist", "nobody-here", "there is no such agent"],
    ["Z7", "leads the work", "lead", "it leads this work"],
  ] as const)(
    "%s: keeps its agent if the agent that the project names %s (R188)",
    async ([id, , name, why], { open }) => {
      const runtime = await open(
        `delegation:\n  idle: {warnSeconds: 5, stopSeconds: 10, reassign: 1}\nagents:\n  fallback: ${name}\n`,
      );
      runtime.agent("sleepy", { begin: [{ hang: "quiet" }], handover: [done()] });
      runtime.agent("lead", {
        begin: [delegate([{ description: "Sleep", agent: "sleepy" }])],
        results: [done()],
      });
      await runtime.engine.whenEnded(await runtime.engine.openStory({ id, title: "Lead", agent: "lead" }));
      expect(await runtime.read(`${id}-DEL-001`)).toMatchObject({ agent: "sleepy", outcome: "completed" });
      const notes = runtime.told(`${id}-DEL-001`, "note-added").map(({ text }) => text);
      expect(notes.join("\n")).toContain(why);
    },
  );

  it("is asked, its manager is informed, and then the manager gets the task back (R126, R190, R193, R198)", async ({
    open,
  }) => {
    const runtime = await open(settings(0));
    runtime.agent("sleepy", [write("half.txt", "half\n"), { hang: "quiet" }]);
    const story = await runtime.run("Z2", {
      begin: [todos([task("nap", "sleepy")])],
      results: [done()],
    });
    expect(story.outcome).toBe("completed");
    expect(await runtime.read("Z2-DEL-001")).toMatchObject({ outcome: "timed_out", code: "STALLED" });
    expect(runtime.told("Z2-DEL-001", "limit-warned")).toMatchObject([{ code: "STALLED" }]);
    const messages = await runtime.engine.tools.store.messages({ story: "Z2", from: "ambit", limit: 10 });
    expect(messages).toMatchObject([
      { to: "Z2-DEL-001", body: { question: expect.stringContaining("You have been silent for") } },
      { to: "Z2", body: { progress_summary: expect.stringMatching(/^Z2-DEL-001 has written nothing for/) } },
    ]);
    expect(runtime.prompt("Z2", 2)).toContain(
      "nap: Do nap, Z2-DEL-001 (sleepy) ended timed_out; blocked: Z2-DEL-001 ended timed_out (STALLED)",
    );
  });
});
