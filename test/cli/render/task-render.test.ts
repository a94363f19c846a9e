import { describe, expect, it } from "vitest";
import type { TaskCard } from "../../../src/app/show-task.ts";
import { renderTaskCard } from "../../../src/cli/render/task-card.ts";
import { renderTaskList } from "../../../src/cli/render/task-list.ts";
import { renderTaskOperation, type ShownOperation } from "../../../src/cli/render/task-operation.ts";

const task: TaskCard = {
  id: "244",
  number: 244,
  slug: "fix_login",
  title: "Fix the login",
  description: "It fails for new users.",
  language: "lean",
  status: "planned",
  status_text: "planned",
  priority: "high",
  effort: "2 hours",
  created: "2026-01-06T09:00:00Z",
  last_updated: "2026-01-07T10:00:00Z",
  dependencies: ["240", "999"],
  parent: null,
  subtasks: [],
  artifacts: [
    { type: "plan", path: "specs/244_fix_login/plans/implementation-001.md", summary: "Six phases" },
  ],
  criteria: ["`npm test` passes"],
  archived: false,
  archive_reason: null,
  fields: {},
  folder: "specs/244_fix_login",
  related: [
    { id: "240", status: "completed" },
    { id: "999", status: null },
  ],
};

describe("a list of tasks", () => {
  const rows = [
    { id: "7", status: "planned", priority: "high", language: "lean", title: "Short" },
    {
      id: "1000",
      status: "not_started",
      priority: "medium",
      language: "general",
      title: "A title that is too long",
    },
  ];

  it("has one line per task; only titles are shortened in a narrow terminal", () => {
    expect(renderTaskList(rows, { ascii: false, width: 60 }).split("\n")).toStrictEqual([
      "task  status       priority  language  title",
      "   7  planned      high      lean      Short",
      "1000  not_started  medium    general   A title that is too …",
    ]);
    expect(renderTaskList(rows, { ascii: true, width: undefined })).toMatch(/A title that is too long$/);
  });

  it("lets no title move the cursor or break its line, and measures wide letters", () => {
    const [, line] = renderTaskList(
      [{ ...rows[0], id: "1", status: "x", priority: "", language: "日本", title: "a\u001b[2Jb\nc" }],
      { ascii: false, width: undefined },
    ).split("\n");
    expect(line).toBe(String.raw`   1  x                 日本      a\u{1b}[2Jb c`);
  });
});

it("a card shows everything about a task, with the status of its dependencies", () => {
  expect(renderTaskCard(task).split("\n")).toStrictEqual([
    "244  Fix the login",
    "  status      planned",
    "  priority    high",
    "  language    lean",
    "  effort      2 hours",
    "  depends on  240 completed, 999 (not found)",
    "  updated     2026-01-07T10:00:00Z",
    "  folder      specs/244_fix_login",
    "  description",
    "    It fails for new users.",
    "  criteria",
    "    - `npm test` passes",
    "  artifacts",
    "    plan  specs/244_fix_login/plans/implementation-001.md  Six phases",
    "  next  ambit implement 244",
  ]);
});

const operation: ShownOperation = {
  status: "completed",
  dry_run: false,
  summary: "Synced 3 tasks, resolved 1 conflict using git blame",
  tasks: [],
  metadata: { files_updated: ["specs/TODO.md", "specs/state.json"] },
  changes: [
    {
      task_id: "343",
      kind: "changed",
      source: "store",
      fields: { status: "completed", last_updated: "2026-01-07T10:00:00Z", dependencies: null },
      before: { status: "implementing", dependencies: [1, 2] },
    },
    { task_id: "346", kind: "created", source: "TODO.md", fields: { title: "New one" }, before: {} },
  ],
  imported: [],
  log: ["Task 343: status from state.json (2026-01-07) > TODO.md (2026-01-06)"],
};

describe("the report of an operation", () => {
  it("shows each field, which side won and why (R141)", () => {
    expect(renderTaskOperation(operation, { ascii: true }).split("\n")).toStrictEqual([
      "+ Synced 3 tasks, resolved 1 conflict using git blame",
      "  343  status        implementing -> completed",
      "  343  dependencies  1, 2 -> (none)",
      "  346  created       New one                    TODO.md",
      "  Task 343: status from state.json (2026-01-07) > TODO.md (2026-01-06)",
      "  files  specs/TODO.md  specs/state.json",
    ]);
  });

  it("says that nothing was written after a dry run", () => {
    const lines = renderTaskOperation({ ...operation, dry_run: true, changes: [] }, { ascii: false }).split(
      "\n",
    );
    expect(lines[0]).toMatch(/^dry run: /);
    expect(lines.at(-1)).toBe("  would write  specs/TODO.md  specs/state.json");
  });
});
