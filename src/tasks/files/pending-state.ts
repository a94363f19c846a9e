import { isRecord } from "../model/fields.ts";
import type { TaskPlace } from "./place.ts";
import { readTaskFile } from "./read-file.ts";

/**
 * A file as a reader should see it: while a change is being written, or after its process was killed, what the change
 * makes of it. Nothing is written here; the next change finishes it.
 */
export function readPending({ projectRoot, intent }: TaskPlace, path: string): string | undefined {
  const text = readTaskFile(projectRoot, path);
  const pending = readTaskFile("", intent);
  if (pending === undefined) return text;
  const steps = stepsOf(pending, path);
  return steps.some(({ before }) => before === hashOf(text)) ? steps.at(-1)?.text : text;
}

/** Loaded only here: most readings of the list need no hash, and this would be a quarter of their time. */
export function hashOf(text: string | undefined): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return text === undefined ? "" : createHash("sha256").update(text).digest("hex").slice(0, 32);
}

interface Step {
  readonly before: string;
  readonly text: string;
}

function stepsOf(intent: string, path: string): readonly Step[] {
  const value: unknown = JSON.parse(intent);
  const steps: readonly unknown[] = isRecord(value) && Array.isArray(value["steps"]) ? value["steps"] : [];
  return steps.flatMap((step) => {
    if (!isRecord(step) || step["path"] !== path) return [];
    const { before, text } = step;
    return typeof before === "string" && typeof text === "string" ? [{ before, text }] : [];
  });
}
