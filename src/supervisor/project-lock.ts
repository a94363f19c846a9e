import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DelegationError } from "../base/delegation-error.ts";
import { tryExclusiveLock } from "../base/exclusive-lock.ts";
import { describeOwner } from "./read-owner.ts";
import { supervisorFiles } from "./supervisor-files.ts";

/** Does something as the one owner of a project; refuses, with the owner named, while another process is it. */
export async function asProjectOwner<Result>(
  project: { readonly projectRoot: string; readonly version: string },
  action: () => Promise<Result>,
): Promise<Result> {
  const files = supervisorFiles(project.projectRoot);
  const lock = tryExclusiveLock(files.lock);
  if (lock === undefined) throw alreadyOwned(files.owner);
  try {
    mkdirSync(dirname(files.owner), { recursive: true, mode: 0o700 });
    const owner = { pid: process.pid, version: project.version, started_at: new Date().toISOString() };
    writeFileSync(files.owner, JSON.stringify(owner), { mode: 0o600 });
    return await action();
  } finally {
    rmSync(files.owner, { force: true });
    rmSync(files.socket, { force: true });
    lock.release();
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
