import { expect, it } from "vitest";
import { tasksStory } from "../../src/contract/tasks-story.ts";
import { buildAuditList } from "../../src/reports/audit.ts";
import { temporaryStore } from "./temporary-store.ts";

const change = {
  type: "task-changed",
  story: tasksStory,
  delegation: null,
  attempt: 0,
  data: {
    taskId: "343",
    changeId: "c1/0",
    kind: "changed",
    source: "TODO.md",
    fields: { status: "completed", last_updated: "2026-01-07T10:00:00Z", dependencies: null },
  },
} as const;

it("the audit list names the task, its new values and their source; a repeated change is listed once (R122)", async () => {
  const store = temporaryStore();
  await Promise.all([store.record(change), store.record(change)]);
  await store.record({
    ...change,
    data: { taskId: "344", kind: "created", source: "store", fields: { a: "1", b: "2", c: "3", d: "4" } },
  });
  expect(buildAuditList(await store.newestEvents(10))).toMatchObject([
    { about: "task 343", detail: "changed by TODO.md: status completed, dependencies" },
    { about: "task 344", detail: "created: a 1, b 2, c 3, 1 more" },
  ]);
});

it("a task change makes no story and no delegation", async () => {
  const store = temporaryStore();
  await store.record(change);
  expect(await store.stories(10)).toStrictEqual([]);
  expect(await store.openStories(10)).toStrictEqual([]);
  expect(await store.totals()).toMatchObject({ delegations: 0, active: 0 });
});
