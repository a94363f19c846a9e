import { hashFileText } from "../files/pending-state.ts";
import type { Plan } from "../planning/plan.ts";
import { isRecord } from "../../base/json.ts";
import { toList } from "../model/fields.ts";
import { readTaskFile } from "../files/read-file.ts";
import type { TaskChange } from "../model/task-operation.ts";

/** The note of a change that is being written. It exists from before the first effect until after the last. */
export interface Intent {
  readonly id: string;
  readonly changes: readonly TaskChange[];
  readonly steps: readonly IntentStep[];
  readonly moved: readonly string[];
  /** Whether the journal must record the changes. */
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
        : { kind: "write", path: step.path, before: hashFileText(step.before), text: step.after },
    ),
  };
}

export function renderIntent(intent: Intent): string {
  return JSON.stringify({ version: 1, ...intent });
}

/** Undefined if there is none. It is written whole, so any other content is an error. */
export function readIntentFile(file: string): Intent | undefined {
  const text = readTaskFile("", file);
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || value["version"] !== 1)
    throw new TypeError(`${file} is not an intent of this version`);
  const { id, moved, steps, changes } = value;
  return {
    id: typeof id === "string" ? id : "",
    moved: toList(moved).filter((item) => typeof item === "string"),
    steps: toList(steps).filter(isIntentStep),
    changes: toList(changes).filter(isTaskChange),
    isJournalled: value["isJournalled"] === true,
  };
}

function isIntentStep(value: unknown): value is IntentStep {
  if (!isRecord(value)) return false;
  if (value["kind"] === "move") return typeof value["from"] === "string" && typeof value["to"] === "string";
  return [value["path"], value["before"], value["text"]].every((item) => typeof item === "string");
}

function isTaskChange(value: unknown): value is TaskChange {
  return isRecord(value) && typeof value["taskId"] === "string" && isRecord(value["fields"]);
}
