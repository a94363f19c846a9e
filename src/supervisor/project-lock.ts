import { rmSync, writeFileSync } from "node:fs";
import { DelegationError } from "../base/delegation-error.ts";
import { tryExclusiveLock } from "../base/exclusive-lock.ts";
import { prepareState } from "./prepare-state.ts";
import { describeOwner } from "./read-owner.ts";
import { supervisorFiles } from "./supervisor-files.ts";

export interface OwnedProject {
  release(): void;
}

/** Becomes the one owner of a project; refuses, with the owner named, while another process is it. */
export function ownProject(project: {
  readonly projectRoot: string;
  readonly version: string;
}): OwnedProject {
  const files = supervisorFiles(project.projectRoot);
  prepareState(project.projectRoot);
  const lock = tryExclusiveLock(files.lock);
  if (lock === undefined) throw alreadyOwned(files.owner);
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

/** Does something as the owner. */
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

function alreadyOwned(ownerFile: string): DelegationError {
  return new DelegationError({
    code: "SUPERVISOR_RUNNING",
    message: `Another supervisor owns this project: ${describeOwner(ownerFile)}.`,
    recommendation:
      "Use it: every ambit command in this project talks to it. Stop it with ambit supervisor stop.",
  });
}
