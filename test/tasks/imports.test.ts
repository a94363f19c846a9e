import { describe, expect, it } from "vitest";
import { makeProject } from "./task-project.ts";

async function importFile(text: string, source = "other.json") {
  const project = makeProject();
  const done = await project.store.importTasks({ text, source });
  return { project, done, tasks: project.store.list() };
}

const imported = async (items: readonly object[]) =>
  (await importFile(JSON.stringify({ tasks: items }))).tasks;

describe("tasks of another tool's file", () => {
  it.each([
    ["done", "completed"],
    ["complete", "completed"],
    ["closed", "completed"],
    ["finished", "completed"],
    ["resolved", "completed"],
    ["in-progress", "implementing"],
    ["doing", "implementing"],
    ["started", "implementing"],
    [" Active ", "implementing"],
    ["review", "implementing"],
    ["delegated", "implementing"],
    ["deferred", "on_hold"],
    ["paused", "on_hold"],
    ["cancelled", "abandoned"],
    ["canceled", "abandoned"],
    ["wontfix", "abandoned"],
    ["[PLANNED]", "planned"],
    ["whatever", "not_started"],
  ])("with the status %s become %s", async (word, status) => {
    expect(await imported([{ id: 1, title: "One", status: word }])).toMatchObject([{ status }]);
    expect(await imported([{ id: 1, title: "One", state: word }])).toMatchObject([{ status }]);
  });

  it.each([
    ["critical", "high"],
    ["URGENT", "high"],
    ["high", "high"],
    [" low ", "low"],
    ["P2", "medium"],
  ])("with the priority %s get %s", async (word, priority) => {
    expect(await imported([{ id: 1, title: "One", priority: word }])).toMatchObject([{ priority }]);
  });

  it("keep title, words, language, criteria, dependencies and parts", async () => {
    const { project, tasks } = await importFile(
      JSON.stringify({
        items: [
          { key: "A", name: " One ", body: "Words", details: "More", testStrategy: " ", language: "lean" },
          {
            key: "B",
            summary: "Two",
            depends_on: ["A", "B", "gone"],
            acceptance_criteria: ["It works"],
            task_type: "rust",
            subtasks: [
              { id: 1, content: "Half" },
              { id: 2, text: "Other half", dependencies: [1, "A"] },
              "no object",
            ],
          },
          "Three",
          7,
        ],
      }),
    );
    expect(tasks).toMatchObject([
      { id: "1", title: "One", description: "Words\n\nMore", language: "lean", dependencies: [] },
      {
        id: "2",
        title: "Two",
        language: "rust",
        criteria: ["It works"],
        dependencies: ["1"],
        subtasks: ["3", "4"],
      },
      { id: "3", title: "Half", parent: "2", dependencies: [] },
      { id: "4", title: "Other half", parent: "2", dependencies: ["3"] },
      { id: "5", title: "Three", language: "general", dependencies: [] },
    ]);
    expect(tasks[0]?.raw).toMatchObject({ source: "other.json", source_id: "A" });
    expect(project.disagreements()).toEqual([]);
    expect([...project.journal.values()].flat().at(-1)).toEqual({
      taskId: "4",
      kind: "changed",
      source: "store",
      fields: { dependencies: ["3"] },
      before: {},
    });
    const again = await project.store.importTasks({
      text: '[{"id":"A","title":"One"}]',
      source: "other.json",
    });
    expect(again).toMatchObject({
      taskIds: [],
      summary: expect.stringContaining("1 task had been imported before"),
    });
    const elsewhere = await project.store.importTasks({
      text: '[{"id":"A","title":"One"}]',
      source: "b.json",
    });
    expect(elsewhere.summary).toBe("Imported 1 task from b.json");
  });

  it("are found under tags, whose names keep equal ids apart", async () => {
    const tagged = {
      main: { tasks: [{ id: 1, title: "One" }] },
      next: { tasks: [{ id: 1, title: "Uno" }] },
      meta: 7,
    };
    const { tasks } = await importFile(JSON.stringify(tagged));
    expect(tasks.map(({ title, raw }) => [title, raw["source_id"]])).toEqual([
      ["One", "main:1"],
      ["Uno", "next:1"],
    ]);
    const { tasks: alone } = await importFile(JSON.stringify({ main: { tasks: [{ id: 1, title: "One" }] } }));
    expect(alone[0]?.raw).toMatchObject({ source_id: "1" });
  });

  it("of a Markdown list are its check boxes, with parts by indentation", async () => {
    const text = "# List\n- [ ] One\n  - [x] Half\n\t* [X] Tab\n+ [ ] Two\n- [?] no box\n- [ ]\n-[ ] no\n";
    const { tasks } = await importFile(text, "list.md");
    expect(tasks.map(({ id, title, status, parent }) => [id, title, status, parent])).toEqual([
      ["1", "One", "not_started", undefined],
      ["2", "Half", "completed", "1"],
      ["3", "Tab", "completed", "2"],
      ["4", "Two", "not_started", undefined],
    ]);
    expect(tasks[0]).toMatchObject({ description: "", dependencies: [], criteria: [], language: "general" });
  });

  it("of a Markdown list with numbered headings are its entries", async () => {
    const text =
      "## Tasks\n\n### 8. One\n- **Status**: [PLANNED]\n- **Priority**: High\n- **Language**: lean\n\n**Description**: Words.\n\n### 9. Two\n- **Depends on**: 8\n";
    const { tasks } = await importFile(text, "TODO.md");
    expect(tasks).toMatchObject([
      { id: "1", title: "One", status: "planned", priority: "high", language: "lean", description: "Words." },
      { id: "2", title: "Two", status: "not_started", language: "general", dependencies: ["1"] },
    ]);
  });

  it("without a title are refused, or left out if the person wants the others", async () => {
    const text = JSON.stringify([
      { id: 1, title: " " },
      { id: 2, title: "Two" },
    ]);
    const refused = await importFile(text);
    expect(refused.done).toMatchObject({
      status: "failed",
      summary: "Nothing was changed: other.json, task 1: it has no title",
      failures: [
        {
          taskId: "1",
          code: "TASK_INVALID",
          recommendation: "Give it one, or use --continue-on-error.",
        },
      ],
    });
    const project = makeProject();
    const done = await project.store.importTasks({ text, source: "o" }, { continueOnError: true });
    expect(done).toMatchObject({ status: "partial", succeeded: ["1"] });
    expect(project.store.list().map(({ title }) => title)).toEqual(["Two"]);
  });

  it.each([
    ["{", "is not valid JSON"],
    ["{}", "it has no list of tasks"],
    ["[]", "it has no tasks"],
    ["", "it has no tasks"],
    [JSON.stringify(Array.from({ length: 5001 }, () => ({ title: "x" }))), "5001 tasks; the limit is 5000"],
    ["<<<<<<< a\n=======\n>>>>>>> b\n", "other.json"],
  ])("are refused whole where the file is not usable: %.20s", async (text, why) => {
    await expect(importFile(text)).rejects.toThrow(why);
  });

  it("may begin with a byte order mark, and control characters are left out", async () => {
    const { tasks } = await importFile(`\u{feff}[{"title": "One\\u0007", "description": "a\\u0007\\nb"}]`);
    expect(tasks).toMatchObject([{ title: expect.stringMatching(/^One/) }]);
    expect(JSON.stringify(tasks)).not.toContain(String.raw`\u0007`);
  });
});
