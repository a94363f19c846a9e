import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeProject, type TaskProject } from "./task-project.ts";

const STATE =
  '{"next_project_number": 3, "active_projects": [{"project_number": 1, "title": "One", "status": "not_started"}]}\n';
const TODO = "# TODO\n\n## Tasks\n\n### 1. One\n- **Status**: [NOT STARTED]\n";

function project(state = STATE, todo = TODO): TaskProject {
  return makeProject({ "specs/state.json": state, "specs/TODO.md": todo });
}

async function untouched(
  { read, store }: TaskProject,
  expected: Readonly<Record<string, unknown>>,
): Promise<void> {
  const before = [read("specs/state.json"), read("specs/TODO.md")];
  await expect(store.create({ title: "Two" })).rejects.toMatchObject(expected);
  expect([read("specs/state.json"), read("specs/TODO.md")]).toEqual(before);
}

describe("a broken file", () => {
  it.each([
    ["broken JSON", '{"active_projects": [}', "TASK_FILE_BROKEN", "line 1"],
    ["an empty file", "", "TASK_FILE_BROKEN", "empty"],
    ["text after its end", '{"active_projects": []}\n\nx', "TASK_FILE_BROKEN", "line 3"],
    ["half of its text", '{"active_projects": [', "TASK_FILE_BROKEN", "ends in the middle"],
    ["a list", "[]", "TASK_FILE_BROKEN", "not a JSON object"],
    [
      "a task without a number",
      '{"active_projects": [{"title": "x"}]}',
      "TASK_FILE_BROKEN",
      "active_projects[0]",
    ],
    [
      "a double id",
      '{"active_projects": [{"project_number": 1}, {"project_number": "01"}]}',
      "DUPLICATE_ID",
      "task 1",
    ],
    [
      "conflict markers",
      '{\n<<<<<<< HEAD\n"next_project_number": 3\n=======\n"next_project_number": 4\n>>>>>>> other\n}',
      "TASK_FILE_CONFLICT",
      "line 2",
    ],
  ])(
    "is refused with the place of the fault, and is not changed: state.json with %s (R134)",
    async (_name, text, code, where) => {
      await untouched(project(text), { code, message: expect.stringContaining(where) });
      expect(() => project(text).store.list()).toThrow(expect.objectContaining({ code }));
    },
  );

  it.each([
    ["conflict markers", `${TODO}<<<<<<< HEAD\n=======\n>>>>>>> other\n`, "TASK_FILE_CONFLICT", "line 7"],
    ["a double id", `${TODO}\n### 1. Again\n- **Status**: [PLANNED]\n`, "DUPLICATE_ID", "lines 5 and 8"],
  ])(
    "is refused with the place of the fault, and is not changed: TODO.md with %s (R135)",
    async (_name, text, code, where) => {
      await untouched(project(STATE, text), { code, message: expect.stringContaining(where) });
    },
  );

  it("is refused if it is not UTF-8, and the sign of a lost letter alone is no reason", async () => {
    const tasks = project(STATE, TODO.replace("One", "Caf\u{fffd}"));
    await tasks.store.create({ title: "Two" });
    const bytes = Buffer.from(TODO.replace("One", "Caf\u00e9"), "latin1");
    const { root, store } = project();
    writeFileSync(`${root}/specs/TODO.md`, bytes);
    await expect(store.create({ title: "Two" })).rejects.toMatchObject({
      code: "TASK_FILE_BROKEN",
      message: expect.stringContaining("not encoded as UTF-8"),
    });
    expect(readFileSync(`${root}/specs/TODO.md`)).toEqual(bytes);
  });

  it.each(["specs/state.json", "specs/TODO.md"])("is refused at 50 MB: %s", async (path) => {
    const tasks = project();
    tasks.write(path, " ".repeat(50 * 1024 * 1024));
    await expect(tasks.store.create({ title: "Two" })).rejects.toMatchObject({
      code: "TASK_FILE_TOO_LARGE",
      message: expect.stringContaining("50 MB"),
    });
  });
});

describe("a malformed request", () => {
  it.each([
    ["9-3", "INVALID_RANGE"],
    ["abc", "NO_TASK_NUMBER"],
    ["0", "INVALID_TASK_NUMBER"],
    ["1 and more", "INVALID_RANGE"],
    ["1-99999", "RANGE_TOO_LARGE"],
  ])("is refused before anything is written: range %s (R138)", async (range, code) => {
    const tasks = project();
    await expect(tasks.store.updateStatus(range, "planning")).rejects.toMatchObject({ code });
    expect(tasks.read("specs/state.json")).toBe(STATE);
  });

  it("is refused with the known statuses if it names an unknown one (C20)", async () => {
    await expect(project().store.updateStatus(1, "finished-ish")).rejects.toMatchObject({
      code: "TASK_STATUS_UNKNOWN",
      recommendation: expect.stringContaining("completed"),
    });
  });

  it.each([
    [{ title: "" }, "TASK_INVALID"],
    [{ title: "x".repeat(301) }, "TASK_INVALID"],
    [{ title: "red \u001b[31m" }, "TASK_INVALID"],
    [{ title: "x", priority: "urgent" }, "TASK_INVALID"],
    [{ title: "x", dependencies: [99] }, "DEPENDENCY_UNKNOWN"],
    [{ title: "x", parent: 99 }, "TASK_NOT_FOUND"],
  ])("is refused for an impossible value of a task: %j", async (task, code) => {
    const tasks = project();
    const made = await tasks.store.create(task);
    expect(made).toMatchObject({ status: "failed", failures: [{ code }] });
    expect(tasks.read("specs/state.json")).toBe(STATE);
  });

  it("is refused if tasks would wait for each other", async () => {
    const tasks = project();
    await tasks.store.create({ title: "Two", dependencies: [1] });
    const changed = await tasks.store.updateMetadata(1, { dependencies: [3] });
    expect(changed.failures).toMatchObject([
      { code: "CYCLE_DETECTED", message: expect.stringContaining("1 → 3 → 1") },
    ]);
  });

  it("is refused with the failed criterion if it completes a task too early", async () => {
    const tasks = project();
    const criteria = [{ id: "c1", text: "npm test passes", verdict: "failed", evidence: "3 tests are red" }];
    await tasks.store.updateMetadata(1, { extra: { criteria } });
    await tasks.store.updateStatus(1, "implementing");
    const done = await tasks.store.updateStatus(1, "completed");
    expect(done.failures).toMatchObject([
      {
        code: "CRITERION_FAILED",
        message: expect.stringContaining('"npm test passes" failed (3 tests are red)'),
      },
    ]);
    expect(tasks.store.find(1)?.status).toBe("implementing");
  });

  it("is refused if a task file is a link out of the project", async () => {
    const { symlinkSync, rmSync } = await import("node:fs");
    const tasks = project();
    const elsewhere = makeProject({ "victim.md": "# TODO\n\n## Tasks\n" });
    rmSync(`${tasks.root}/specs/TODO.md`);
    symlinkSync(`${elsewhere.root}/victim.md`, `${tasks.root}/specs/TODO.md`);
    await expect(tasks.store.create({ title: "Two" })).rejects.toMatchObject({ code: "TASK_FILE_BROKEN" });
    expect(elsewhere.read("victim.md")).toBe("# TODO\n\n## Tasks\n");
  });
});
