import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type ExclusiveLock, tryExclusiveLock } from "../base/exclusive-lock.ts";
import { hasErrorCode } from "../base/files.ts";
import { supervisorErrors } from "../errors/supervisor.ts";
import { describeOwner, findOwner, writeOwner } from "./project-owner.ts";
import { prepareState } from "./state/prepare-state.ts";
import { type SupervisorFiles, supervisorFiles } from "./supervisor-files.ts";

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
  const locks = takeLocks(files);
  if (locks === undefined) {
    const owner = findOwner(files.owner);
    throw supervisorErrors.alreadyOwned(owner === undefined ? "unknown" : describeOwner(owner));
  }
  writeOwner(files.owner, project.version);
  return {
    release: () => {
      // If our folder was removed, the files at these paths may be those of the next owner.
      if (findOwner(files.owner)?.pid === process.pid)
        for (const file of [files.owner, files.socket, files.workerSocket]) rmSync(file, { force: true });
      rmSync(files.outerLock, { force: true });
      for (const lock of locks) lock.release();
    },
  };
}

function takeLocks(files: SupervisorFiles): readonly ExclusiveLock[] | undefined {
  const inner = tryExclusiveLock(files.lock);
  const outer = inner === undefined ? undefined : tryExclusiveLock(files.outerLock);
  if (outer !== undefined && inner !== undefined) return [outer, inner];
  inner?.release();
  return undefined;
}

/** Owns the project for the time of an action. */
export async function asProjectOwner<Result>(
  project: { readonly projectRoot: string; readonly version: string },
  action: () => Promise<Result>,
): Promise<Result> {
  const owned = await ownFreedProject(project);
  try {
    return await action();
  } finally {
    owned.release();
  }
}

const FREEING_MS = 2000;
const LOOK_MS = 20;

/** A process that leaves removes its note first; a moment later the project is free. */
async function ownFreedProject(project: Parameters<typeof ownProject>[0]): Promise<OwnedProject> {
  const giveUpAt = performance.now() + FREEING_MS;
  for (;;) {
    try {
      return ownProject(project);
    } catch (error) {
      const isOwned = findOwner(supervisorFiles(project.projectRoot).owner) !== undefined;
      if (isOwned || !hasErrorCode(error, "SUPERVISOR_RUNNING") || performance.now() > giveUpAt) throw error;
    }
    await delay(LOOK_MS);
  }
}
