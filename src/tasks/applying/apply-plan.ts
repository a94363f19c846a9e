import { realpathSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { findExistingFolder } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";
import { taskErrors } from "../../errors/tasks.ts";
import type { Plan, PlanStep } from "../planning/plan.ts";
import type { TaskEffects, TaskJournal } from "../model/ports.ts";
import type { TaskPlace } from "../files/place.ts";
import { readTaskFile } from "../files/read-file.ts";
import type { TaskChange } from "../model/task-operation.ts";
import { buildIntent, renderIntent } from "./intent.ts";

export interface ApplyTools {
  readonly place: TaskPlace;
  readonly effects: TaskEffects;
  readonly journal: TaskJournal | undefined;
}

/**
 * Writes a plan. "changed meanwhile" means that another program wrote a file first and nothing was written: plan again.
 * If an effect fails, those before it are undone. If that fails too, the intent stays, and the next change finishes it.
 */
export async function applyPlan(
  { place, effects, journal }: ApplyTools,
  plan: Plan,
  changes: readonly TaskChange[],
): Promise<"applied" | "changed meanwhile"> {
  if (plan.steps.length === 0) return "applied";
  refuseOutside(place, plan);
  if (!isPlanCurrent(place, plan)) return "changed meanwhile";
  const id = `task-${randomBase36(16)}`;
  const intent = buildIntent(plan, { id, changes, isJournalled: journal !== undefined });
  effects.write(place.intent, renderIntent(intent));
  if (!runPlanSteps(place, plan.steps, effects)) {
    effects.remove(place.intent);
    return "changed meanwhile";
  }
  // The change is made now. If the journal fails, the intent stays and the journal gets the changes again later.
  if (changes.length > 0) await journal?.(changes, id);
  effects.remove(place.intent);
  return "applied";
}

export function toAbsolutePath({ projectRoot }: TaskPlace, path: string): string {
  return isAbsolute(path) ? path : join(projectRoot, path);
}

export function readStepFile(place: TaskPlace, path: string): string | undefined {
  return readTaskFile("", toAbsolutePath(place, path));
}

/** False, with everything undone, if another program changed a file in between. */
function runPlanSteps(place: TaskPlace, steps: readonly PlanStep[], effects: TaskEffects): boolean {
  const done: PlanStep[] = [];
  try {
    for (const step of steps) {
      const isEdited = step.kind === "write" && readStepFile(place, step.path) !== step.before;
      if (isEdited) {
        undoPlanSteps(place, done, effects);
        return false;
      }
      runPlanStep(place, step, effects);
      done.push(step);
    }
    return true;
  } catch (error) {
    undoOrLeave(place, done, effects);
    throw error;
  }
}

/** The caller reports the first error; if undoing fails too, the next change finishes the intent. */
function undoOrLeave(place: TaskPlace, done: readonly PlanStep[], effects: TaskEffects): void {
  try {
    undoPlanSteps(place, done, effects);
    effects.remove(place.intent);
  } catch {
    // The disk fails again; the intent has everything the next change needs.
  }
}

function runPlanStep(place: TaskPlace, step: PlanStep, effects: TaskEffects): void {
  if (step.kind === "write") effects.write(toAbsolutePath(place, step.path), step.after);
  else effects.move(toAbsolutePath(place, step.from), toAbsolutePath(place, step.to));
}

function undoPlanSteps(place: TaskPlace, done: readonly PlanStep[], effects: TaskEffects): void {
  for (const step of done.toReversed()) {
    if (step.kind === "move") effects.move(toAbsolutePath(place, step.to), toAbsolutePath(place, step.from));
    else if (step.before === undefined) effects.remove(toAbsolutePath(place, step.path));
    else effects.write(toAbsolutePath(place, step.path), step.before);
  }
}

/** Whether every file is still as it was when the plan was made. */
function isPlanCurrent(place: TaskPlace, { steps }: Plan): boolean {
  const first = new Map<string, string | undefined>();
  for (const step of steps) {
    if (step.kind === "write" && !first.has(step.path)) first.set(step.path, step.before);
  }
  return [...first].every(([path, before]) => readStepFile(place, path) === before);
}

/** A link out of the project would make us write outside of it. */
function refuseOutside(place: TaskPlace, { steps }: Plan): void {
  const root = realpathSync(place.projectRoot);
  for (const step of steps) {
    const path = step.kind === "write" ? step.path : step.to;
    if (isAbsolute(path)) continue;
    const real = realpathSync(findExistingFolder(toAbsolutePath(place, path)));
    if (real === root || real.startsWith(root + sep)) continue;
    throw taskErrors.fileOutside(path, real);
  }
}
