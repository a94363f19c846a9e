import { rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readRegularText, writeFileAtomically } from "../../base/files.ts";
import { isObjectId } from "../git/read-head.ts";

const noteSchema = z.strictObject({ version: z.literal(1), to: z.string().refine(isObjectId) });

/** Records the target of an advance before the first file changes, in a folder that no worker can reach. */
export function writeAdvanceNote(folder: string, to: string): void {
  writeFileAtomically(advanceNotePath(folder), `${JSON.stringify({ version: 1, to })}\n`);
}

/** Returns the target of a killed advance, or undefined. */
export function readAdvanceNote(folder: string): string | undefined {
  const text = readRegularText(advanceNotePath(folder));
  return text === undefined ? undefined : noteSchema.parse(JSON.parse(text)).to;
}

export function removeAdvanceNote(folder: string): void {
  rmSync(advanceNotePath(folder), { force: true });
}

function advanceNotePath(folder: string): string {
  return join(folder, "advance.json");
}
