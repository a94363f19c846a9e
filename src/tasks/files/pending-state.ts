import { isRecord } from "../../base/json.ts";
import { toList } from "../model/fields.ts";
import type { TaskPlace } from "./place.ts";
import { readTaskFile } from "./read-file.ts";

/**
 * A file as readers should see it. While a change is being written, or after its process was killed, that is the new
 * content. Nothing is written here; the next change finishes it.
 */
export function readPendingFile({ projectRoot, intent }: TaskPlace, path: string): string | undefined {
  const text = readTaskFile(projectRoot, path);
  const pending = readTaskFile("", intent);
  if (pending === undefined) return text;
  const steps = readIntentSteps(pending, path);
  return steps.some(({ before }) => before === hashFileText(text)) ? steps.at(-1)?.text : text;
}

/** The module is loaded on demand: most reads need no hash, and loading it would be a quarter of their time. */
export function hashFileText(text: string | undefined): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return text === undefined ? "" : createHash("sha256").update(text).digest("hex").slice(0, 32);
}

interface Step {
  readonly before: string;
  readonly text: string;
}

function readIntentSteps(intent: string, path: string): readonly Step[] {
  const value: unknown = JSON.parse(intent);
  return toList(isRecord(value) ? value["steps"] : undefined).flatMap((step) => {
    if (!isRecord(step) || step["path"] !== path) return [];
    const { before, text } = step;
    return typeof before === "string" && typeof text === "string" ? [{ before, text }] : [];
  });
}
