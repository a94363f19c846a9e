import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../base/clock.ts";
import { taskErrors } from "../../errors/tasks.ts";
import { mergeHandEdits } from "../merging/merge-edits.ts";
import { recordImports } from "../merging/record-imports.ts";
import { renderConflict, resolveConflicts } from "../merging/resolve-conflicts.ts";
import type { Operation, Outcome } from "../operations/outcome.ts";
import { refreshTasks } from "../operations/sync-tasks.ts";
import { Draft } from "../planning/draft.ts";
import { buildPlan, type Plan } from "../planning/plan.ts";
import { readSources } from "../planning/sources.ts";
import type { GitDates } from "../model/ports.ts";
import { viewTask } from "../model/view-task.ts";
import type { TaskConflict, TaskOperation } from "../model/task-operation.ts";
import { tryExclusiveLock } from "../../base/exclusive-lock.ts";
import { applyPlan, type ApplyTools } from "./apply-plan.ts";
import { finishIntent } from "./finish-intent.ts";

const MAX_WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 50;

export interface OperationTools extends ApplyTools {
  readonly clock: Clock;
  readonly gitDates: GitDates | undefined;
}

export interface OperationMode {
  readonly dryRun: boolean;
  readonly continueOnError: boolean;
}

/** How often an editor that keeps saving can make us start again. */
const MAX_ATTEMPTS = 5;

/** Runs one operation under the lock: finish the last change, import hand edits, plan, write, record in the journal. */
export async function runOperation(
  tools: OperationTools,
  operation: Operation,
  mode: OperationMode,
): Promise<TaskOperation> {
  return holdTaskLock(tools.place.lock, tools.clock, async () => {
    const left = await finishIntent(tools);
    if (left.kind === "merge") await mergeInterrupted(tools, new Set(left.moved));
    return attemptOperation(tools, operation, { ...mode, halfMoved: new Set() });
  });
}

/** Merges the files after an interrupted change, then removes its intent. */
async function mergeInterrupted(tools: OperationTools, halfMoved: ReadonlySet<string>): Promise<void> {
  await attemptOperation(tools, refreshTasks, { dryRun: false, continueOnError: false, halfMoved });
  tools.effects.remove(tools.place.intent);
}

interface Attempt extends OperationMode {
  readonly halfMoved: ReadonlySet<string>;
}

async function attemptOperation(
  tools: OperationTools,
  operation: Operation,
  mode: Attempt,
): Promise<TaskOperation> {
  for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
    const planned = await planOperation(tools, operation, mode.halfMoved);
    if (isOutcomeRefused(planned.outcome, mode))
      return describeOperation({ ...planned, plan: undefined, operation, mode });
    const plan = buildPlan(planned.draft);
    const { imported, changes } = planned.draft;
    const isDone = mode.dryRun || (await applyPlan(tools, plan, [...imported, ...changes])) === "applied";
    if (isDone) return describeOperation({ ...planned, plan, operation, mode });
  }
  const { todo, state } = tools.place.paths;
  throw taskErrors.filesKeepChanging(todo, state, MAX_ATTEMPTS);
}

interface Planned {
  readonly draft: Draft;
  readonly outcome: Outcome;
  readonly conflicts: readonly TaskConflict[];
}

async function planOperation(
  tools: OperationTools,
  operation: Operation,
  halfMoved: ReadonlySet<string>,
): Promise<Planned> {
  const sources = readSources(tools.place);
  const draft = new Draft(sources, formatTime(tools.clock));
  const isSynced = operation.synced?.(sources) ?? (() => false);
  const disagreements = mergeHandEdits(draft, { isSynced, halfMoved });
  const conflicts = await resolveConflicts(draft, disagreements, tools.gitDates);
  recordImports(draft);
  return { draft, outcome: operation.plan(draft), conflicts };
}

/** The time in seconds, as other tools write it. */
function formatTime(clock: Clock): string {
  return `${new Date(clock.wallMs()).toISOString().slice(0, "2026-01-07T10:00:00".length)}Z`;
}

function isOutcomeRefused({ failures, succeeded }: Outcome, { continueOnError }: OperationMode): boolean {
  return failures.length > 0 && (!continueOnError || succeeded.length === 0);
}

interface ResultFacts extends Planned {
  readonly plan: Plan | undefined;
  readonly operation: Operation;
  readonly mode: OperationMode;
}

function describeOperation({ draft, outcome, conflicts, plan, operation, mode }: ResultFacts): TaskOperation {
  const { taskIds, failures, division } = outcome;
  const succeeded = plan === undefined ? [] : outcome.succeeded;
  const whole = failures.length === 0 ? "completed" : "partial";
  return {
    operation: operation.name,
    status: plan === undefined ? "failed" : whole,
    dryRun: mode.dryRun,
    summary: summarizeOutcome(outcome, { isRefused: plan === undefined, conflicts: conflicts.length }),
    taskIds,
    succeeded,
    failures,
    tasks: succeeded.flatMap((id) => {
      const active = draft.findActive(id);
      const raw = active ?? draft.findArchived(id);
      return raw === undefined ? [] : [viewTask({ id, raw, archived: active === undefined })];
    }),
    filesUpdated: plan?.filesUpdated ?? [],
    changes: plan === undefined ? [] : draft.changes,
    imported: plan === undefined ? [] : draft.imported,
    conflicts: plan === undefined ? [] : conflicts,
    log: plan === undefined ? [] : conflicts.map(renderConflict),
    warnings: draft.warnings,
    ...(division === undefined ? {} : { division }),
  };
}

function summarizeOutcome(
  { summary, failures, division }: Outcome,
  { isRefused, conflicts }: { readonly isRefused: boolean; readonly conflicts: number },
): string {
  const [first] = failures;
  if (!isRefused || first === undefined || division !== undefined) return summary(conflicts);
  const others = failures.length === 1 ? "" : `, and ${failures.length - 1} more`;
  return `Nothing was changed: ${first.message}${others}`;
}

/** Runs `work` while no other process can change the tasks of this project. */
async function holdTaskLock<Result>(
  file: string,
  clock: Clock,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = clock.monotonicMs() + MAX_WAIT_MS;
  let pause = FIRST_PAUSE_MS;
  let lock = tryExclusiveLock(file);
  while (lock === undefined) {
    if (clock.monotonicMs() > deadline) throw taskErrors.storeLocked(file, MAX_WAIT_MS);
    await wait(pause);
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
    lock = tryExclusiveLock(file);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
