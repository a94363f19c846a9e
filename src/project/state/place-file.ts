import { lstatSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../../base/json.ts";
import { readRegularText, writeFileAtomically } from "../../base/files.ts";
import { randomBase36 } from "../../base/ids.ts";

/** The identity of a state folder, written inside it. A copy of the folder has the same text, but is another folder. */
export interface StatePlace {
  readonly id: string;
  /** Where the folder was when this was written. */
  readonly path: string;
  readonly inode: string;
  /** When the folder was made, in nanoseconds. */
  readonly born: string;
  /** The folder with the workspaces, once one was chosen. */
  readonly trees?: string | undefined;
  /** The folder with the homes of agents, once one was chosen; it is named after `id`. */
  readonly homes?: string | undefined;
}

const FILE = "place.json";

export function readPlace(directory: string): StatePlace | undefined {
  const text = readRegularText(join(directory, FILE));
  if (text === undefined) return undefined;
  const fields = parseJson(text);
  const [id, path, inode, born] = ["id", "path", "inode", "born"].map((name) => readField(fields, name));
  if (id === undefined || path === undefined || inode === undefined || born === undefined) return undefined;
  return { id, path, inode, born, trees: readField(fields, "trees"), homes: readField(fields, "homes") };
}

export function writePlace(directory: string, place: StatePlace): void {
  writeFileAtomically(join(directory, FILE), `${JSON.stringify({ version: 1, ...place })}\n`);
}

/** Describes a folder as it is now. */
export function describePlace(directory: string, id: string = randomBase36(16)): StatePlace {
  const { ino, birthtimeNs } = lstatSync(directory, { bigint: true });
  return { id, path: directory, inode: String(ino), born: String(birthtimeNs) };
}

/**
 * Whether the folder is the one its place file was written in: a moved folder keeps its inode; a restarted container may
 * number its inodes differently, but keeps path and birth. A copy has neither.
 */
export function isSameFolder(directory: string, place: StatePlace): boolean {
  const now = describePlace(directory, place.id);
  return now.inode === place.inode || (now.path === place.path && now.born === place.born);
}

function readField(fields: unknown, name: string): string | undefined {
  if (typeof fields !== "object" || fields === null) return undefined;
  const value: unknown = Object.entries(fields).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : undefined;
}
