import { describe, expect, it } from "vitest";
import { diskEffects, type TaskEffects } from "../../src/tasks/task-store.ts";
import { makeProject } from "./task-project.ts";

const NOW = "2026-01-07T10:00:00Z";
const state = (...tasks: readonly object[]): string =>
  JSON.stringify({ next_project_number: 9, active_projects: tasks });
const one = { project_number: 1, project_name: "one", title: "One", status: "not_started" };

describe("a new task", () => {
  const bare = {
    project_number: 1,
    project_name: "creme_brulee",
    title: "Crème brûlée",
    status: "not_started",
    language: "general",
    priority: "medium",
    created: NOW,
    last_updated: NOW,
    artifacts: [],
  };

  it("has these fields in state.json and in the journal, and no others", async () => {
    const { store, read } = makeProject();
    const made = await store.create({ title: "Crème brûlée" });
    expect(made.tasks).toMatchObject([{ archived: false, raw: bare }]);
    expect(made.tasks[0]?.raw).toStrictEqual(bare);
    expect(made.changes).toMatchObject([{ taskId: "1", kind: "created", source: "store", before: {} }]);
    expect(made.changes[0]?.fields).not.toHaveProperty("parent_task");
    expect(read("specs/TODO.md")).toContain("- **Language**: general\n");
  });

  it("keeps its criteria, and names its parent in the journal", async () => {
    const { store } = makeProject();
    await store.create({ title: "Whole" });
    const made = await store.create({ title: "Part", parent: 1, criteria: ["It works"] });
    expect(made.tasks).toMatchObject([{ parent: "1", criteria: ["It works"] }]);
    expect(made.changes[0]?.fields).toMatchObject({ parent_task: "1" });
  });

  it("has the counter that was missing in state.json, and the layout of an empty one", async () => {
    const { store, read } = makeProject({ "specs/state.json": '{"active_projects": []}' });
    await store.create({ title: "One" });
    expect(JSON.parse(read("specs/state.json"))).toMatchObject({ next_project_number: 2 });
    const empty = makeProject({ "specs/state.json": "{}" });
    await empty.store.create({ title: "One" });
    expect(empty.read("specs/state.json")).toMatch(/^\{\n {2}"/);
  });

  it("never gets a number that was seen before, although its task is gone with its branch", async () => {
    const { store, read, write } = makeProject();
    await store.create({ title: "One" });
    const branch = [read("specs/state.json"), read("specs/TODO.md")];
    await store.create({ title: "Two" });
    write("specs/state.json", branch[0] ?? "");
    write("specs/TODO.md", branch[1] ?? "");
    expect(store.nextNumber()).toBe(3);
    expect((await store.create({ title: "Three" })).taskIds).toEqual(["3"]);
  });
});

describe("a change of a task", () => {
  it("leaves the counter as it is written, and adds one that is missing", async () => {
    const written = '{"next_project_number": "82", "active_projects": [{"project_number": 1}]}';
    const project = makeProject({ "specs/state.json": written });
    await project.store.updateStatus(1, "planning");
    expect(project.read("specs/state.json")).toContain('"next_project_number": "82"');
    const bare = makeProject({ "specs/state.json": '{"active_projects": [{"project_number": 1}]}' });
    await bare.store.updateStatus(1, "planning");
    expect(JSON.parse(bare.read("specs/state.json"))).toMatchObject({ next_project_number: 2 });
  });

  it("that is repeated has no effect on the disk", async () => {
    const { store, open } = makeProject();
    await store.create({ title: "One" });
    const written: string[] = [];
    const effects: TaskEffects = {
      ...diskEffects,
      write: (file, text) => {
        written.push(file);
        diskEffects.write(file, text);
      },
    };
    await open({ effects }).updateMetadata(1, { priority: "medium" });
    expect(written).toEqual([]);
  });

  it("has the source and the field's common name in the journal", async () => {
    const { store } = makeProject({ "specs/state.json": state({ ...one, task_type: "lean4" }) });
    const done = await store.updateMetadata(1, { language: "rust" });
    expect(done.changes).toEqual([
      {
        taskId: "1",
        kind: "changed",
        source: "store",
        fields: { language: "rust" },
        before: { language: "lean4" },
      },
    ]);
    const removed = await store.updateMetadata(1, { extra: { owner: "Ann" } });
    expect(removed.tasks[0]?.raw).toHaveProperty("owner", "Ann");
    const again = await store.updateMetadata(1, { extra: { owner: null } });
    expect(again.tasks[0]?.raw).not.toHaveProperty("owner");
  });

  it("gives the language the name that the list uses, where the task has none", async () => {
    const two = { project_number: 2, title: "Two", status: "not_started" };
    const { store } = makeProject({ "specs/state.json": state({ ...one, language: "lean" }, two) });
    await store.updateMetadata(2, { language: "rust" });
    expect(store.find(2)?.raw).toMatchObject({ language: "rust" });
    expect(store.find(2)?.raw).not.toHaveProperty("task_type");
  });

  it("to the status that it has is not refused for a criterion", async () => {
    const criteria = [{ text: "It works", verdict: "failed" }];
    const { store } = makeProject({ "specs/state.json": state({ ...one, status: "completed", criteria }) });
    expect(await store.updateStatus(1, "completed")).toMatchObject({ status: "completed", changes: [] });
  });

  it("of all tasks leaves out one whose entry a person removed", async () => {
    const { store, read, write } = makeProject();
    for (const title of ["One", "Two", "Three"]) await store.create({ title });
    const text = read("specs/TODO.md");
    write("specs/TODO.md", text.slice(0, text.indexOf("### 2.")) + text.slice(text.indexOf("### 3.")));
    const done = await store.updateStatus("all", "researching");
    expect(done).toMatchObject({ status: "completed", taskIds: ["1", "3"] });
    expect(store.find(2)).toMatchObject({ archived: true, archiveReason: "removed from TODO.md" });
  });

  it("of a task that does not exist says where the tasks are", async () => {
    const { store } = makeProject();
    await store.create({ title: "One" });
    const advice = "ambit task list shows the tasks; nothing was changed.";
    expect((await store.updateStatus(77, "planning")).failures).toMatchObject([{ recommendation: advice }]);
    expect((await store.sync([1, 77])).failures).toEqual([
      {
        taskId: "77",
        code: "TASK_NOT_FOUND",
        message: "Task 77 is neither in specs/state.json nor in specs/TODO.md",
        recommendation: advice,
      },
    ]);
    expect((await store.recover(77)).failures).toMatchObject([
      { recommendation: "ambit task list --archived shows the archive; nothing was changed." },
    ]);
  });
});

describe("a division", () => {
  it("names the whole first, and then its parts", async () => {
    const { store } = makeProject();
    await store.create({ title: "Whole" });
    const done = await store.divide(1, { subtasks: [{ title: "A" }, { title: "B" }] });
    expect(done).toMatchObject({ taskIds: ["1"], succeeded: ["1", "2", "3"] });
    expect(done.tasks.map(({ id }) => id)).toEqual(["1", "2", "3"]);
  });
});

describe("a task that goes to the archive and comes back", () => {
  it("has the person's reason in the journal, and no trace of the archive afterwards", async () => {
    const { store, read } = makeProject();
    await store.create({ title: "One" });
    const gone = await store.abandon(1, { reason: "no need" });
    expect(gone.changes).toMatchObject([{ fields: { abandoned_reason: "no need" } }]);
    const back = await store.recover(1);
    expect(back.changes).toMatchObject([
      { kind: "recovered", fields: { archived: false }, before: { archived: true } },
    ]);
    const raw: unknown = JSON.parse(read("specs/state.json"));
    expect(raw).toMatchObject({ active_projects: [{ title: "One" }] });
    for (const key of ["archived", "archive_reason", "todo_entry"])
      expect(raw).not.toHaveProperty(["active_projects", 0, key]);
  });

  it("gets a list in an archive that has none, beside what is there", async () => {
    const archive = '{\n  "note": "mine"\n}\n';
    const { store, read } = makeProject({
      "specs/state.json": state(one),
      "specs/archive/state.json": archive,
    });
    await store.abandon(1);
    expect(JSON.parse(read("specs/archive/state.json"))).toMatchObject({
      note: "mine",
      completed_projects: [{ project_number: 1, status: "abandoned" }],
    });
  });
});

describe("the folder of a task that changes", () => {
  const own = "specs/1_one/state.json";

  it("has its own state.json updated, where that has the field", async () => {
    const text = '{ "status": "not_started", "note":   1 }\n';
    const project = makeProject({ "specs/state.json": state(one), [own]: text });
    const done = await project.store.updateStatus(1, "planning");
    expect(project.read(own)).toBe(text.replace("not_started", "planning"));
    expect(done.filesUpdated).toContain(own);
    const same = await project.store.updateMetadata(1, { effort: "1 h" });
    expect(same.filesUpdated).not.toContain(own);
  });

  it("gets one with the first artifact and not before, with what the task is", async () => {
    const task = { ...one, task_type: "lean4", owner: "Ann" };
    const project = makeProject({ "specs/state.json": state(task), "specs/1_one/notes.md": "x\n" });
    await project.store.updateStatus(1, "planning");
    expect(project.has(own)).toBe(false);
    const artifacts = [{ type: "plan", path: "specs/1_one/plan.md" }];
    await project.store.addArtifacts(1, artifacts);
    expect(JSON.parse(project.read(own))).toStrictEqual({
      task_number: 1,
      project_name: "one",
      task_type: "lean4",
      status: "planning",
      last_updated: NOW,
      artifacts,
    });
  });

  it("stays where it is if an older one is in the archive", async () => {
    const project = makeProject({
      "specs/state.json": state(one),
      "specs/1_one/notes.md": "new\n",
      "specs/archive/1_one/notes.md": "old\n",
    });
    expect((await project.store.updateStatus(1, "planning")).warnings).toEqual([]);
    const gone = await project.store.abandon(1);
    expect(gone.warnings).toEqual([
      "The folder 1_one of task 1 was not moved: a folder of that name already exists there",
    ]);
    expect(project.read("specs/1_one/notes.md")).toBe("new\n");
    expect(project.read("specs/archive/1_one/notes.md")).toBe("old\n");
  });
});
