import { rmSync } from "node:fs";
import { tryExclusiveLock } from "../base/exclusive-lock.ts";
import { supervisorErrors } from "../errors/supervisor.ts";
import { describeOwner, findOwner, removeOwner, writeOwner } from "./project-owner.ts";
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
  if (lock === undefined) {
    const owner = findOwner(files.owner);
    throw supervisorErrors.alreadyOwned(owner === undefined ? "unknown" : describeOwner(owner));
  }
  writeOwner(files.owner, project.version);
  return {
    release: () => {
      removeOwner(files.owner);
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
