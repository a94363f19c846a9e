import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canMoveTodo, todoStatuses, type TodoItem } from "../../src/contract/todo-item.ts";
import type { StoredTodo } from "../../src/journal/store.ts";
import { buildChecklist } from "../../src/journal/todo-view.ts";
import { MAX_TODOS, planUpdate } from "../../src/orchestrator/todos/plan-update.ts";
import { makeDelegation } from "../reports/make-delegation.ts";

const item = (id: string, more: Partial<TodoItem> = {}): TodoItem => ({
  id,
  content: `Do ${id}`,
  activeForm: `Doing ${id}`,
  status: "pending",
  ...more,
});
const delegated = (id: string, more: Partial<TodoItem> = {}): TodoItem =>
  item(id, {
    status: "delegated",
    delegated_to: "haiku1",
    acceptance_criteria: ["`npm test` passes"],
    ...more,
  });
const stored = (todo: TodoItem): StoredTodo => ({
  manager: "S-1",
  story: "S-1",
  item: todo,
  changedAt: "now",
});
const workerOf = (todo: string, more: object = {}) =>
  makeDelegation("S-1-DEL-001", { todo, agent: "haiku1", ...more });

const plan = (
  given: unknown,
  known: readonly TodoItem[] = [],
  workers: ReturnType<typeof workerOf>[] = [],
) => {
  const todos = known.map(stored);
  return planUpdate({
    given,
    known: todos,
    views: buildChecklist({ todos, delegations: workers }),
    nowMs: 1_700_000_000_000,
  });
};

describe("an update of a task list", () => {
  it("merges by id, and leaves fields and tasks that it does not name unchanged (R164)", () => {
    const { changed, problems } = plan(
      [{ id: "a", status: "in_progress" }],
      [item("a", { context: "why" }), item("b")],
    );
    expect(problems).toEqual([]);
    expect(changed).toEqual([item("a", { context: "why", status: "in_progress" })]);
  });

  it("accepts a number as the text of an id (C37)", () => {
    const { changed } = plan([{ id: 7, status: "in_progress" }], [item("7")]);
    expect(changed).toEqual([item("7", { status: "in_progress" })]);
  });

  it.each([
    ["a list", [item("a")]],
    ["an object with todos", { todos: [item("a")] }],
    ["JSON text", JSON.stringify({ todos: [item("a")] })],
  ])("is read from %s (C38)", (_name, given) => {
    expect(plan(given).changed).toEqual([item("a")]);
  });

  it.each([
    ["no JSON", "[{", ["NOT_JSON"]],
    ["no list", 7, ["NOT_AN_ARRAY"]],
    ["an id twice", [item("a"), item("a")], ["DUPLICATE_ID"]],
    ["too many", Array.from({ length: MAX_TODOS + 1 }, (_, index) => item(`t${index}`)), ["TOO_LARGE"]],
    ["a new one that is done", [item("a", { status: "completed" })], ["TASK_MOVE_REFUSED"]],
  ])("is refused with %s", (_name, given, codes) => {
    expect(plan(given).problems.map(({ code }) => code)).toEqual(codes);
  });

  it("follows the table of moves for every pair of states (R162, C36)", () => {
    const statuses = fc.constantFrom(...todoStatuses);
    fc.assert(
      fc.property(statuses, statuses, (from, to) => {
        const before = from === "delegated" ? delegated("a") : item("a", { status: from });
        const workers = from === "delegated" ? [workerOf("a", { state: "running" })] : [];
        const { problems } = plan([{ ...delegated("a"), status: to }], [before], workers);
        expect(problems.some(({ code }) => code === "TASK_MOVE_REFUSED")).toBe(!canMoveTodo(from, to));
      }),
    );
  });

  it("delegates a task once, however often the list is sent (R175)", () => {
    expect(plan([delegated("a")]).handOut).toEqual([delegated("a")]);
    const running = [workerOf("a", { state: "running" })];
    expect(plan([delegated("a")], [delegated("a")], running)).toMatchObject({ handOut: [], problems: [] });
    expect(
      plan([delegated("a", { delegated_to: "flash1" })], [delegated("a")], running).problems,
    ).toMatchObject([{ code: "TASK_ALREADY_DELEGATED", message: expect.stringContaining("S-1-DEL-001") }]);
    // Killed before it was delegated: sending it again delegates it.
    expect(plan([delegated("a")], [delegated("a")]).handOut).toHaveLength(1);
  });

  it("gives a returned task to another worker, not to the same one by mistake (R188, R190)", () => {
    const ended = [workerOf("a", { state: "closed", outcome: "timed_out", code: "STALLED" })];
    const same = plan([delegated("a")], [delegated("a")], ended);
    expect(same).toMatchObject({ handOut: [], warnings: [expect.stringContaining("yours again")] });
    expect(plan([delegated("a", { delegated_to: "flash1" })], [delegated("a")], ended).handOut).toHaveLength(
      1,
    );
    expect(plan([delegated("a")], [item("a")], ended).handOut).toHaveLength(1);
  });

  it("takes a task back from a running worker, and has a completed worker's task verified (R173, R190)", () => {
    const running = [workerOf("a", { state: "running" })];
    expect(plan([{ id: "a", status: "pending" }], [delegated("a")], running).recalled).toMatchObject([
      { id: "a" },
    ]);
    const closed = [workerOf("a", { state: "closed", outcome: "completed" })];
    expect(plan([{ id: "a", status: "completed" }], [delegated("a")], closed)).toMatchObject({
      completing: [{ id: "a" }],
      recalled: [],
    });
  });

  it("says what a task cannot become (R162)", () => {
    expect(plan([item("a", { status: "completed" })]).problems).toEqual([
      {
        code: "TASK_MOVE_REFUSED",
        index: 0,
        message: "Task a cannot begin as completed; it begins as pending, in_progress or delegated",
      },
    ]);
    expect(plan([{ id: "a", status: "completed" }], [item("a")]).problems).toEqual([
      { code: "TASK_MOVE_REFUSED", index: 0, message: "Task a cannot go from pending to completed" },
    ]);
  });

  it("says how the worker of a returned task ended, and nothing of one that did it (R190)", () => {
    const ended = (outcome: "blocked" | "completed" | null) =>
      plan([delegated("a")], [delegated("a")], [workerOf("a", { state: "closed", outcome })]);
    expect(ended("blocked").warnings).toEqual([
      "Task a is yours again: S-1-DEL-001 ended blocked. Name another worker, or set it to pending and then to delegated, to hand it out again.",
    ]);
    expect(ended("completed")).toMatchObject({ warnings: [], handOut: [], recalled: [] });
    const other = plan(
      [delegated("a", { delegated_to: "flash1" })],
      [delegated("a")],
      [workerOf("a", { state: "closed", outcome: "completed" })],
    );
    expect(other.handOut).toEqual([]);
  });

  it.each([
    { content: "Do more" },
    { context: "with care" },
    { acceptance_criteria: ["`npm run lint` passes"] },
    { delegated_to: "flash1" },
  ])("hands a returned task out again if its work is another: %j (R188)", (change) => {
    const ended = [workerOf("a", { state: "closed", outcome: "failed" })];
    const update = plan([delegated("a", change)], [delegated("a")], ended);
    expect(update).toMatchObject({ handOut: [change], warnings: [], problems: [] });
    const priority = plan([delegated("a", { priority: "high" })], [delegated("a")], ended);
    expect(priority.handOut).toEqual([]);
  });

  it("takes no closed worker's task back, and counts only what a manager did itself as its work (R173)", () => {
    const closed = [workerOf("a", { state: "closed", outcome: "failed" })];
    expect(plan([{ id: "a", status: "pending" }], [delegated("a")], closed).recalled).toEqual([]);
    const begun = item("a", { status: "in_progress" });
    const own = plan([{ id: "a", status: "completed" }], [begun]);
    expect(own).toMatchObject({ ownWork: [{ id: "a", status: "completed" }], completing: [], recalled: [] });
    expect(plan([{ id: "a", status: "in_progress" }], [item("a")]).ownWork).toEqual([]);
    const done = item("a", { status: "completed" });
    expect(plan([done], [done]).ownWork).toEqual([]);
  });

  it("leaves out what is null or not there", () => {
    const known = item("a", { context: "why", result_summary: "so far" });
    expect(
      plan([{ id: "a", status: "in_progress", context: null, result_summary: undefined }], [known]).changed,
    ).toEqual([{ ...known, status: "in_progress" }]);
  });

  it("gives a task without an id one, and the same one again (C37)", () => {
    const legacy = { content: "Do it", activeForm: "Doing it", status: "pending" };
    const first = plan([legacy]);
    expect(first.warnings).toHaveLength(1);
    const [made] = first.changed;
    expect(made?.id).toMatch(/^migrated-/);
    const known = made === undefined ? [] : [made];
    expect(plan([{ ...legacy, status: "in_progress" }], known)).toMatchObject({
      warnings: [],
      changed: [{ id: made?.id, status: "in_progress" }],
    });
    expect(plan([{ ...legacy, content: "Other" }], known).warnings).toHaveLength(1);
    expect(plan([legacy], [item("a", { content: "Do it" })]).warnings).toHaveLength(1);
  });

  it("may fill the list up to its limit", () => {
    const many = Array.from({ length: MAX_TODOS - 1 }, (_, index) => item(`t${index}`));
    expect(plan([item("last")], many).problems).toEqual([]);
    expect(plan([item("last"), item("more")], many).problems).toEqual([
      { code: "TOO_LARGE", message: `The list would have ${MAX_TODOS + 1} tasks; at most ${MAX_TODOS}` },
    ]);
  });

  it("keeps the reason for a block until the task moves or an update changes it (C36)", () => {
    const blocked = item("a", { blocked: { reason: "no access" } });
    expect(plan([{ id: "a", context: "more" }], [blocked]).changed).toMatchObject([
      { blocked: { reason: "no access" } },
    ]);
    const [moved] = plan([{ id: "a", status: "in_progress" }], [blocked]).changed;
    expect(moved).not.toHaveProperty("blocked");
  });

  it("changes nothing about completed tasks, whatever a list says of them (R162)", () => {
    const before = item("a", { status: "completed", result_summary: "Done" });
    expect(plan([{ ...before, result_summary: "Other" }], [before]).changed).toEqual([]);
  });

  it("warns of criteria that cannot be measured (R177)", () => {
    const { warnings } = plan([delegated("a", { acceptance_criteria: ["Works correctly"] })]);
    expect(warnings).toEqual([
      expect.stringContaining('Task a: Criterion "Works correctly" cannot be measured'),
    ]);
  });

  it("ignores a session that a list names for a task", () => {
    const given = { ...delegated("a"), delegate_session_id: "sess_1700000000_forged" };
    expect(plan([given]).changed[0]).not.toHaveProperty("delegate_session_id");
  });
});
