import { rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readRegularText, writeFileAtomically } from "../../base/files.ts";
import { isObjectId } from "../git/read-head.ts";

const noteSchema = z.strictObject({ version: z.literal(1), to: z.string().refine(isObjectId) });

/** Records the target of an advance before the first file changes, in a folder that no worker can reach. */
export function writeNote(folder: string, to: string): void {
  writeFileAtomically(noteIn(folder), `${JSON.stringify({ version: 1, to })}\n`);
}

/** Returns the target of a killed advance, or undefined. */
export function readNote(folder: string): string | undefined {
  const text = readRegularText(noteIn(folder));
  return text === undefined ? undefined : noteSchema.parse(JSON.parse(text)).to;
}

export function dropNote(folder: string): void {
  rmSync(noteIn(folder), { force: true });
}

function noteIn(folder: string): string {
  return join(folder, "advance.json");
}
