import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readActiveCriteria, readTaskCriteria } from "../../src/tasks/criterion-sources.ts";
import { describeTasks } from "../../src/tasks/describe-tasks.ts";
import { makeProject } from "./task-project.ts";

const tasks = [
  {
    project_number: 1,
    project_name: "fix_login",
    title: "Fix the login",
    description: "The page hangs",
    status: "planned",
    language: "lean",
    priority: "high",
    effort: "2 h",
    dependencies: [2],
    artifacts: [{ type: "plan", path: "specs/1_fix_login/plans/plan-001.md", summary: "The plan" }, "old.md"],
    criteria: ["It opens", { text: "Tests pass", check: { command: "npm test" } }],
  },
  {
    project_number: 2,
    project_name: "write_docs",
    status: "pr_ready",
    task_type: "markdown",
    parent_task: 1,
  },
  { project_number: 3, status: "completed", priority: "LOW" },
];
const archived = [
  { project_number: 4, project_name: "old_work", status: "completed", archive_reason: "completed" },
];
const todo = [
  "# TODO",
  "",
  "## Tasks",
  "",
  "### 1. Fix the login",
  "- **Status**: [PLANNED]",
  "",
  "### 2. Write the docs",
  "- **Status**: [PR READY]",
  "- **Language**: python",
  "",
  "### 4. Old work",
  "",
  "### 5. Only here",
  "- **Status**: [BLOCKED]",
  "- **Priority**: High",
  "- **Dependencies**: 1, 2",
  "",
  "**Description**: Words.",
  "",
].join("\n");

const project = (more: Readonly<Record<string, string>> = {}) =>
  makeProject({
    "specs/state.json": JSON.stringify({ next_project_number: 6, active_projects: tasks }),
    "specs/archive/state.json": JSON.stringify({ completed_projects: archived }),
    "specs/TODO.md": todo,
    ...more,
  });

describe("tasks as they are read", () => {
  it("carry every field, with a default where one is missing or odd", () => {
    const { store } = project();
    expect(store.find(1)).toMatchObject({
      id: "1",
      number: 1,
      slug: "fix_login",
      title: "Fix the login",
      description: "The page hangs",
      status: "planned",
      language: "lean",
      priority: "high",
      effort: "2 h",
      dependencies: ["2"],
      parent: undefined,
      artifacts: [
        { type: "plan", path: "specs/1_fix_login/plans/plan-001.md", summary: "The plan" },
        { type: "", path: "old.md" },
      ],
      criteria: ["It opens", "Tests pass"],
      archived: false,
      archiveReason: undefined,
    });
    expect(store.find("002")).toMatchObject({
      title: "Write the docs",
      status: "unknown",
      statusText: "pr_ready",
      language: "markdown",
      priority: "medium",
      parent: "1",
    });
    expect(store.find(3)).toMatchObject({ title: "Task 3", language: "general", priority: "low" });
    expect(store.find(4)).toMatchObject({ title: "Old work", archived: true, archiveReason: "completed" });
    expect(store.find(" 1 ")?.id).toBe("1");
    expect([store.find(5), store.find("no id"), store.find("")]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    [{}, ["1", "2", "3"]],
    [{ place: "archived" }, ["4"]],
    [{ place: "all" }, ["1", "2", "3", "4"]],
    [{ withTodo: true }, ["1", "2", "3", "5"]],
    [{ withTodo: true, place: "all" }, ["1", "2", "3", "5", "4"]],
    [{ withTodo: true, place: "archived" }, ["4"]],
    [{ statuses: ["planned", "completed"] }, ["1", "3"]],
    [{ language: "lean" }, ["1"]],
    [{ language: "general" }, ["3"]],
    [{ priority: "high" }, ["1"]],
    [{ priority: "high", withTodo: true }, ["1", "5"]],
    [{ parent: "1" }, ["2"]],
    [{ text: "LOGIN" }, ["1"]],
    [{ text: "page hangs" }, ["1"]],
    [{ text: "write_d" }, ["2"]],
    [{ text: "the docs" }, ["2"]],
    [{ text: "nothing like it" }, []],
    [{ text: "the", language: "lean" }, ["1"]],
  ] as const)("are listed by %j: %j", (filter, ids) => {
    expect(
      project()
        .store.list(filter)
        .map(({ id }) => id),
    ).toEqual(ids);
  });

  it("of TODO.md alone have what is written there", () => {
    const only = project()
      .store.list({ withTodo: true })
      .find(({ id }) => id === "5");
    expect(only).toMatchObject({
      title: "Only here",
      status: "blocked",
      priority: "high",
      dependencies: ["1", "2"],
      description: "Words.",
      isOnlyInTodo: true,
      archived: false,
    });
  });

  it("can be listed although TODO.md is broken or missing", () => {
    const broken = project({ "specs/TODO.md": `${todo}\n### 5. Twice\n` });
    expect(broken.store.list({ withTodo: true }).map(({ id }) => id)).toEqual(["1", "2", "3"]);
    const bare = makeProject();
    expect(bare.store.list({ place: "all", withTodo: true })).toEqual([]);
    expect(bare.store.nextNumber()).toBe(1);
  });

  it("are read from an archive that has a number twice: the last one counts", () => {
    const twice = [
      { project_number: 7, title: "Old", status: "completed" },
      { project_number: 7, title: "New", status: "completed" },
    ];
    const read = project({ "specs/archive/state.json": JSON.stringify({ completed_projects: twice }) });
    expect(read.store.list({ place: "archived" })).toMatchObject([{ id: "7", title: "New" }]);
  });

  it("take their number from all places where one was used", () => {
    expect(project().store.nextNumber()).toBe(6);
    const low = JSON.stringify({ next_project_number: 2, active_projects: tasks });
    expect(project({ "specs/state.json": low }).store.nextNumber()).toBe(6);
    const text = JSON.stringify({ next_project_number: "40", active_projects: tasks });
    expect(project({ "specs/state.json": text }).store.nextNumber()).toBe(40);
    const wrapped = JSON.stringify({
      next_project_number: 0,
      active_projects: [{ ...tasks[0], project_number: 9 }],
    });
    expect(makeProject({ "specs/state.json": wrapped }).store.nextNumber()).toBe(1);
    const none = JSON.stringify({ active_projects: tasks });
    expect(project({ "specs/state.json": none }).store.nextNumber()).toBe(6);
  });
});

describe("the texts of a task's criteria", () => {
  it.each([
    [{ criteria: "It works" }, ["It works"]],
    [{ criteria: "" }, []],
    [{ acceptance_criteria: ["a", "", 7, { text: "b" }, {}] }, ["a", "b"]],
    [{ acceptanceCriteria: ["c"] }, ["c"]],
  ])("are read from %j", (fields, criteria) => {
    const task = { project_number: 1, title: "One", ...fields };
    const { store } = makeProject({ "specs/state.json": JSON.stringify({ active_projects: [task] }) });
    expect(store.find(1)?.criteria).toEqual(criteria);
  });
});

describe("the languages of a task", () => {
  it("are those of its folder, of state.json and of TODO.md", () => {
    const own = { "specs/1_fix_login/state.json": '{"language": "rust"}' };
    expect(project(own).store.languages(1)).toEqual({ project: "rust", state: "lean", todo: undefined });
    expect(project().store.languages("2")).toEqual({ project: undefined, state: "markdown", todo: "python" });
    expect(project().store.languages("99")).toEqual({
      project: undefined,
      state: undefined,
      todo: undefined,
    });
    expect(makeProject().store.languages("x y")).toEqual({
      project: undefined,
      state: undefined,
      todo: undefined,
    });
  });
});

describe("the folder of a task", () => {
  const folderOf = (folders: readonly string[], id: number): string | undefined => {
    const { root, store } = project();
    for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
    const task = store.find(id);
    return task === undefined ? undefined : store.findFolder(task);
  };

  it("is the one that is there, else the one to create", () => {
    expect(folderOf([], 1)).toBe("specs/1_fix_login");
    expect(folderOf(["specs/1_fix_login"], 1)).toBe("specs/1_fix_login");
    expect(folderOf(["specs/1_other_task"], 1)).toBe("specs/1_fix_login");
    expect(folderOf(["specs/12_other"], 1)).toBe("specs/1_fix_login");
    expect(folderOf([], 3)).toBe("specs/3_task");
    expect(folderOf(["specs/4_old_work", "specs/archive/4_old_work"], 4)).toBe("specs/archive/4_old_work");
    expect(folderOf(["specs/4_old_work"], 4)).toBe("specs/4_old_work");
  });
});

describe("tasks as agents see them", () => {
  it("are a short list, and one of them in full", () => {
    const { store } = project();
    const first = { id: "1", title: "Fix the login", status: "planned", language: "lean", priority: "high" };
    expect(describeTasks(store, undefined)).toEqual({
      tasks: [
        first,
        { id: "2", title: "Write the docs", status: "pr_ready", language: "markdown", priority: "medium" },
        { id: "3", title: "Task 3", status: "completed", language: "general", priority: "low" },
        { id: "5", title: "Only here", status: "blocked", language: "general", priority: "high" },
      ],
      more_tasks: 0,
    });
    expect(describeTasks(store, "1")).toEqual({
      task: {
        ...first,
        description: "The page hangs",
        effort: "2 h",
        dependencies: ["2"],
        parent: null,
        subtasks: [],
        artifacts: store.find(1)?.artifacts,
      },
    });
    expect(describeTasks(store, "2")).toMatchObject({ task: { id: "2", parent: "1" } });
    expect(describeTasks(store, "5")).toMatchObject({ task: { id: "5", description: "Words." } });
    expect(() => describeTasks(store, "9")).toThrow("9");
  });

  it("have their status in one form, or in its own words if it is of another tool", () => {
    const written = ["[PLANNED]", "In progress", "[Odd one]"];
    const active = written.map((status, index) => ({ project_number: index + 1, status }));
    const { store } = makeProject({ "specs/state.json": JSON.stringify({ active_projects: active }) });
    expect(describeTasks(store, undefined)).toMatchObject({
      tasks: [{ status: "planned" }, { status: "implementing" }, { status: "[Odd one]" }],
    });
  });

  it("are a hundred at most, with the number of the others", () => {
    const many = Array.from({ length: 103 }, (_, index) => ({ project_number: index + 1 }));
    const { store } = makeProject({ "specs/state.json": JSON.stringify({ active_projects: many }) });
    const shown = describeTasks(store, undefined);
    expect(shown).toMatchObject({ more_tasks: 3 });
    expect("tasks" in shown && shown.tasks).toHaveLength(100);
  });
});

describe("the criteria of a task's entry", () => {
  it("are texts, or objects with a text and a check", () => {
    const criteria = [
      "It works",
      " ",
      { text: "Tests pass", check: { command: "npm test" } },
      { text: "Nice to have", required: false, check: { unknown: 1 } },
      { check: { command: "x" } },
      7,
    ];
    const read = [
      "It works",
      { text: "Tests pass", required: true, check: { command: "npm test" } },
      { text: "Nice to have", required: false },
    ];
    expect(readTaskCriteria({ raw: { criteria } })).toEqual(read);
    expect(readTaskCriteria({ raw: { acceptance_criteria: criteria } })).toEqual(read);
    expect(readTaskCriteria({ raw: { criteria: ["a"], acceptance_criteria: ["b"] } })).toEqual(["a"]);
    expect([readTaskCriteria({ raw: { criteria: "a" } }), readTaskCriteria(undefined)]).toEqual([[], []]);
    const many = Array.from({ length: 101 }, () => "x");
    expect(readTaskCriteria({ raw: { criteria: many } })).toHaveLength(100);
  });

  it("are known for every active task, with their file", () => {
    const { root } = project();
    const found = readActiveCriteria({
      projectRoot: root,
      dir: "specs",
      stateDirectory: join(root, ".ambit"),
    });
    expect(found.map(({ task, file }) => `${task} ${file}`)).toEqual(
      ["1", "2", "3"].map((id) => `${id} specs/state.json`),
    );
    expect(found[0]?.sources).toEqual([
      "It opens",
      "Tests pass",
      "It opens",
      { text: "Tests pass", required: true, check: { command: "npm test" } },
    ]);
  });
});
