import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";
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
 * Writes a plan. "changed meanwhile" means that an editor was quicker than us and nothing was written: plan again.
 * When an effect fails, those before it are undone; when that fails too, the intent stays and the next change finishes
 * what it says.
 */
export async function applyPlan(
  { place, effects, journal }: ApplyTools,
  plan: Plan,
  changes: readonly TaskChange[],
): Promise<"applied" | "changed meanwhile"> {
  if (plan.steps.length === 0) return "applied";
  refuseOutside(place, plan);
  if (!isUnchanged(place, plan)) return "changed meanwhile";
  const id = `task-${randomBase36(16)}`;
  const intent = buildIntent(plan, { id, changes, isJournalled: journal !== undefined });
  effects.write(place.intent, renderIntent(intent));
  if (!runSteps(place, plan.steps, effects)) {
    effects.remove(place.intent);
    return "changed meanwhile";
  }
  // From here on the change is made: without an answer from the journal the intent stays, and is told to it again.
  if (changes.length > 0) await journal?.(changes, id);
  effects.remove(place.intent);
  return "applied";
}

export function fileOf({ projectRoot }: TaskPlace, path: string): string {
  return isAbsolute(path) ? path : join(projectRoot, path);
}

export function readStep(place: TaskPlace, path: string): string | undefined {
  return readTaskFile("", fileOf(place, path));
}

/** False, with everything undone, when TODO.md changed under our hands. */
function runSteps(place: TaskPlace, steps: readonly PlanStep[], effects: TaskEffects): boolean {
  const done: PlanStep[] = [];
  try {
    for (const step of steps) {
      const isEdited = step.kind === "write" && readStep(place, step.path) !== step.before;
      if (isEdited) {
        undo(place, done, effects);
        return false;
      }
      runStep(place, step, effects);
      done.push(step);
    }
    return true;
  } catch (error) {
    undoOrLeave(place, done, effects);
    throw error;
  }
}

/** What went wrong first is what is told; an intent that could not be undone is finished by the next change. */
function undoOrLeave(place: TaskPlace, done: readonly PlanStep[], effects: TaskEffects): void {
  try {
    undo(place, done, effects);
    effects.remove(place.intent);
  } catch {
    // The disk refuses this as well; the intent says all that is needed.
  }
}

function runStep(place: TaskPlace, step: PlanStep, effects: TaskEffects): void {
  if (step.kind === "write") effects.write(fileOf(place, step.path), step.after);
  else effects.move(fileOf(place, step.from), fileOf(place, step.to));
}

function undo(place: TaskPlace, done: readonly PlanStep[], effects: TaskEffects): void {
  for (const step of done.toReversed()) {
    if (step.kind === "move") effects.move(fileOf(place, step.to), fileOf(place, step.from));
    else if (step.before === undefined) effects.remove(fileOf(place, step.path));
    else effects.write(fileOf(place, step.path), step.before);
  }
}

/** Whether every file is still what the plan was made from. */
function isUnchanged(place: TaskPlace, { steps }: Plan): boolean {
  const first = new Map<string, string | undefined>();
  for (const step of steps) {
    if (step.kind === "write" && !first.has(step.path)) first.set(step.path, step.before);
  }
  return [...first].every(([path, before]) => readStep(place, path) === before);
}

/** A link that leads out of the project would have us write where nobody asked us to. */
function refuseOutside(place: TaskPlace, { steps }: Plan): void {
  const root = realpathSync(place.projectRoot);
  for (const step of steps) {
    const path = step.kind === "write" ? step.path : step.to;
    if (isAbsolute(path)) continue;
    const real = realpathSync(nearest(fileOf(place, path)));
    if (real === root || real.startsWith(root + sep)) continue;
    throw taskErrors.fileOutside(path, real);
  }
}

function nearest(file: string): string {
  let at = file;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}
