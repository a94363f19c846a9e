import { describe, expect, it } from "vitest";
import { renderOperation } from "../../src/tasks/operation-return.ts";
import { makeProject } from "./task-project.ts";

describe("an operation's answer to programs", () => {
  it("has the fields of a bulk operation, and its session (R42)", async () => {
    const { store } = makeProject();
    await store.create({ title: "One" });
    await store.create({ title: "Two" });
    const answer = renderOperation(await store.abandon("2, 1"), "sess_1735460684_a1b2c3");
    expect(answer).toEqual({
      status: "completed",
      summary: "Abandoned 2 tasks to archive",
      artifacts: [],
      metadata: {
        session_id: "sess_1735460684_a1b2c3",
        task_numbers: [2, 1],
        success_count: 2,
        failure_count: 0,
        files_updated: ["specs/archive/state.json", "specs/state.json", "specs/TODO.md"],
      },
      errors: [],
    });
  });

  it("names the rolled back parts of a failed division (R42, R142)", async () => {
    const { store } = makeProject();
    await store.create({ title: "Whole" });
    const answer = renderOperation(
      await store.divide(1, { subtasks: [{ title: "A" }, { title: "" }] }),
      "sess_1735460684_a1b2c3",
    );
    expect(answer).toMatchObject({
      status: "failed",
      metadata: { parent_task: 1, subtasks_created: [2], subtasks_rolled_back: [2] },
      errors: [{ code: "SUBTASK_CREATION_FAILED", type: "execution", recoverable: true }],
    });
  });
});

describe("importing tasks", () => {
  const tasks = {
    master: {
      tasks: [
        {
          id: "1",
          title: "First",
          description: "What",
          details: "How",
          status: "done",
          priority: "high",
          dependencies: [],
        },
        {
          id: 2,
          title: "Second",
          status: "in-progress",
          dependencies: [1],
          subtasks: [
            { id: 1, title: "Part one", status: "pending" },
            { id: 2, title: "Part two", status: "deferred", dependencies: ["2.1"] },
          ],
        },
      ],
    },
  };

  it("creates tasks from another tool's file, once (C37)", async () => {
    const project = makeProject();
    await project.store.create({ title: "Mine" });
    const file = { text: JSON.stringify(tasks), source: "tasks.json" };
    const done = await project.store.importTasks(file);
    expect(done).toMatchObject({ status: "completed", taskIds: ["2", "3", "4", "5"] });
    expect(project.store.find(2)).toMatchObject({
      title: "First",
      description: "What\n\nHow",
      status: "completed",
      priority: "high",
    });
    expect(project.store.find(3)).toMatchObject({
      status: "implementing",
      dependencies: ["2"],
      subtasks: ["4", "5"],
    });
    expect(project.store.find(5)).toMatchObject({ parent: "3", status: "on_hold", dependencies: ["4"] });
    expect(project.disagreements()).toEqual([]);
    const again = await project.store.importTasks(file);
    expect(again).toMatchObject({ taskIds: [], filesUpdated: [] });
    expect(again.summary).toContain("4 tasks had been imported before");
  });

  it("reads check boxes, and refuses a file without tasks", async () => {
    const project = makeProject();
    await project.store.importTasks({
      text: "# List\n\n- [x] Done\n- [ ] Open\n  - [ ] Part\n",
      source: "list.md",
    });
    expect(project.store.list().map(({ title, status, parent }) => [title, status, parent])).toEqual([
      ["Done", "completed", undefined],
      ["Open", "not_started", undefined],
      ["Part", "not_started", "2"],
    ]);
    await expect(project.store.importTasks({ text: "Just words.", source: "x.md" })).rejects.toMatchObject({
      code: "TASK_FILE_BROKEN",
    });
  });
});
