import { join } from "node:path";
import type { Criterion } from "../../contract/task.ts";
import type { TodoItem, TodoProblem } from "../../contract/todo-item.ts";
import type { Delegation } from "../../journal/store.ts";
import { readCriteria } from "../../verification/read-criteria.ts";
import { readCheckTrust } from "../checks/check-trust.ts";
import { pickCheckTools, runChecksOnCommit, type CommitChecks } from "../checks/run-on-commit.ts";
import { noteCheckRun } from "../delegation/attempt-files.ts";
import type { RunTools } from "../ports/run-tools.ts";

const MAX_CHECK_MS = 300_000;
const MAX_EVIDENCE_LENGTH = 600;

/**
 * Checks a manager's own work against its own criteria, as far as a program can, in a fresh checkout of its present work.
 * Other criteria rest on its word until its story's criteria are judged.
 */
export async function checkOwnWork(
  tools: RunTools,
  manager: Delegation,
  { todos, signal }: { readonly todos: readonly TodoItem[]; readonly signal: AbortSignal },
): Promise<readonly TodoProblem[]> {
  const { testCommand } = await tools.settings();
  const wanted = todos.map((todo) => ({
    todo,
    criteria: readCriteria(todo.acceptance_criteria ?? [], { testCommand, description: todo.content })
      .criteria.filter(({ check }) => check !== undefined && !("manual" in check))
      .map((criterion) => prefixCriterion(todo, criterion)),
  }));
  const criteria = wanted.flatMap((one) => one.criteria);
  const commit = manager.tip ?? manager.base;
  if (criteria.length === 0 || commit === null) return [];
  const failed = await runChecksOn(tools, manager, { commit, criteria, signal });
  return wanted.flatMap(({ todo, criteria: own }) => {
    const lines = own.flatMap(({ id }) => failed.get(id) ?? []);
    if (lines.length === 0) return [];
    const message = [`Task ${todo.id} is not proven by what you have now`, ...lines].join("\n");
    return [{ code: "TASK_NOT_VERIFIED", message }];
  });
}

/** Two tasks of one list may each have a first criterion. All of them are the manager's own words. */
function prefixCriterion({ id }: TodoItem, criterion: Criterion): Criterion {
  return { ...criterion, id: `${id}-${criterion.id}`, origin: "worker" };
}

async function runChecksOn(
  tools: RunTools,
  manager: Delegation,
  { commit, criteria, signal }: Pick<CommitChecks, "commit" | "criteria"> & { readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> {
  const { id, attempt, executionId, filesChanged, timeoutSeconds } = manager;
  const results = await runChecksOnCommit(await pickCheckTools(tools, manager.story), {
    id,
    commit,
    criteria,
    trust: await readCheckTrust(tools, manager),
    changedFiles: filesChanged,
    signal,
    logDirectory: join(tools.stateDirectory, "logs", id, `attempt-${attempt}`, "task-checks"),
    runId: `${executionId}-check`,
    checks: (await tools.settings()).checks,
    timeoutMs: Math.min(MAX_CHECK_MS, timeoutSeconds * 1000),
    onRun: (run) => noteCheckRun(tools.stateDirectory, manager, run),
  });
  return new Map(
    results
      .filter(({ verdict }) => verdict !== "passed")
      .map(({ criterion, verdict, evidence }) => [
        criterion.id,
        `- ${verdict}: ${criterion.text}: ${evidence.trim().slice(-MAX_EVIDENCE_LENGTH)}`,
      ]),
  );
}
