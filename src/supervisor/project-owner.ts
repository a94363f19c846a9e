import { readFileSync, rmSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { isStillRunning, readIdentity, signalIfSame } from "../containment/process-identity.ts";

const ownerSchema = z.looseObject({
  pid: z.int(),
  version: z.string(),
  started_at: z.string(),
  /** Proves together with the pid that a process is the one that wrote this. */
  boot_id: z.string(),
  start_time: z.number(),
});

/** The process that holds a project's lock: a supervisor, or a command that runs a story itself. */
export type ProjectOwner = Readonly<z.infer<typeof ownerSchema>>;

/** Notes this process as the owner. The lock decides who owns the project; the note only says who that is. */
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

export function removeOwner(file: string): void {
  rmSync(file, { force: true });
}

/** The owner, if that very process still runs. A killed one leaves its note behind, and its number may be given again. */
export function findOwner(file: string): ProjectOwner | undefined {
  const owner = readOwner(file);
  return owner !== undefined && isStillRunning(identify(owner)) ? owner : undefined;
}

/** Kills the owner, which keeps what its workers have written. False if it is gone or is not this user's. */
export function killOwner(owner: ProjectOwner): boolean {
  return signalIfSame(identify(owner), "SIGKILL");
}

export function describeOwner({ pid, version, started_at: since }: ProjectOwner): string {
  return `process ${pid}, ambit ${version}, since ${since}`;
}

function readOwner(file: string): ProjectOwner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // Not written yet, or only half of it.
    return undefined;
  }
}

function identify({ boot_id: bootId, pid, start_time: startTime }: ProjectOwner) {
  return { bootId, pid, startTime };
}
