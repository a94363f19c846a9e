import { describe, expect, it } from "vitest";
import { makeProject } from "./task-project.ts";

describe("a new task list", () => {
  it("creates both files, the entry and the journal event (R133, R134, R135, R136)", async () => {
    const project = makeProject();
    const made = await project.store.create({
      title: "Fix the login page",
      language: "lean",
      effort: "2 hours",
    });
    expect(made).toMatchObject({ status: "completed", taskIds: ["1"], operation: "create_task" });
    expect(made.filesUpdated).toEqual(["specs/state.json", "specs/TODO.md"]);
    expect(project.read("specs/TODO.md")).toBe(
      "# TODO\n\n## Tasks\n\n### 1. Fix the login page\n- **Effort**: 2 hours\n- **Status**: [NOT STARTED]\n" +
        "- **Priority**: medium\n- **Language**: lean\n",
    );
    const state: unknown = JSON.parse(project.read("specs/state.json"));
    expect(state).toMatchObject({
      next_project_number: 2,
      active_projects: [
        { project_number: 1, project_name: "fix_the_login_page", status: "not_started", language: "lean" },
      ],
    });
    expect(project.disagreements()).toEqual([]);
    expect(project.store.find(1)).toMatchObject({
      id: "1",
      number: 1,
      title: "Fix the login page",
      status: "not_started",
    });
    expect(project.store.nextNumber()).toBe(2);
  });

  it("moves a status by the table, and changes nothing but its marker in TODO.md (R136, C20)", async () => {
    const project = makeProject();
    await project.store.create({ title: "One" });
    await project.store.create({ title: "Two" });
    const before = project.read("specs/TODO.md");
    const moved = await project.store.updateStatus(1, "researching");
    expect(moved.status).toBe("completed");
    expect(project.read("specs/TODO.md")).toBe(before.replace("[NOT STARTED]", "[RESEARCHING]"));
    expect(project.disagreements()).toEqual([]);
  });

  it("refuses a move that the table does not have, and lists the possible ones (C20, C21)", async () => {
    const project = makeProject();
    await project.store.create({ title: "One" });
    const before = project.read("specs/state.json");
    const moved = await project.store.updateStatus(1, "completed");
    expect(moved).toMatchObject({ status: "failed", succeeded: [], filesUpdated: [] });
    expect(moved.failures[0]).toMatchObject({ code: "ILLEGAL_TRANSITION", taskId: "1" });
    expect(moved.failures[0]?.recommendation).toContain("researching");
    expect(project.read("specs/state.json")).toBe(before);
  });

  it("writes nothing when a change is repeated", async () => {
    const project = makeProject();
    await project.store.create({ title: "One" });
    const change = {
      status: "planning",
      artifacts: [{ type: "plan", path: "specs/1_one/plans/plan-001.md" }],
    };
    const first = await project.store.change(1, change);
    const files = [project.read("specs/state.json"), project.read("specs/TODO.md")];
    const second = await project.store.change(1, change);
    expect(first.filesUpdated).toContain("specs/TODO.md");
    expect(first.changes).toEqual(project.journal.get([...project.journal.keys()].at(-1) ?? ""));
    expect(first.changes).not.toEqual([]);
    expect(second).toMatchObject({ status: "completed", filesUpdated: [], changes: [] });
    expect([project.read("specs/state.json"), project.read("specs/TODO.md")]).toEqual(files);
    expect(project.read("specs/TODO.md")).toContain("- **Plan**: [plan-001.md](1_one/plans/plan-001.md)");
    expect(project.read("specs/1_one/state.json")).toContain('"task_number": 1');
    expect(project.disagreements()).toEqual([]);
  });
});

describe("dividing a task", () => {
  it("creates the parts and makes the whole wait for them (R137, R142)", async () => {
    const project = makeProject({
      "specs/state.json": '{\n  "next_project_number": 326,\n  "active_projects": []\n}\n',
    });
    await project.store.create({ title: "Whole" });
    const divided = await project.store.divide(326, {
      subtasks: [{ title: "UI" }, { title: "Backend", after: [1] }, { title: "Tests", after: [1, 2] }],
      prompt: "Focus on UI, backend, tests",
    });
    expect(divided).toMatchObject({
      status: "completed",
      summary: "Divided task 326 into 3 subtasks",
      division: { parent: "326", subtasks: ["327", "328", "329"] },
    });
    expect(project.store.find(326)).toMatchObject({
      status: "expanded",
      dependencies: ["327", "328", "329"],
      subtasks: ["327", "328", "329"],
    });
    expect(project.store.find(329)).toMatchObject({ parent: "326", dependencies: ["327", "328"] });
    expect(project.disagreements()).toEqual([]);
  });

  it("adds to the parts of an earlier division, which a refusal to work on the whole names", async () => {
    const { store } = makeProject();
    await store.create({ title: "Whole" });
    await store.divide(1, { subtasks: [{ title: "UI" }, { title: "Backend" }] });
    const again = await store.divide(1, { subtasks: [{ title: "Tests" }] });
    expect(again.changes).toContainEqual(
      expect.objectContaining({
        taskId: "1",
        fields: expect.objectContaining({ subtasks: ["2", "3", "4"] }),
        before: expect.objectContaining({ subtasks: ["2", "3"] }),
      }),
    );
    const refused = await store.updateStatus(1, "implementing");
    expect(refused.failures).toMatchObject([
      {
        code: "ILLEGAL_TRANSITION",
        recommendation: "Work on its subtasks; ambit task show 1 names them.",
      },
    ]);
  });

  it("restores both files if the third part cannot be created (R142)", async () => {
    const project = makeProject({
      "specs/state.json": '{\n  "next_project_number": 326,\n  "active_projects": []\n}\n',
    });
    await project.store.create({ title: "Whole" });
    const before = [project.read("specs/state.json"), project.read("specs/TODO.md")];
    const divided = await project.store.divide(326, {
      subtasks: [{ title: "UI" }, { title: "Backend" }, { title: "   " }],
    });
    expect(divided).toMatchObject({
      status: "failed",
      summary: "Failed to divide task 326, rolled back 2 created subtasks",
      division: { parent: "326", subtasks: [], created: ["327", "328"], rolledBack: ["327", "328"] },
    });
    expect(divided.failures[0]).toMatchObject({ code: "SUBTASK_CREATION_FAILED" });
    expect(divided.failures[0]?.message).toContain("Failed to create subtask 3");
    expect([project.read("specs/state.json"), project.read("specs/TODO.md")]).toEqual(before);
    expect(project.store.nextNumber()).toBe(327);
  });
});

describe("archive, abandon and recover", () => {
  it("restores an abandoned task with its own words (R137)", async () => {
    const project = makeProject();
    for (const title of ["One", "Two", "Three"]) await project.store.create({ title });
    project.edit("specs/TODO.md", "### 2. Two\n", "### 2. Two\n\nMy own note, *with stars*.\n\n");
    const before = project.read("specs/TODO.md");
    const gone = await project.store.abandon("2", { reason: "nobody wants it" });
    expect(gone).toMatchObject({ status: "completed", summary: "Abandoned 1 task to archive" });
    expect(gone.filesUpdated).toEqual(["specs/archive/state.json", "specs/state.json", "specs/TODO.md"]);
    expect(project.read("specs/TODO.md")).not.toContain("My own note");
    expect(project.store.find(2)).toMatchObject({
      archived: true,
      archiveReason: "abandoned",
      status: "abandoned",
    });
    const back = await project.store.recover("2");
    expect(back).toMatchObject({ status: "completed", summary: "Recovered 1 task from archive" });
    expect(project.store.find(2)).toMatchObject({ archived: false, status: "not_started" });
    expect(project.read("specs/TODO.md")).toContain("My own note, *with stars*.");
    expect(project.read("specs/TODO.md").length).toBe(before.length);
    expect(project.disagreements()).toEqual([]);
  });

  it("changes all or none, in the order they were named (R136, R138, R139, C24, C25)", async () => {
    const project = makeProject({ "specs/state.json": '{"next_project_number":337,"active_projects":[]}' });
    for (let index = 337; index <= 345; index += 1) await project.store.create({ title: `Task ${index}` });
    const some = await project.store.abandon("343-345, 337");
    expect(some).toMatchObject({
      taskIds: ["343", "344", "345", "337"],
      succeeded: ["343", "344", "345", "337"],
    });
    const before = project.read("specs/archive/state.json");
    const none = await project.store.recover("343-346, 337");
    expect(none).toMatchObject({ status: "failed", succeeded: [] });
    expect(none.failures.map(({ taskId }) => taskId)).toEqual(["346"]);
    expect(project.read("specs/archive/state.json")).toBe(before);
    const rest = await project.store.recover("343-346, 337", { continueOnError: true });
    expect(rest).toMatchObject({ status: "partial", succeeded: ["343", "344", "345", "337"] });
    expect(rest.failures).toHaveLength(1);
    expect(project.disagreements()).toEqual([]);
  });

  it("changes nothing with dryRun, and plans what it later does", async () => {
    const project = makeProject();
    await project.store.create({ title: "One" });
    const before = [project.read("specs/state.json"), project.read("specs/TODO.md")];
    const planned = await project.store.abandon("all", { dryRun: true });
    expect([project.read("specs/state.json"), project.read("specs/TODO.md")]).toEqual(before);
    const done = await project.store.abandon("all");
    expect({ ...planned, dryRun: false }).toEqual(done);
  });

  it("moves a task's folder with it, and back", async () => {
    const project = makeProject();
    await project.store.create({ title: "One" });
    project.write("specs/001_one/reports/research-001.md", "found\n");
    const gone = await project.store.abandon(1);
    expect(gone.filesUpdated).toContain("specs/archive/001_one");
    expect(project.read("specs/archive/001_one/reports/research-001.md")).toBe("found\n");
    await project.store.recover(1);
    expect(project.read("specs/001_one/reports/research-001.md")).toBe("found\n");
    expect(project.has("specs/archive/001_one")).toBe(false);
  });
});

describe("a selection of tasks", () => {
  it.each([
    [
      [3, 1, 2, 3],
      ["3", "1", "2"],
    ],
    [2, ["2"]],
    ["3, 1-2", ["3", "1", "2"]],
    ["all", ["1", "2", "3"]],
  ])("may be a list, a number or a text: %j (C25, C26)", async (selection, ids) => {
    const project = makeProject();
    for (const title of ["One", "Two", "Three"]) await project.store.create({ title });
    const planned = await project.store.updateStatus(selection, "researching", { dryRun: true });
    expect(planned.taskIds).toEqual(ids);
  });

  it.each([
    [[], "NO_TASK_NUMBER"],
    [[0], "INVALID_TASK_NUMBER"],
    [[1.5], "INVALID_TASK_NUMBER"],
    [[-1], "INVALID_TASK_NUMBER"],
    [[1e21], "INVALID_TASK_NUMBER"],
  ])("is refused if it names no task number: %j gives %s (C26)", async (selection, code) => {
    const project = makeProject();
    await project.store.create({ title: "One" });
    await expect(project.store.updateStatus(selection, "researching")).rejects.toMatchObject({ code });
  });
});
