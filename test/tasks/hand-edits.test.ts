import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { renderOperation } from "../../src/tasks/operation-return.ts";
import { makeProject, type TaskProject } from "./task-project.ts";

async function threeTasks(): Promise<TaskProject> {
  const project = makeProject();
  for (const title of ["One", "Two", "Three"])
    await project.store.create({ title, description: `About ${title}` });
  return project;
}

describe("hand edits in TODO.md", () => {
  it("are imported by the next operation, whatever it is about (R140, C22)", async () => {
    const project = await threeTasks();
    project.edit(
      "specs/TODO.md",
      "### 2. Two\n- **Status**: [NOT STARTED]",
      "### 2. Zwei\n- **Status**: [BLOCKED] (waits for Ann)",
    );
    project.edit("specs/TODO.md", "About Two", "About two,\nin two lines");
    const todo = project.read("specs/TODO.md");
    const moved = await project.store.updateStatus(1, "researching");
    expect(moved.imported).toEqual([
      {
        taskId: "2",
        kind: "changed",
        source: "TODO.md",
        fields: { title: "Zwei", status: "blocked", description: "About two, in two lines" },
        before: { title: "Two", status: "not_started", description: "About Two" },
      },
    ]);
    expect(project.read("specs/TODO.md")).toBe(todo.replace("[NOT STARTED]", "[RESEARCHING]"));
    expect(project.store.find(2)).toMatchObject({ title: "Zwei", status: "blocked" });
    expect(project.disagreements()).toEqual([]);
  });

  it("keep people's wording when the store changes the same task", async () => {
    const project = await threeTasks();
    project.edit("specs/TODO.md", "- **Priority**: medium", "* **Priority:** HIGH\n- **Owner**: Ann");
    await project.store.updateStatus(1, "planning");
    expect(project.store.find(1)).toMatchObject({ priority: "high", status: "planning" });
    expect(project.read("specs/TODO.md")).toContain("* **Priority:** HIGH\n- **Owner**: Ann");
    expect(project.disagreements()).toEqual([]);
  });

  it("turn a new entry into a task, and keep the counter above it", async () => {
    const project = await threeTasks();
    project.write("specs/TODO.md", `${project.read("specs/TODO.md")}\n### 9. By hand\n\nJust words.\n`);
    const next = await project.store.create({ title: "Next" });
    expect(next.taskIds).toEqual(["10"]);
    expect(project.store.find(9)).toMatchObject({ title: "By hand", status: "not_started" });
    expect(project.read("specs/TODO.md")).toContain("### 9. By hand\n\nJust words.\n");
    expect(project.disagreements()).toEqual([]);
  });

  it("give an entry with a used number a new one, and say so", async () => {
    const project = await threeTasks();
    await project.store.abandon(3);
    project.write(
      "specs/TODO.md",
      `${project.read("specs/TODO.md")}\n### 3. Another three\n- **Status**: [PLANNED]\n`,
    );
    const refreshed = await project.store.refresh();
    expect(refreshed.warnings[0]).toContain("number 3 was used before; the task is now 4");
    expect(project.store.find(4)).toMatchObject({ title: "Another three", status: "planned" });
    expect(project.read("specs/TODO.md")).toContain("### 4. Another three");
    expect(project.disagreements()).toEqual([]);
  });

  it("archive a task whose entry was removed, so that it can be recovered", async () => {
    const project = await threeTasks();
    const text = project.read("specs/TODO.md");
    const start = text.indexOf("### 2.");
    project.write("specs/TODO.md", text.slice(0, start) + text.slice(text.indexOf("### 3.")));
    const refreshed = await project.store.refresh();
    expect(refreshed.imported).toMatchObject([{ taskId: "2", kind: "archived", source: "TODO.md" }]);
    expect(project.disagreements()).toEqual([]);
    await project.store.recover(2);
    expect(project.store.find(2)).toMatchObject({ archived: false, title: "Two" });
  });

  it("of a task that is archived at once go to the archive with it", async () => {
    const project = await threeTasks();
    project.edit("specs/TODO.md", "### 2. Two", "### 2. Zwei");
    await project.store.abandon(2);
    expect(project.store.find(2)).toMatchObject({ title: "Zwei", status: "abandoned", archived: true });
    expect(project.store.list().map(({ id }) => id)).toEqual(["1", "3"]);
    expect(project.disagreements()).toEqual([]);
  });

  it("are refused if most of the list suddenly disappears", async () => {
    const project = makeProject();
    for (let index = 0; index < 8; index += 1) await project.store.create({ title: `Task ${index}` });
    const state = project.read("specs/state.json");
    project.write("specs/TODO.md", "# TODO\n\n## Tasks\n");
    await expect(project.store.refresh()).rejects.toMatchObject({ code: "STATUS_SYNC_FAILED" });
    expect(project.read("specs/state.json")).toBe(state);
  });

  it("are refused with the line number if a status is unknown (R140)", async () => {
    const project = await threeTasks();
    project.edit("specs/TODO.md", "[NOT STARTED]", "[PLANED]");
    const before = [project.read("specs/state.json"), project.read("specs/TODO.md")];
    await expect(project.store.updateStatus(2, "planning")).rejects.toMatchObject({
      code: "TASK_STATUS_UNKNOWN",
      message: expect.stringContaining("specs/TODO.md line 6, task 1"),
    });
    expect([project.read("specs/state.json"), project.read("specs/TODO.md")]).toEqual(before);
  });
});

describe("sync", () => {
  const blame = (times: Readonly<Record<string, string>>) => async (path: string, lines: readonly number[]) =>
    Promise.resolve(
      new Map(lines.flatMap((line) => (times[path] === undefined ? [] : [[line, times[path]] as const]))),
    );

  async function conflicting(): Promise<TaskProject> {
    const project = makeProject({
      "specs/state.json": '{"next_project_number": 343, "active_projects": []}',
    });
    await project.store.create({ title: "One" });
    project.edit("specs/state.json", '"not_started"', '"planned"');
    project.edit("specs/TODO.md", "[NOT STARTED]", "[RESEARCHED]");
    return project;
  }

  it("lets the later commit win and reports it in one line (R140, R141, C27)", async () => {
    const project = await conflicting();
    const gitDates = blame({
      "specs/state.json": "2026-01-07T10:00:00Z",
      "specs/TODO.md": "2026-01-06T10:00:00+01:00",
    });
    const synced = await project.open({ gitDates }).sync([343]);
    expect(synced.log).toEqual(["Task 343: status from state.json (2026-01-07) > TODO.md (2026-01-06)"]);
    expect(renderOperation(synced, "sess_1735460684_a1b2c3")).toMatchObject({
      status: "completed",
      summary: "Synced 1 task, resolved 1 conflict using git blame",
      metadata: {
        synced_tasks: 1,
        conflicts_resolved: 1,
        conflict_details: [
          {
            task_number: 343,
            field: "status",
            winner: "state.json",
            timestamp_state: "2026-01-07T10:00:00Z",
            timestamp_todo: "2026-01-06T09:00:00Z",
          },
        ],
        files_updated: ["specs/TODO.md"],
      },
    });
    expect(project.read("specs/TODO.md")).toContain("- **Status**: [PLANNED]");
    expect(project.disagreements()).toEqual([]);
  });

  it("lets TODO.md win if its commit is later (R140)", async () => {
    const project = await conflicting();
    const gitDates = blame({
      "specs/state.json": "2026-01-05T10:00:00Z",
      "specs/TODO.md": "2026-01-06T10:00:00Z",
    });
    const synced = await project.open({ gitDates }).sync("all");
    expect(synced.log).toEqual(["Task 343: status from TODO.md (2026-01-06) > state.json (2026-01-05)"]);
    expect(project.store.find(343)).toMatchObject({ status: "researched" });
    expect(project.disagreements()).toEqual([]);
  });

  it("compares the files' times if nothing is committed", async () => {
    const project = await conflicting();
    utimesSync(join(project.root, "specs/TODO.md"), new Date("2026-03-01"), new Date("2026-03-01"));
    utimesSync(join(project.root, "specs/state.json"), new Date("2026-02-01"), new Date("2026-02-01"));
    const synced = await project.store.sync("all");
    expect(synced.conflicts).toMatchObject([
      { winner: "TODO.md", timestampTodo: "2026-03-01T00:00:00.000Z" },
    ]);
  });

  it("takes a field that only one side changed from that side, without a conflict (C27)", async () => {
    const project = makeProject();
    await project.store.create({ title: "One" });
    project.edit("specs/state.json", '"medium"', '"high"');
    project.edit("specs/TODO.md", "[NOT STARTED]", "[BLOCKED]");
    const synced = await project.store.sync("all");
    expect(synced).toMatchObject({ conflicts: [], status: "completed" });
    expect(project.read("specs/TODO.md")).toContain("- **Priority**: high");
    expect(project.store.find(1)).toMatchObject({ status: "blocked", priority: "high" });
    expect(project.disagreements()).toEqual([]);
  });
});

describe("earlier files that come back, as with another branch,", () => {
  it("are compared with the same base as before, so that no hand edit in them is lost (C27)", async () => {
    const project = await threeTasks();
    project.edit("specs/state.json", '"title": "Three"', '"title": "Drei"');
    project.edit("specs/TODO.md", "### 2. Two", "### 2. Zwei");
    const branch = [project.read("specs/state.json"), project.read("specs/TODO.md")];
    await project.store.refresh();
    expect(project.store.find(2)?.title).toBe("Zwei");
    project.write("specs/state.json", branch[0] ?? "");
    project.write("specs/TODO.md", branch[1] ?? "");
    await project.store.refresh();
    expect(project.store.find(2)?.title).toBe("Zwei");
    expect(project.store.find(3)?.title).toBe("Drei");
    expect(project.disagreements()).toEqual([]);
  });

  it("are known, so that every difference is a hand edit of TODO.md and no conflict", async () => {
    const project = await threeTasks();
    const branch = [project.read("specs/state.json"), project.read("specs/TODO.md")];
    await project.store.updateStatus(1, "researching");
    project.write("specs/TODO.md", (branch[1] ?? "").replace("[NOT STARTED]", "[BLOCKED]"));
    utimesSync(join(project.root, "specs/TODO.md"), new Date("2026-01-01"), new Date("2026-01-01"));
    project.write("specs/state.json", branch[0] ?? "");
    expect(await project.store.refresh()).toMatchObject({ conflicts: [] });
    expect(project.store.find(1)).toMatchObject({ status: "blocked" });
    expect(project.disagreements()).toEqual([]);
  });

  it("keep a task that is active and archived only once, but two tasks with one number both (R139)", async () => {
    const project = await threeTasks();
    const before = project.read("specs/state.json");
    const todo = project.read("specs/TODO.md");
    await project.store.abandon("2");
    project.write("specs/state.json", before);
    project.write("specs/TODO.md", todo);
    project.edit(
      "specs/archive/state.json",
      '"completed_projects": [',
      '"completed_projects": [{"project_number": 3, "project_name": "older"},',
    );
    await project.store.refresh();
    expect(project.store.list({ place: "archived" }).map(({ id }) => id)).toEqual(["3"]);
    expect(project.store.list().map(({ id }) => id)).toEqual(["1", "2", "3"]);
  });
});
