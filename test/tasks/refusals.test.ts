import { describe, expect, it } from "vitest";
import { makeProject, type TaskProject } from "./task-project.ts";

const state = (tasks: readonly object[]): string =>
  JSON.stringify({ next_project_number: 9, active_projects: tasks });

/** Task 1 waits for 2, which waits for 3; 4 is archived. */
async function project(more: readonly object[] = []): Promise<TaskProject> {
  const made = makeProject({
    "specs/state.json": state([
      { project_number: 1, title: "One", status: "not_started", dependencies: [2] },
      { project_number: 2, title: "Two", status: "completed", dependencies: [3] },
      { project_number: 3, title: "Three", status: "abandoned" },
      ...more,
    ]),
    "specs/archive/state.json": JSON.stringify({
      completed_projects: [{ project_number: 4, title: "Four", status: "completed" }],
    }),
  });
  await made.store.refresh();
  return made;
}

/** What a refusal says, after proof that nothing changed. */
async function refusal(
  change: (store: TaskProject["store"]) => Promise<{ readonly failures: readonly object[] }>,
  more: readonly object[] = [],
) {
  const made = await project(more);
  const before = [made.read("specs/state.json"), made.read("specs/TODO.md")];
  const done = await change(made.store);
  expect(done).toMatchObject({ status: "failed", succeeded: [], tasks: [], filesUpdated: [], changes: [] });
  expect([made.read("specs/state.json"), made.read("specs/TODO.md")]).toEqual(before);
  return done.failures[0];
}

const long = (length: number): string => "x".repeat(length);

describe("a field of a task", () => {
  it.each([
    [{ title: "  " }, "The title is empty"],
    [{ title: long(301) }, "The title has 301 characters; the limit is 300"],
    [{ title: "a\u0007b" }, "The title has control or invisible characters"],
    [{ title: "T", language: "" }, "The language is empty"],
    [{ title: "T", language: long(41) }, "The language has 41 characters; the limit is 40"],
    [{ title: "T", effort: long(101) }, "The effort has 101 characters; the limit is 100"],
    [{ title: "T", priority: "soon" }, '"soon" is not a priority; use low, medium or high'],
    [{ title: "T", description: long(20_001) }, "The description has 20001 characters; the limit is 20000"],
    [{ title: "T", description: "a\u200bb" }, "The description has control or invisible characters"],
  ])("is refused with the reason: %.40j", async (task, message) => {
    expect(await refusal((store) => store.create(task))).toEqual({
      taskId: "new",
      code: "TASK_INVALID",
      message,
      recommendation: "Correct it and run the command again; nothing was changed.",
    });
  });

  it("may be as long as its limit, and is stored in one line", async () => {
    const { store } = await project();
    const made = await store.create({
      title: ` ${long(290)}\n title `,
      language: long(40),
      effort: long(100),
      priority: " HIGH ",
      description: long(20_000),
    });
    expect(made.summary).toBe("Created task 9");
    expect(made.tasks).toMatchObject([
      { title: `${long(290)} title`, language: long(40), effort: long(100), priority: "high" },
    ]);
    const exact = await store.create({ title: long(300), effort: " ", dependencies: [4] });
    expect(exact.tasks[0]).toMatchObject({ title: long(300), effort: "", dependencies: ["4"] });
    expect(exact.tasks[0]?.raw).not.toHaveProperty("effort");
  });

  it("that names another task must name a known one", async () => {
    expect(await refusal((store) => store.create({ title: "T", dependencies: [1, 77] }))).toEqual({
      taskId: "new",
      code: "DEPENDENCY_UNKNOWN",
      message: "The dependency 77 is not a known task",
      recommendation: "Name tasks that ambit task list shows; nothing was changed.",
    });
    expect(await refusal((store) => store.create({ title: "T", parent: 77 }))).toMatchObject({
      code: "TASK_NOT_FOUND",
      message: "Task 77 not found in TODO.md",
    });
  });

  it.each([
    [3, [1], "3 → 1 → 2 → 3"],
    [2, [1], "2 → 1 → 2"],
    [1, [1], "1 → 1"],
    [3, [2], "3 → 2 → 3"],
  ])("must not let task %i wait for itself: %j", async (id, dependencies, path) => {
    expect(await refusal((store) => store.updateMetadata(id, { dependencies }))).toEqual({
      taskId: String(id),
      code: "CYCLE_DETECTED",
      message: `The tasks would wait for each other: ${path}`,
      recommendation: "Remove one of these dependencies; nothing was changed.",
    });
  });

  it.each([
    "project_number",
    "project_name",
    "status",
    "title",
    "description",
    "language",
    "task_type",
    "priority",
    "effort",
    "dependencies",
    "artifacts",
    "archived",
    "archive_reason",
    "todo_entry",
    "",
  ])("with an option of its own cannot be set as an extra field: %j", async (name) => {
    expect(
      await refusal((store) => store.updateMetadata(1, { extra: { owner: "Ann", [name]: 1 } })),
    ).toMatchObject({
      code: "TASK_INVALID",
      message: `"${name}" cannot be set as an extra field; it has its own option`,
    });
  });

  it("that is extra is stored as it is, and removed with null", async () => {
    const { store } = await project();
    await store.updateMetadata(1, { extra: { owner: "Ann", weight: 2 } });
    expect(store.find(1)?.raw).toMatchObject({ owner: "Ann", weight: 2 });
    const done = await store.updateMetadata(1, { extra: { owner: null } });
    expect(store.find(1)?.raw).not.toHaveProperty("owner");
    expect(done.changes).toMatchObject([{ fields: { owner: null }, before: { owner: "Ann" } }]);
    expect(done.operation).toBe("update_task_metadata");
  });
});

describe("a status", () => {
  it("that cannot follow is refused with those that can", async () => {
    expect(await refusal((store) => store.updateStatus(1, "completed"))).toMatchObject({
      code: "ILLEGAL_TRANSITION",
      message: "Task 1 is not started and cannot become completed",
      recommendation: expect.stringMatching(/^It can become [a-z ,]*researching[a-z ,]*\.$/),
    });
    expect(await refusal((store) => store.updateStatus(2, "planning"))).toMatchObject({
      message: "Task 2 is completed and cannot become planning",
      recommendation: "This status is final; create a new task.",
    });
    const { store } = await project();
    await expect(store.updateStatus(1, "almost")).rejects.toMatchObject({ code: "TASK_STATUS_UNKNOWN" });
  });

  it("of several tasks says how many changed, and to what", async () => {
    const { store } = await project([{ project_number: 5, title: "Five", status: "not_started" }]);
    expect(await store.updateStatus([1, 5], "on hold")).toMatchObject({
      operation: "update_status",
      status: "completed",
      summary: "Changed 2 tasks to on hold",
    });
    const refused = await store.updateStatus([1, 2, 3, 5, 77], "planning");
    expect(refused.summary).toMatch(/^Nothing was changed: Task 2 is completed .*, and 2 more$/);
    const some = await store.updateStatus([1, 2], "not started", { continueOnError: true });
    expect(some).toMatchObject({
      status: "partial",
      succeeded: ["1"],
      summary: "Changed 1 task to not started",
    });
    expect(await store.updateMetadata(1, { effort: "1 h" })).toMatchObject({ summary: "Changed 1 task" });
  });

  const withCriterion = (criterion: unknown) => [
    { project_number: 5, title: "Five", status: "implementing", criteria: [criterion] },
  ];

  it.each([
    [
      { text: "It works", verdict: "failed", evidence: "exit 1" },
      "CRITERION_FAILED",
      '"It works" failed (exit 1)',
    ],
    [{ id: "c1", verdict: "failed" }, "CRITERION_FAILED", '"c1" failed'],
    [{ text: "It works", verdict: "unverified" }, "CRITERION_UNVERIFIED", '"It works" is not decided'],
  ])("is not completed with an open criterion: %j", async (criterion, code, words) => {
    expect(await refusal((store) => store.updateStatus(5, "completed"), withCriterion(criterion))).toEqual({
      taskId: "5",
      code,
      message: `Task 5 cannot be completed: criterion ${words}`,
      recommendation: "Make it pass, or decide it; then complete the task.",
    });
  });

  it.each([
    "It works",
    { text: "It works" },
    { text: "It works", verdict: "passed" },
    { text: "It works", verdict: "waived" },
    { text: "It works", verdict: "failed", required: false },
  ])("is completed with the criterion %j", async (criterion) => {
    const { store } = await project(withCriterion(criterion));
    expect(await store.updateStatus(5, "completed")).toMatchObject({ status: "completed" });
    expect(await store.updateStatus(5, "completed")).toMatchObject({ status: "completed", changes: [] });
  });
});

describe("an artifact", () => {
  it.each([
    ["", "ARTIFACT_PATH_ESCAPES"],
    ["..", "ARTIFACT_PATH_ESCAPES"],
    ["a/../../b", "ARTIFACT_PATH_ESCAPES"],
    ["a\nb", "ARTIFACT_PATH_ESCAPES"],
    ["/etc/passwd", "ARTIFACT_PATH_ABSOLUTE"],
  ])("has a path inside the project: %j", async (path, code) => {
    const added = [{ type: "plan", path }];
    expect(await refusal((store) => store.addArtifacts(1, added))).toEqual({
      taskId: "1",
      code,
      message: `The artifact ${JSON.stringify(path)} of task 1 is not a path inside the project`,
      recommendation: "Write it relative to the project's root.",
    });
  });

  it("is linked once", async () => {
    const { store } = await project();
    const added = [{ type: "plan", path: "..notes/a.md" }];
    const first = await store.addArtifacts(1, added);
    expect(first).toMatchObject({ operation: "link_artifacts", tasks: [{ artifacts: added }] });
    expect(await store.addArtifacts(1, added)).toMatchObject({ changes: [], filesUpdated: [] });
  });
});

describe("a task that is elsewhere", () => {
  it("is not changed, and the refusal says where it is", async () => {
    const archived = await refusal((store) => store.updateStatus(4, "planning"));
    expect(archived).toMatchObject({
      code: "TASK_NOT_FOUND",
      message: "Task 4 is in the archive",
      recommendation: "Bring it back first with ambit task recover 4",
    });
    expect(await refusal((store) => store.archive(4))).toMatchObject({ message: "Task 4 is in the archive" });
    expect(await refusal((store) => store.abandon(4))).toMatchObject({ message: "Task 4 is in the archive" });
    expect(await refusal((store) => store.recover(77))).toMatchObject({
      code: "TASK_NOT_FOUND",
      message: "Task 77 is not in specs/archive/state.json",
    });
    expect(await refusal((store) => store.recover(1))).toMatchObject({
      code: "DUPLICATE_ID",
      message: "Task 1 is already in the list",
    });
  });

  it("in TODO.md alone is to be imported first", async () => {
    const made = makeProject({
      "specs/state.json": state([{ project_number: 1, title: "One" }]),
      "specs/TODO.md": "# TODO\n\n## Tasks\n\n### 1. One\n\n### 2. Two\n",
    });
    const done = await made.store.updateStatus(2, "planning");
    expect(done.failures).toMatchObject([
      {
        message: "Task 2 is in specs/TODO.md, but not in specs/state.json",
        recommendation: "Import it first: ambit task sync 2",
      },
    ]);
  });
});

describe("the archive", () => {
  it("takes finished tasks, and all of them with one word", async () => {
    expect(await refusal((store) => store.archive(1))).toMatchObject({
      code: "ILLEGAL_TRANSITION",
      message: "Task 1 is not started; only finished tasks can be archived",
      recommendation: "Finish it, or abandon it with ambit task abandon 1",
    });
    const { store } = await project([{ project_number: 5, title: "Five", status: "expanded" }]);
    expect(await store.archive("all")).toMatchObject({
      operation: "archive_tasks",
      taskIds: ["2", "3", "5"],
      summary: "Archived 3 tasks",
    });
    const archived = store
      .list({ place: "archived" })
      .map(({ id, archiveReason }) => `${id} ${archiveReason}`);
    expect(archived.toSorted()).toEqual(["2 completed", "3 abandoned", "4 completed", "5 expanded"]);
    expect(await store.recover("all")).toMatchObject({
      operation: "unarchive_tasks",
      summary: "Recovered 4 tasks from archive",
    });
    expect(store.find(3)).toMatchObject({ status: "not_started", archived: false });
    expect(store.find(2)).toMatchObject({ status: "completed", archived: false });
  });

  it("takes unfinished tasks as abandoned, with a person's words", async () => {
    expect(await refusal((store) => store.abandon(2))).toMatchObject({
      code: "ILLEGAL_TRANSITION",
      message: "Task 2 is completed and cannot be abandoned",
      recommendation: "It is finished; archive it with ambit task archive 2.",
    });
    const { store, journal } = await project([{ project_number: 5, title: "Five", status: "strange" }]);
    const done = await store.abandon("all", { reason: " no\u0007 need " });
    expect(done.succeeded).toEqual(expect.arrayContaining(["1", "5"]));
    expect(done.succeeded).not.toContain("2");
    expect(store.find(1)?.raw).toMatchObject({ abandoned_reason: expect.stringMatching(/^no.*need$/) });
    const event = [...journal.values()]
      .flat()
      .find(({ taskId, kind }) => taskId === "1" && kind === "archived");
    expect(event).toMatchObject({
      source: "store",
      fields: { archived: true, reason: "abandoned", status: "abandoned" },
      before: { status: "not_started" },
    });
    await store.recover(1);
    const silent = await store.abandon(1);
    expect(silent.changes).toMatchObject([{ fields: { archived: true, status: "abandoned" } }]);
    expect(silent.changes[0]?.fields).not.toHaveProperty("abandoned_reason");
  });
});

describe("a selection", () => {
  it("may mix ids and numbers, and nothing else", async () => {
    const { store } = await project([{ project_number: "12.1", title: "Part", status: "not_started" }]);
    const mixed = await store.updateStatus("12.1, 1", "researching", { dryRun: true });
    expect(mixed.taskIds).toEqual(["12.1", "1"]);
    const ranged = await store.updateStatus("12.1, 1-2", "researching", {
      dryRun: true,
      continueOnError: true,
    });
    expect(ranged.taskIds).toEqual(["12.1", "1", "2"]);
    await expect(store.updateStatus("1 planning", "researching")).rejects.toMatchObject({
      code: "INVALID_RANGE",
      message: expect.stringContaining('"planning" does not belong to a task number'),
    });
    await expect(store.updateStatus("12.1, all", "researching")).rejects.toMatchObject({
      code: "INVALID_TASK_NUMBER",
    });
  });
});
