import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { workspaceErrors } from "../../errors/workspace.ts";
import { isObjectId, readRefCommit } from "./read-head.ts";
import { type RefChange, formatRefLine } from "./ref-change.ts";
import { changeRefsBySession } from "./ref-sessions.ts";
import { getRefPlace, type Repository } from "./repository.ts";
import { type GitAnswer, runGit, splitAtZeros } from "./run-git.ts";

/** Git itself waits a tenth of a second for a lock; a lock that outlives this limit has lost its owner. */
const LOCK_WAIT_MS = 1000;
const LOCK_STEP_MS = 50;

/** Moves refs all at once or not at all. Removes a lock that a killed process left on one of our refs. */
export async function changeRefs(repository: Repository, wanted: readonly RefChange[]): Promise<void> {
  const changes = await listPendingChanges(repository, wanted);
  if (changes.length === 0 || (await changeRefsBySession(repository, changes))) return;
  const first = await tryRefChange(repository, changes);
  if (first.exitCode === 0) return;
  const hadStaleLock = await removeStaleLocks(repository, changes);
  const last = hadStaleLock ? await tryRefChange(repository, changes) : first;
  if (last.exitCode === 0) return;
  throw workspaceErrors.refChangeRefused(
    changes.map(({ ref }) => ref),
    last.stderr.trim(),
  );
}

/** If no previous value is required, a ref that already has its new value needs no git. */
async function listPendingChanges(
  repository: Repository,
  changes: readonly RefChange[],
): Promise<readonly RefChange[]> {
  const still: RefChange[] = [];
  for (const change of changes)
    if (change.from !== undefined || (await readRefCommit(repository, change.ref)) !== change.to)
      still.push(change);
  return still;
}

export interface NamedRef {
  readonly ref: string;
  readonly commit: string;
}

/** All refs below the given prefixes. */
export async function listRefs(
  repository: Repository,
  prefixes: readonly string[],
): Promise<readonly NamedRef[]> {
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["for-each-ref", "--format=%(objectname) %(refname)%00", ...prefixes],
  });
  return splitAtZeros(stdout).flatMap((entry) => {
    const [commit = "", ref = ""] = entry.toString("utf8").trim().split(" ");
    return isObjectId(commit) && ref !== "" ? [{ ref, commit }] : [];
  });
}

function tryRefChange(repository: Repository, changes: readonly RefChange[]): Promise<GitAnswer> {
  return runGit({
    place: getRefPlace(repository),
    arguments: ["update-ref", "--stdin"],
    stdin: changes.map((change) => formatRefLine(repository, change)).join(""),
    accept: [1, 128],
  });
}

async function removeStaleLocks(repository: Repository, changes: readonly RefChange[]): Promise<boolean> {
  const locks = changes
    .filter(({ ref }) => isAmbitRef(ref))
    .map(({ ref }) => join(repository.commonDirectory, `${ref}.lock`))
    .flatMap((path) => {
      const identity = readLockIdentity(path);
      return identity === undefined ? [] : [{ path, identity }];
    });
  if (locks.length === 0) return false;
  for (let waited = 0; waited < LOCK_WAIT_MS; waited += LOCK_STEP_MS) {
    await wait(LOCK_STEP_MS);
    if (locks.every(({ path, identity }) => readLockIdentity(path) !== identity)) return true;
  }
  for (const { path, identity } of locks)
    if (readLockIdentity(path) === identity) rmSync(path, { force: true });
  return true;
}

/** Whether only Ambit creates this branch or ref. */
export function isAmbitRef(ref: string): boolean {
  return ["refs/ambit/", "refs/heads/delegation/", "refs/heads/ambit/"].some((prefix) =>
    ref.startsWith(prefix),
  );
}

function readLockIdentity(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${String(stats.ino)}:${String(stats.ctimeNs)}`;
}
