import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeProject, type TaskProject } from "./task-project.ts";

const state = (...tasks: readonly object[]): string =>
  `${JSON.stringify({ next_project_number: 9, active_projects: tasks }, null, 2)}\n`;
const one = { project_number: 1, project_name: "one", title: "One", status: "planned", priority: "high" };
const ENTRY = "### 1. One\n- **Status**: [RESEARCHED]\n- **Priority**: high\n";

/** Two files that already differed when the store first saw them. */
const differing = (task: object = one, entry = ENTRY): TaskProject =>
  makeProject({ "specs/state.json": state(task), "specs/TODO.md": `# TODO\n\n## Tasks\n\n${entry}` });

const setTimes = ({ root }: TaskProject, times: Readonly<Record<string, string>>): void => {
  for (const [path, time] of Object.entries(times))
    utimesSync(join(root, path), new Date(time), new Date(time));
};
const [OLD, NEW] = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];

describe("files that differed before the store first saw them", () => {
  it("stay as they are until somebody asks for a sync (C22)", async () => {
    const project = differing();
    const refreshed = await project.store.refresh();
    expect(refreshed).toMatchObject({ conflicts: [], imported: [{ taskId: "1", kind: "adopted" }] });
    expect(project.store.find(1)).toMatchObject({ status: "planned" });
    expect(project.read("specs/TODO.md")).toContain("[RESEARCHED]");
    await project.store.updateMetadata(1, { effort: "1 h" });
    expect(project.read("specs/TODO.md")).toContain("[RESEARCHED]");
  });

  it.each([
    ["state.json", { "specs/state.json": NEW, "specs/TODO.md": OLD }, "[PLANNED]"],
    ["TODO.md", { "specs/state.json": OLD, "specs/TODO.md": NEW }, "[RESEARCHED]"],
    ["state.json", { "specs/state.json": OLD, "specs/TODO.md": OLD }, "[PLANNED]"],
  ])(
    "are made equal by a sync: %s wins where it is newer, or both are equally old (C22)",
    async (winner, times, marker) => {
      const project = differing();
      setTimes(project, times);
      const synced = await project.store.sync(1);
      expect(synced.conflicts).toMatchObject([
        { taskId: "1", field: "status", winner, stateValue: "planned", todoValue: "researched" },
      ]);
      expect(synced.log[0]).toMatch(
        winner === "TODO.md"
          ? /^Task 1: status from TODO\.md \(2026-\d\d-01\) > state\.json \(2026-01-01\)$/
          : /^Task 1: status from state\.json \(2026-\d\d-01\) > TODO\.md \(2026-01-01\)$/,
      );
      expect(project.read("specs/TODO.md")).toContain(`- **Status**: ${marker}\n`);
      expect(project.disagreements()).toEqual([]);
      expect(await project.store.sync("all")).toMatchObject({ conflicts: [], summary: "Synced 1 task" });
    },
  );

  it("are made equal for a task whose id is not a number", async () => {
    const project = differing({ ...one, project_number: "12.1" }, ENTRY.replace("1.", "12.1."));
    const synced = await project.store.sync("12.1");
    expect(synced.conflicts).toMatchObject([{ taskId: "12.1", field: "status" }]);
  });

  it("are made equal only for the tasks that were named", async () => {
    const two = { project_number: 2, title: "Two", status: "planned" };
    const project = makeProject({
      "specs/state.json": state(one, two),
      "specs/TODO.md": `# TODO\n\n## Tasks\n\n${ENTRY}\n### 2. Two\n- **Status**: [BLOCKED]\n`,
    });
    const synced = await project.store.sync([2]);
    expect(synced.conflicts.map(({ taskId }) => taskId)).toEqual(["2"]);
    expect(project.read("specs/TODO.md")).toContain("[RESEARCHED]");
  });

  it("give what only TODO.md has to state.json, and keep both descriptions", async () => {
    const bare = { project_number: 1, title: "One", status: "planned", description: "A long description" };
    const entry = "### 1. One\n- **Status**: [PLANNED]\n- **Effort**: 3 h\n\n**Description**: Short.\n";
    const project = differing(bare, entry);
    const synced = await project.store.sync("all");
    expect(synced.conflicts).toEqual([]);
    expect(project.store.find(1)).toMatchObject({ effort: "3 h", description: "A long description" });
    expect(project.read("specs/TODO.md")).toContain("**Description**: Short.");
  });

  it("are asked about their lines in the files (R140)", async () => {
    const project = differing({ ...one, language: "lean" }, `${ENTRY}- **Language**: rust\n`);
    const asked: [string, readonly number[]][] = [];
    const gitDates = async (path: string, lines: readonly number[]) => {
      asked.push([path, lines]);
      return new Map(lines.map((line) => [line, path.endsWith("TODO.md") ? NEW : OLD] as const));
    };
    const synced = await project.open({ gitDates }).sync("all");
    expect(asked).toEqual([
      ["specs/state.json", [8, 10]],
      ["specs/TODO.md", [6, 8]],
    ]);
    expect(synced.conflicts).toMatchObject([
      { field: "status", winner: "TODO.md", timestampState: OLD, timestampTodo: NEW },
      { field: "language", winner: "TODO.md" },
    ]);
  });

  it("have their time in UTC, and that of the file where a line has none", async () => {
    const project = differing();
    setTimes(project, { "specs/TODO.md": OLD });
    const gitDates = async (path: string, lines: readonly number[]) =>
      new Map(
        lines.map(
          (line) => [line, path.endsWith("TODO.md") ? "no time" : "2026-01-03T01:00:00+01:00"] as const,
        ),
      );
    const synced = await project.open({ gitDates }).sync("all");
    expect(synced.conflicts).toMatchObject([
      {
        winner: "state.json",
        timestampState: "2026-01-03T00:00:00Z",
        timestampTodo: "2026-01-01T00:00:00.000Z",
      },
    ]);
  });
});

describe("a field that changed since both files agreed", () => {
  async function agreed(): Promise<TaskProject> {
    const project = makeProject();
    await project.store.create({ title: "One", description: "Words", effort: "1 h", language: "lean" });
    return project;
  }

  it("on both sides is a person's if both are equally new (C27)", async () => {
    const project = await agreed();
    project.edit("specs/state.json", '"medium"', '"high"');
    project.edit("specs/TODO.md", "- **Priority**: medium", "- **Priority**: low");
    setTimes(project, { "specs/state.json": NEW, "specs/TODO.md": NEW });
    const done = await project.store.refresh();
    expect(done.conflicts).toMatchObject([
      { field: "priority", winner: "TODO.md", stateValue: "high", todoValue: "low" },
    ]);
    expect(project.store.find(1)?.priority).toBe("low");
    expect(project.disagreements()).toEqual([]);
  });

  it("in the same way on both sides is not a conflict", async () => {
    const project = await agreed();
    project.edit("specs/state.json", '"medium"', '"high"');
    project.edit("specs/TODO.md", "- **Priority**: medium", "- **Priority**: HIGH");
    expect(await project.store.refresh()).toMatchObject({ conflicts: [] });
    expect(project.read("specs/TODO.md")).toContain("- **Priority**: HIGH");
  });

  it("in state.json is shown in TODO.md, and one removed there stays in TODO.md", async () => {
    const project = await agreed();
    project.edit("specs/state.json", '"description": "Words"', '"description": "Other words"');
    project.edit("specs/state.json", '      "effort": "1 h",\n', "");
    const todo = project.read("specs/TODO.md");
    await project.store.refresh();
    expect(project.read("specs/TODO.md")).toBe(todo.replace("Words", "Other words"));
    expect(project.store.find(1)).toMatchObject({ description: "Other words", effort: "" });
  });

  it("in TODO.md goes to the name that state.json uses", async () => {
    const project = makeProject({
      "specs/state.json": state({ ...one, task_type: "lean4" }),
      "specs/TODO.md": `# TODO\n\n## Tasks\n\n### 1. One\n- **Status**: [PLANNED]\n- **Language**: lean4\n- **Dependencies**: None\n`,
    });
    await project.store.refresh();
    project.edit(
      "specs/TODO.md",
      "- **Language**: lean4\n- **Dependencies**: None",
      "- **Language**: rust\n- **Dependencies**: 7, US-3",
    );
    await project.store.refresh();
    expect(project.store.find(1)?.raw).toMatchObject({ task_type: "rust", dependencies: [7, "US-3"] });
    expect(project.store.find(1)?.raw).not.toHaveProperty("language");
    project.edit("specs/TODO.md", "7, US-3", "None");
    await project.store.refresh();
    expect(project.store.find(1)?.raw).toMatchObject({ dependencies: [] });
    expect((await project.store.create({ title: "Two", language: "lean4" })).tasks[0]?.raw).toMatchObject({
      task_type: "lean4",
    });
  });
});

describe("a task that is in one file only", () => {
  const list = (...ids: readonly number[]): string =>
    `# TODO\n\n## Tasks\n${ids.map((id) => `\n### ${id}. Task ${id}\n- **Status**: [PLANNED]\n`).join("")}`;
  const task = (id: number) => ({ project_number: id, title: `Task ${id}`, status: "planned" });

  it("since before the store is left alone until a sync", async () => {
    const project = makeProject({ "specs/state.json": state(task(1), task(2)), "specs/TODO.md": list(1, 3) });
    await project.store.refresh();
    expect(project.store.list().map(({ id }) => id)).toEqual(["1", "2"]);
    expect(project.read("specs/TODO.md")).toBe(list(1, 3));
    await project.store.sync("all");
    expect(
      project.store
        .list()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(["1", "2", "3"]);
    expect(project.read("specs/TODO.md")).toContain("### 2. Task 2\n");
    expect(project.disagreements()).toEqual([]);
  });

  it("becomes one where there was no state.json or no TODO.md at all", async () => {
    const fromTodo = makeProject({
      "specs/TODO.md": `${list(1, 2)}- **Language**: lean\n- **Effort**: 2 h\n- **Priority**: High\n\n**Description**: Words\n`,
    });
    await fromTodo.store.refresh();
    expect(fromTodo.store.list()).toMatchObject([
      { id: "1", slug: "task_1", status: "planned", language: "general", priority: "medium" },
      { id: "2", language: "lean", effort: "2 h", priority: "high", description: "Words" },
    ]);
    expect(fromTodo.store.find(1)?.raw).toMatchObject({ project_number: 1, language: "general" });
    const fromState = makeProject({ "specs/state.json": state(task(1), task(2)) });
    await fromState.store.refresh();
    expect(fromState.read("specs/TODO.md")).toContain("### 2. Task 2\n- **Status**: [PLANNED]\n");
  });

  it("because another tool added it to state.json gets its entry", async () => {
    const project = makeProject();
    await project.store.create({ title: "Task 1" });
    project.edit(
      "specs/state.json",
      '"active_projects": [',
      `"active_projects": [${JSON.stringify(task(5))},`,
    );
    const done = await project.store.refresh();
    expect(done.imported).toMatchObject([{ taskId: "5", kind: "adopted", source: "state.json" }]);
    expect(project.read("specs/TODO.md")).toContain("### 5. Task 5\n");
    expect(project.disagreements()).toEqual([]);
  });

  it("because it was removed from state.json goes to the archive with its words", async () => {
    const project = makeProject();
    for (const title of ["Task 1", "Task 2", "Task 3"]) await project.store.create({ title });
    const text = project.read("specs/state.json");
    const parsed: { active_projects: { project_number: number }[] } = JSON.parse(text);
    parsed.active_projects = parsed.active_projects.filter(({ project_number: id }) => id !== 2);
    project.write("specs/state.json", JSON.stringify(parsed));
    const done = await project.store.refresh();
    expect(done.imported).toMatchObject([{ taskId: "2", source: "state.json" }]);
    expect(project.store.find(2)).toMatchObject({ archived: true, archiveReason: "removed from state.json" });
    expect(project.read("specs/TODO.md")).not.toContain("Task 2");
    await project.store.recover(2);
    expect(project.read("specs/TODO.md")).toContain("### 2. Task 2\n");
  });

  it("because it was removed from state.json stays if a person edited its entry", async () => {
    const project = makeProject();
    for (const title of ["Task 1", "Task 2", "Task 3"]) await project.store.create({ title });
    const parsed: { active_projects: { project_number: number }[] } = JSON.parse(
      project.read("specs/state.json"),
    );
    parsed.active_projects = parsed.active_projects.filter(({ project_number: id }) => id !== 2);
    project.write("specs/state.json", JSON.stringify(parsed));
    project.edit("specs/TODO.md", "### 2. Task 2", "### 2. Task two");
    await project.store.refresh();
    expect(project.store.find(2)).toMatchObject({ title: "Task two", archived: false });
    expect(project.disagreements()).toEqual([]);
  });

  const entry = "### 2. Task 2\n- **Status**: [NOT STARTED]\n- **Priority**: medium\n- **Language**: general";

  it.each([{}, { todo_entry: entry }])(
    "because another tool archived it loses its entry, whose text is kept: %j",
    async (kept) => {
      const project = makeProject();
      for (const title of ["Task 1", "Task 2", "Task 3"]) await project.store.create({ title });
      const parsed: { active_projects: { project_number: number }[] } = JSON.parse(
        project.read("specs/state.json"),
      );
      const [moved] = parsed.active_projects.splice(1, 1);
      project.write("specs/state.json", JSON.stringify(parsed));
      const archive = { completed_projects: [{ ...moved, status: "completed", ...kept }] };
      project.write("specs/archive/state.json", JSON.stringify(archive));
      const done = await project.store.refresh();
      expect(project.read("specs/TODO.md")).not.toContain("Task 2");
      expect(project.store.find(2)).toMatchObject({ archived: true, raw: { todo_entry: entry } });
      expect(done.filesUpdated.includes("specs/archive/state.json")).toBe(!("todo_entry" in kept));
      expect(project.disagreements()).toEqual([]);
    },
  );

  it("is in both at once with other values, and a person's are taken if both are equally new", async () => {
    const project = makeProject();
    await project.store.create({ title: "Task 1" });
    project.edit(
      "specs/state.json",
      '"active_projects": [',
      `"active_projects": [${JSON.stringify(task(5))},`,
    );
    project.write(
      "specs/TODO.md",
      `${project.read("specs/TODO.md")}\n### 5. Task 5\n- **Status**: [BLOCKED]\n`,
    );
    setTimes(project, { "specs/state.json": NEW, "specs/TODO.md": NEW });
    const done = await project.store.refresh();
    expect(done.conflicts).toMatchObject([{ taskId: "5", field: "status", winner: "TODO.md" }]);
    expect(project.store.find(5)).toMatchObject({ status: "blocked" });
    expect(project.disagreements()).toEqual([]);
  });

  it("but was edited on the other side is kept", async () => {
    const project = makeProject();
    for (const title of ["Task 1", "Task 2", "Task 3"]) await project.store.create({ title });
    project.edit("specs/state.json", '"title": "Task 2"', '"title": "Task two"');
    const todo = project.read("specs/TODO.md");
    project.write(
      "specs/TODO.md",
      todo.slice(0, todo.indexOf("### 2.")) + todo.slice(todo.indexOf("### 3.")),
    );
    await project.store.refresh();
    expect(project.store.find(2)).toMatchObject({ title: "Task two", archived: false });
    expect(project.read("specs/TODO.md")).toContain("### 2. Task two\n");
    expect(project.disagreements()).toEqual([]);
  });

  it.each([
    [5, 6, "archived"],
    [6, 12, "archived"],
    [6, 11, "refused"],
  ])("because a person removed %i of %i entries: %s", async (removed, all, end) => {
    const project = makeProject();
    for (let id = 1; id <= all; id += 1) await project.store.create({ title: `Task ${id}` });
    const todo = project.read("specs/TODO.md");
    const kept = todo.slice(0, todo.indexOf("### 1.")) + todo.slice(todo.indexOf(`### ${removed + 1}.`));
    project.write("specs/TODO.md", kept);
    const done = project.store.refresh();
    if (end === "refused") await expect(done).rejects.toMatchObject({ code: "STATUS_SYNC_FAILED" });
    else expect((await done).imported).toHaveLength(removed);
    expect(project.store.list()).toHaveLength(end === "refused" ? all : all - removed);
  });
});
