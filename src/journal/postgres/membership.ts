import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegularText, writeFileAtomically } from "../../base/files.ts";

/** The file next to the store that says which journal in the cluster these tables are made from. */
function membershipFile(storeFile: string): string {
  return join(dirname(storeFile), "cluster.json");
}

/** The content of that file. */
export interface Membership {
  readonly project: string;
  /** The id of this machine, made when it joined. */
  readonly machine: string;
}

/** Returns undefined for an embedded store. */
export function readMembership(storeFile: string): Membership | undefined {
  const text = readRegularText(membershipFile(storeFile));
  return text === undefined ? undefined : parseMembership(text);
}

/** An unreadable file names no project, and no cluster has one without a name. */
function parseMembership(text: string): Membership {
  const fields = parseFields(text);
  return { project: readField(fields, "project"), machine: readField(fields, "machine") };
}

function parseFields(text: string): ReadonlyMap<string, unknown> {
  try {
    const fields: unknown = JSON.parse(text);
    return new Map(typeof fields === "object" && fields !== null ? Object.entries(fields) : []);
  } catch {
    return new Map();
  }
}

function readField(fields: ReadonlyMap<string, unknown>, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
}

/** Keeps the machine's id if it has one. */
export function writeMembership(storeFile: string, project: string): Membership {
  const membership = { project, machine: readMembership(storeFile)?.machine || randomUUID() };
  const text = `${JSON.stringify({ version: 1, ...membership })}\n`;
  mkdirSync(dirname(storeFile), { recursive: true, mode: 0o700 });
  writeFileAtomically(membershipFile(storeFile), text, { isDurable: true });
  return membership;
}

export function removeMembership(storeFile: string): void {
  rmSync(membershipFile(storeFile), { force: true });
}
