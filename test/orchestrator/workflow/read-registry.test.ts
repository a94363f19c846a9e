import { describe, expect, it } from "vitest";
import type { WorkflowFacts } from "../../../src/contract/workflow-facts.ts";
import { workSpecSchema } from "../../../src/contract/work-spec.ts";
import { readRegistry } from "../../../src/orchestrator/workflow/read-registry.ts";
import type { Delegation } from "../../../src/journal/store.ts";
import { makeDelegation } from "../../reports/make-delegation.ts";

const workflow: WorkflowFacts = {
  command: "research",
  task: "197",
  agent: "lean-research-agent",
  reason: "language lean",
  language: "lean",
  timeoutSeconds: 3600,
  folder: "specs/197_x",
  document: null,
  plan: null,
  ownFiles: [],
  continues: null,
  description: "Look",
  context: "",
  criteria: [],
};
const ID = "T197-research-1";
const storyOf = (facts: Partial<WorkflowFacts> = {}): Delegation =>
  makeDelegation(ID, {
    work: workSpecSchema.parse({ adapter: "workflow", workflow: { ...workflow, ...facts } }),
  });
const worker = (parts: Partial<Delegation> = {}, id = `${ID}-DEL-001`): Delegation =>
  makeDelegation(id, { agent: "lean-research-agent", path: ["ambit", "research"], ...parts });

const postflight = {
  status_sync_manager_invoked: true,
  status_sync_manager_completed: true,
  todo_md_updated: true,
  state_json_updated: false,
  git_commit_created: true,
};
const settled = {
  seq: 1,
  at: "2026-01-20T11:00:00.000Z",
  type: "workflow-settled",
  story: ID,
  delegation: ID,
  attempt: 0,
  data: {
    command: "research",
    task: "197",
    worker: `${ID}-DEL-001`,
    status: "researched",
    artifacts: [],
    commit: "c",
    taskCommit: null,
    postflight,
  },
};

/** What the registry says about a story that the journal knows like this. */
const registryOf = (tree: readonly Delegation[], events: readonly object[] = []) =>
  readRegistry(
    {
      storyTree: async () => tree,
      newestEvents: async () =>
        events.map((event, index) => ({ seq: index + 1, hash: "h", body: JSON.stringify(event) })),
    },
    ID,
  );

describe("the registry of a workflow command (R157)", () => {
  it("names the worker, its task, its time and its place", async () => {
    const closedAt = "2026-01-20T10:40:30.400Z";
    const ended = worker({ state: "closed", outcome: "completed", closedAt });
    const [entry, ...more] = await registryOf([storyOf(), ended]);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      session_id: "sess_1768905000_a1b2c3",
      command: "research",
      subagent: "lean-research-agent",
      task_number: 197,
      language: "lean",
      start_time: "2026-01-20T10:30:00.000Z",
      timeout: 1800,
      deadline: "2026-01-20T11:00:00.000Z",
      end_time: closedAt,
      duration_seconds: 630,
      status: "completed",
      delegation_depth: 1,
      delegation_path: ["ambit", "research"],
      delegation_id: `${ID}-DEL-001`,
      is_command: true,
    });
  });

  it("counts from the admission where nothing has started, and keeps other ids of tasks as text", async () => {
    const waiting = worker({
      state: "queued",
      agent: null,
      startedAt: null,
      admittedAt: "2026-01-20T10:00:00.000Z",
    });
    expect(await registryOf([storyOf({ task: "12.1" }), waiting])).toMatchObject([
      {
        subagent: `${ID}-DEL-001`,
        task_number: "12.1",
        start_time: "2026-01-20T10:00:00.000Z",
        deadline: "2026-01-20T10:30:00.000Z",
        end_time: null,
        duration_seconds: null,
        status: "running",
      },
    ]);
    expect(await registryOf([storyOf({ task: null }), waiting])).toMatchObject([{ task_number: null }]);
  });

  it.each([
    ["completed", [], "completed"],
    ["timed_out", [], "timeout"],
    ["timed_out", ["a.md"], "partial"],
    ["cancelled", ["a.md"], "cancelled"],
    [null, [], "failed"],
  ] as const)("says how it ended: %s with %j is %s (C19)", async (outcome, filesChanged, status) => {
    const ended = worker({ state: "closed", outcome, filesChanged });
    expect(await registryOf([storyOf(), ended])).toMatchObject([{ status }]);
  });

  it("is empty for every other story, and without one", async () => {
    expect(await registryOf([makeDelegation(ID), worker()])).toEqual([]);
    expect(await registryOf([])).toEqual([]);
  });
});

describe("the stages of a command (R158)", () => {
  it.each([
    ["queued", 4],
    ["running", 5],
    ["parked", 5],
    ["returned", 6],
    ["verified", 6],
    ["closed", 7],
  ] as const)("follow its worker: %s is stage %i", async (state, stage) => {
    const [entry] = await registryOf([storyOf(), worker({ state })]);
    expect(entry?.command_stages).toMatchObject({
      current_stage: stage,
      stages_completed: [1, 2, 3, 4, 5, 6].slice(0, stage - 1),
      stage_7_completed: false,
    });
    expect(new Set(Object.values(entry?.command_stages?.stage_7_artifacts ?? {}))).toEqual(new Set([false]));
  });

  it("are all over once the command is settled, with what was done", async () => {
    const [entry] = await registryOf([storyOf(), worker({ state: "closed" })], [settled]);
    expect(entry?.command_stages).toEqual({
      current_stage: 7,
      stages_completed: [1, 2, 3, 4, 5, 6, 7],
      stage_7_completed: true,
      stage_7_artifacts: { ...postflight, work_committed: false, task_files_committed: false },
    });
  });

  it("belong to the command's own worker, not to those below it", async () => {
    const below = worker({}, `${ID}-DEL-001-DEL-001`);
    const [own, other] = await registryOf([storyOf(), worker(), below]);
    expect(own).toHaveProperty("command_stages");
    expect(other).toMatchObject({ is_command: false, delegation_depth: 2 });
    expect(other).not.toHaveProperty("command_stages");
  });
});
