import { existsSync } from "node:fs";
import { taskErrors } from "../../errors/tasks.ts";
import { hashFileText } from "../files/pending-state.ts";
import { type ApplyTools, toAbsolutePath, readStepFile } from "./apply-plan.ts";
import { type Intent, type IntentStep, readIntentFile } from "./intent.ts";

/** "merge": another program changed files since; moved tasks may be in both lists, and the intent still exists. */
export type FinishedIntent =
  | { readonly kind: "none" }
  | { readonly kind: "merge"; readonly moved: readonly string[] };

/**
 * Finishes the change of a killed process. An unchanged file gets its new content. A file that a person or another
 * branch changed since is not touched; the next comparison records the change in the journal instead.
 */
export async function finishIntent(tools: ApplyTools): Promise<FinishedIntent> {
  const { place, effects, journal } = tools;
  const intent = readIntentFile(place.intent);
  if (intent === undefined) return { kind: "none" };
  if (intent.isJournalled && journal === undefined) throw taskErrors.journalNeeded(place.intent);
  const states = intent.steps.map((step) => readStepState(tools, intent, step));
  // The agreed record is written last: if it is there, other programs made all remaining differences afterwards.
  const isRecorded = states.at(-1) === "done" && isOwnRecord(intent.steps.at(-1));
  if (!isRecorded && states.includes("edited")) {
    finishAround(tools, intent, states);
    return { kind: "merge", moved: intent.moved };
  }
  for (const [index, step] of intent.steps.entries()) {
    if (!isRecorded && states[index] === "open") runIntentStep(tools, step);
  }
  if (intent.changes.length > 0) await journal?.(intent.changes, intent.id);
  effects.remove(place.intent);
  return { kind: "none" };
}

type StepState = "open" | "done" | "edited";

function readStepState({ place }: ApplyTools, { steps }: Intent, step: IntentStep): StepState {
  if (step.kind === "move") {
    const isThere = existsSync(toAbsolutePath(place, step.from));
    return isThere && !existsSync(toAbsolutePath(place, step.to)) ? "open" : "done";
  }
  const writes = steps.filter((other) => other.kind === "write" && other.path === step.path);
  const contents = writes.flatMap((other) =>
    other.kind === "write" ? [other.before, hashFileText(other.text)] : [],
  );
  const at = contents.lastIndexOf(hashFileText(readStepFile(place, step.path)));
  if (at === -1) return "edited";
  return at > writes.indexOf(step) * 2 ? "done" : "open";
}

/** The agreed record is the only file with an absolute path. */
function isOwnRecord(step: IntentStep | undefined): boolean {
  return step?.kind === "write" && step.path.startsWith("/");
}

/**
 * Another program changed a file. If nothing of the change is on the disk yet, it is dropped. Otherwise the unchanged
 * files are written, but not the agreed record, so that the next comparison finds all differences.
 */
function finishAround(tools: ApplyTools, { steps }: Intent, states: readonly StepState[]): void {
  if (!states.includes("done")) return;
  for (const [index, step] of steps.entries()) {
    if (states[index] === "open" && !isOwnRecord(step)) runIntentStep(tools, step);
  }
}

function runIntentStep({ place, effects }: ApplyTools, step: IntentStep): void {
  if (step.kind === "write") effects.write(toAbsolutePath(place, step.path), step.text);
  else effects.move(toAbsolutePath(place, step.from), toAbsolutePath(place, step.to));
}
