import { describe, expect, it } from "vitest";
import { journalEventSchema } from "../../src/contract/journal-event.ts";
import { readSettledWorkflow } from "../../src/contract/read-settled-workflow.ts";

const envelope = {
  seq: 9,
  at: "2026-01-01T00:00:00.000Z",
  story: "T5-plan-1",
  delegation: "T5-plan-1",
  attempt: 1,
};
const facts = {
  worker: "T5-plan-1-DEL-001",
  status: "planned",
  artifacts: [{ type: "plan", path: "specs/5_x/plans/implementation-001.md" }],
  commit: "c".repeat(40),
  postflight: {
    status_sync_manager_invoked: true,
    status_sync_manager_completed: true,
    todo_md_updated: true,
    state_json_updated: true,
    git_commit_created: true,
  },
};

describe("the evidence of a workflow command", () => {
  it("is an event of its own", () => {
    const data = { ...facts, command: "plan", task: "5", taskCommit: null };
    const event = journalEventSchema.parse({ ...envelope, type: "workflow-settled", data });
    expect(readSettledWorkflow(event)).toEqual(data);
  });

  it("is read from the task-changed events of earlier versions", () => {
    const fields = { ...facts, workflow: "plan", task_commit: "d".repeat(40) };
    const event = journalEventSchema.parse({
      ...envelope,
      type: "task-changed",
      data: { taskId: "5", fields },
    });
    const settled = { ...facts, command: "plan", task: "5", taskCommit: "d".repeat(40) };
    expect(readSettledWorkflow(event)).toEqual(settled);
  });

  it("names no task where an earlier version stored the command in its place", () => {
    const data = { taskId: "review", fields: { ...facts, workflow: "review" } };
    const event = journalEventSchema.parse({ ...envelope, type: "task-changed", data });
    expect(readSettledWorkflow(event)).toMatchObject({ command: "review", task: null, taskCommit: null });
  });

  it("is not found in any other change of a task", () => {
    const data = { taskId: "5", fields: { status: "planned" } };
    const event = journalEventSchema.parse({ ...envelope, type: "task-changed", data });
    expect(readSettledWorkflow(event)).toBeUndefined();
  });
});
