import { readFileSync, writeFileSync } from "node:fs";
import { isStillRunning, readIdentity, signalIfSame } from "../containment/process-identity.ts";

/** The process that holds a project's lock: a supervisor, or a command that runs a story itself. */
export interface ProjectOwner {
  readonly pid: number;
  readonly version: string;
  readonly started_at: string;
  /** Together with the pid it proves that a process is the one that wrote this. */
  readonly boot_id: string;
  readonly start_time: number;
}

/** Notes this process as the owner. The lock decides which process owns the project; the note only names it. */
export function writeOwner(file: string, version: string): void {
  const identity = readIdentity(process.pid);
  const owner: ProjectOwner = {
    pid: process.pid,
    version,
    started_at: new Date().toISOString(),
    boot_id: identity?.bootId ?? "",
    start_time: identity?.startTime ?? 0,
  };
  writeFileSync(file, JSON.stringify(owner), { mode: 0o600 });
}

/** The owner, if that very process still runs. A killed process leaves its note behind, and its pid may be reused. */
export function findOwner(file: string): ProjectOwner | undefined {
  const owner = readOwner(file);
  return owner !== undefined && isStillRunning(identify(owner)) ? owner : undefined;
}

/**
 * Kills the owner, which keeps the files that its workers have written. False if it is gone or belongs to another user.
 */
export function killOwner(owner: ProjectOwner): boolean {
  return signalIfSame(identify(owner), "SIGKILL");
}

export function describeOwner({ pid, version, started_at: since }: ProjectOwner): string {
  return `process ${pid}, ambit ${version}, since ${since}`;
}

/** Read by hand, because commands that start fast ask for it and load no schemas. */
function readOwner(file: string): ProjectOwner | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isOwner(owner) ? owner : undefined;
  } catch {
    // The note is not written yet, or only half of it.
    return undefined;
  }
}

function isOwner(value: unknown): value is ProjectOwner {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const hasAll = (names: readonly string[], type: string): boolean =>
    names.every((name) => typeof fields.get(name) === type);
  return hasAll(["pid", "start_time"], "number") && hasAll(["version", "started_at", "boot_id"], "string");
}

function identify({ boot_id: bootId, pid, start_time: startTime }: ProjectOwner) {
  return { bootId, pid, startTime };
}
