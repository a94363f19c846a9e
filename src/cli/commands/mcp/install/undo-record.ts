import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import type { SettingsPlaces } from "../../../../agents/agent-programs.ts";

const recordSchema = z.strictObject({
  file: z.string(),
  /** The whole file as it was; null where there was none. */
  before: z.string().nullable(),
  /** What it was made into. */
  after: z.string(),
  folders: z.array(z.string()),
});

/** What a settings file was before it was changed here, so that it can be exactly that again. */
export interface UndoRecord {
  readonly file: string;
  readonly before: string | null;
  readonly folders: readonly string[];
}

/** Kept where nobody else can read it: settings of other programs may hold keys. */
export function writeUndoRecord(places: SettingsPlaces, record: UndoRecord, after: string): void {
  const path = recordPath(places, record.file);
  if (path === undefined) return;
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const content = { ...record, folders: [...record.folders], after: hashOf(after) };
  writeFileSync(path, `${JSON.stringify(content)}\n`, { mode: 0o600 });
}

/** The record of a file that has not been changed by anybody since. */
export function readUndoRecord(places: SettingsPlaces, file: string, now: string): UndoRecord | undefined {
  const path = recordPath(places, file);
  if (path === undefined) return undefined;
  try {
    const record = recordSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return record.file === file && record.after === hashOf(now) ? record : undefined;
  } catch {
    // None, or not one of ours: then only the entry itself is taken out.
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
    : join(state, "ambit", "mcp-install", `${hashOf(file).slice(0, 32)}.json`);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
