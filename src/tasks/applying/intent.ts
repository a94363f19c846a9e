import { hashOf } from "../files/pending-state.ts";
import type { Plan } from "../planning/plan.ts";
import { isRecord } from "../model/fields.ts";
import { readTaskFile } from "../files/read-file.ts";
import type { TaskChange } from "../model/task-operation.ts";

/** Written before the first effect of a change and removed after its last: what a killed process was about to do. */
export interface Intent {
  readonly id: string;
  readonly changes: readonly TaskChange[];
  readonly steps: readonly IntentStep[];
  readonly moved: readonly string[];
  /** Whether a journal has to hear of it. */
  readonly isJournalled: boolean;
}

export type IntentStep =
  | { readonly kind: "write"; readonly path: string; readonly before: string; readonly text: string }
  | { readonly kind: "move"; readonly from: string; readonly to: string };

export function buildIntent(
  { steps, moved }: Plan,
  facts: Pick<Intent, "id" | "changes" | "isJournalled">,
): Intent {
  return {
    ...facts,
    moved,
    steps: steps.map((step) =>
      step.kind === "move"
        ? step
        : { kind: "write", path: step.path, before: hashOf(step.before), text: step.after },
    ),
  };
}

export function renderIntent(intent: Intent): string {
  return JSON.stringify({ version: 1, ...intent });
}

/** Undefined where there is none. It was written whole, so whatever else is there is not ours. */
export function readIntent(file: string): Intent | undefined {
  const text = readTaskFile("", file);
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || value["version"] !== 1) throw new TypeError(`${file} is no intent of this version`);
  const { id, moved, steps, changes } = value;
  return {
    id: typeof id === "string" ? id : "",
    moved: listOf(moved).filter((item) => typeof item === "string"),
    steps: listOf(steps).filter(isStep),
    changes: listOf(changes).filter(isChange),
    isJournalled: value["isJournalled"] === true,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isStep(value: unknown): value is IntentStep {
  if (!isRecord(value)) return false;
  if (value["kind"] === "move") return typeof value["from"] === "string" && typeof value["to"] === "string";
  return [value["path"], value["before"], value["text"]].every((item) => typeof item === "string");
}

function isChange(value: unknown): value is TaskChange {
  return isRecord(value) && typeof value["taskId"] === "string" && isRecord(value["fields"]);
}
