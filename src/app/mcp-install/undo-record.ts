import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import type { SettingsPlaces } from "../../agents/agent-programs.ts";

const recordSchema = z.strictObject({
  file: z.string(),
  /** The whole file before the change; null if it did not exist. */
  before: z.string().nullable(),
  /** Hash of the file after the change. */
  after: z.string(),
  folders: z.array(z.string()),
});

/** A settings file before our change, so that it can be restored exactly. */
export interface UndoRecord {
  readonly file: string;
  readonly before: string | null;
  readonly folders: readonly string[];
}

/** Readable only by the user: settings of other programs may hold keys. */
export function writeUndoRecord(places: SettingsPlaces, record: UndoRecord, after: string): void {
  const path = recordPath(places, record.file);
  if (path === undefined) return;
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const content = { ...record, folders: [...record.folders], after: hashText(after) };
  writeFileSync(path, `${JSON.stringify(content)}\n`, { mode: 0o600 });
}

/** The record of a file, if the file has not been changed since. */
export function readUndoRecord(places: SettingsPlaces, file: string, now: string): UndoRecord | undefined {
  const path = recordPath(places, file);
  if (path === undefined) return undefined;
  try {
    const record = recordSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return record.file === file && record.after === hashText(now) ? record : undefined;
  } catch {
    // There is no usable record: then only the entry itself is removed.
    return undefined;
  }
}

export function dropUndoRecord(places: SettingsPlaces, file: string): void {
  const path = recordPath(places, file);
  if (path !== undefined) rmSync(path, { force: true });
}

function recordPath({ home, environment }: SettingsPlaces, file: string): string | undefined {
  const own = environment["XDG_STATE_HOME"] ?? "";
  const state = isAbsolute(own) ? own : home === undefined ? undefined : join(home, ".local", "state");
  return state === undefined
    ? undefined
    : join(state, "ambit", "mcp-install", `${hashText(file).slice(0, 32)}.json`);
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
