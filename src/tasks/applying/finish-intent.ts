import { existsSync } from "node:fs";
import { taskErrors } from "../../errors/tasks.ts";
import { hashOf } from "../files/pending-state.ts";
import { type ApplyTools, fileOf, readStep } from "./apply-plan.ts";
import { type Intent, type IntentStep, readIntent } from "./intent.ts";

/** "merge": others changed files meanwhile; the tasks it moved may be in both lists, and the intent is still there. */
export type FinishedIntent =
  | { readonly kind: "none" }
  | { readonly kind: "merge"; readonly moved: readonly string[] };

/**
 * Finishes what a killed process had begun. A file that is still as it was gets its new content; one that a person or
 * another branch changed since then is left alone, and the change is told to the journal by comparison instead.
 */
export async function finishIntent(tools: ApplyTools): Promise<FinishedIntent> {
  const { place, effects, journal } = tools;
  const intent = readIntent(place.intent);
  if (intent === undefined) return { kind: "none" };
  if (intent.isJournalled && journal === undefined) throw taskErrors.journalNeeded(place.intent);
  const states = intent.steps.map((step) => stateOf(tools, intent, step));
  // Our own record is written last: once it is there, whatever else differs was changed afterwards.
  const isRecorded = states.at(-1) === "done" && isOwn(intent.steps.at(-1));
  if (!isRecorded && states.includes("edited")) {
    finishAround(tools, intent, states);
    return { kind: "merge", moved: intent.moved };
  }
  for (const [index, step] of intent.steps.entries()) {
    if (!isRecorded && states[index] === "open") run(tools, step);
  }
  if (intent.changes.length > 0) await journal?.(intent.changes, intent.id);
  effects.remove(place.intent);
  return { kind: "none" };
}

type StepState = "open" | "done" | "edited";

function stateOf({ place }: ApplyTools, { steps }: Intent, step: IntentStep): StepState {
  if (step.kind === "move") {
    const isThere = existsSync(fileOf(place, step.from));
    return isThere && !existsSync(fileOf(place, step.to)) ? "open" : "done";
  }
  const writes = steps.filter((other) => other.kind === "write" && other.path === step.path);
  const contents = writes.flatMap((other) =>
    other.kind === "write" ? [other.before, hashOf(other.text)] : [],
  );
  const at = contents.lastIndexOf(hashOf(readStep(place, step.path)));
  if (at === -1) return "edited";
  return at > writes.indexOf(step) * 2 ? "done" : "open";
}

/** Our own record is the only file with an absolute path. */
function isOwn(step: IntentStep | undefined): boolean {
  return step?.kind === "write" && step.path.startsWith("/");
}

/**
 * Some file was changed by others. Where nothing of ours is on the disk yet, nothing happened; else the files that are
 * as they were follow, and our own record stays behind, so that the next comparison finds all the differences.
 */
function finishAround(tools: ApplyTools, { steps }: Intent, states: readonly StepState[]): void {
  if (!states.includes("done")) return;
  for (const [index, step] of steps.entries()) {
    if (states[index] === "open" && !isOwn(step)) run(tools, step);
  }
}

function run({ place, effects }: ApplyTools, step: IntentStep): void {
  if (step.kind === "write") effects.write(fileOf(place, step.path), step.text);
  else effects.move(fileOf(place, step.from), fileOf(place, step.to));
}
