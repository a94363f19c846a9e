import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tryExclusiveLock } from "../base/exclusive-lock.ts";
import { supervisorErrors } from "../errors/supervisor.ts";
import { prepareState } from "./state/prepare-state.ts";
import { supervisorFiles } from "./supervisor-files.ts";

export interface OwnedProject {
  release(): void;
}

/** Becomes the owner of a project. Refuses, and names the owner, while another process owns it. */
export function ownProject(project: {
  readonly projectRoot: string;
  readonly version: string;
}): OwnedProject {
  const files = supervisorFiles(project.projectRoot);
  prepareState(project.projectRoot);
  const lock = tryExclusiveLock(files.lock);
  if (lock === undefined) throw supervisorErrors.alreadyOwned(describeOwner(files.owner));
  const owner = { pid: process.pid, version: project.version, started_at: new Date().toISOString() };
  writeFileSync(files.owner, JSON.stringify(owner), { mode: 0o600 });
  return {
    release: () => {
      rmSync(files.owner, { force: true });
      rmSync(files.socket, { force: true });
      rmSync(files.workerSocket, { force: true });
      lock.release();
    },
  };
}

/** Owns the project for the time of an action. */
export async function asProjectOwner<Result>(
  project: { readonly projectRoot: string; readonly version: string },
  action: () => Promise<Result>,
): Promise<Result> {
  const owned = ownProject(project);
  try {
    return await action();
  } finally {
    owned.release();
  }
}

/** The owner file in words. It is only shown; the lock decides who owns the project. */
function describeOwner(file: string): string {
  try {
    const owner: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof owner !== "object" || owner === null) return "unknown";
    const fields = new Map<string, unknown>(Object.entries(owner));
    const word = (name: string): string => JSON.stringify(fields.get(name)) ?? "unknown";
    return `process ${word("pid")}, ambit ${word("version")}, since ${word("started_at")}`;
  } catch {
    // Not written yet, or only half of it: all we know is that the lock is held.
    return "unknown";
  }
}
