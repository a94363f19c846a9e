import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openReader } from "../../src/journal/open-reader.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { storeFile } from "../../src/journal/store-file.ts";
import { openProjectTasks } from "../../src/orchestrator/project-tasks.ts";
import { makeRepository, type TemporaryRepository } from "../workspace/temporary-repository.ts";
import { ownStoreFile } from "../own-store-file.ts";

let project: TemporaryRepository;
beforeEach(async () => {
  project = await makeRepository();
});
afterEach(() => project.remove());

const open = (further: object = {}) =>
  openProjectTasks({ projectRoot: project.root, dir: "specs", host: project.repository.host, ...further });

async function journal(): Promise<readonly Record<string, unknown>[]> {
  const reader = openReader(storeFile(project.root));
  const events = (await reader?.newestEvents(100)) ?? [];
  await reader?.close();
  return events.map(({ body }) => JSON.parse(body));
}

it("records each change in the project's journal, under no story, and git does not see the journal (R136)", async () => {
  const tasks = open();
  expect(await tasks.create({ title: "Fix it" })).toMatchObject({ status: "completed" });
  await tasks.updateStatus("1", "researching");
  expect(await journal()).toMatchObject([
    {
      type: "task-changed",
      story: "tasks",
      delegation: null,
      data: { taskId: "1", kind: "created", source: "store" },
    },
    { type: "task-changed", data: { taskId: "1", kind: "changed", fields: { status: "researching" } } },
  ]);
  expect(project.git("status", "--porcelain")).toBe("?? specs/\n");
});

it("uses the journal that its caller holds open, in the name of the story that asked", async () => {
  const store = openStore(ownStoreFile(project.root));
  try {
    await open({ store, story: "T1-abcd" }).create({ title: "Fix it" });
  } finally {
    await store.close();
  }
  expect(await journal()).toMatchObject([{ story: "T1-abcd", delegation: null, data: { kind: "created" } }]);
});

it("changes nothing when it only reads or plans", async () => {
  const tasks = open();
  expect(tasks.list()).toStrictEqual([]);
  expect(tasks.find(1)).toBeUndefined();
  await tasks.create({ title: "Fix it" }, { dryRun: true });
  expect(existsSync(join(project.root, "specs"))).toBe(false);
  expect(await journal()).toStrictEqual([]);
});

it("asks git about the checkout's own lines if both files differ (R140, C27)", async () => {
  await open().create({ title: "Fix it", priority: "low" });
  project.git("add", "specs");
  project.git("commit", "-qm", "tasks");
  const edit = (file: string, priority: string): void => {
    const text = readFileSync(join(project.root, file), "utf8");
    project.write(file, text.replace("low", priority));
  };
  edit("specs/state.json", "medium");
  project.git("commit", "-qm", "state", "--", "specs/state.json");
  // An uncommitted line has the time of its file, which must not be before the commit.
  edit("specs/TODO.md", "high");
  expect(await open().sync("all")).toMatchObject({
    status: "completed",
    conflicts: [{ taskId: "1", field: "priority", winner: "TODO.md" }],
  });
  expect(open().find(1)?.priority).toBe("high");
});
