import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { readPlace } from "./state/place-file.ts";

/** The kernel takes at most 108 bytes of socket path, 104 on macOS. */
const MAX_SOCKET_PATH = 100;
/** Not TMPDIR, which may be long, and another one for a command than for the supervisor. */
const SHARED_FOLDER = "/tmp";

/** Where a person's commands reach the supervisor. */
export function getPersonSocket(stateDirectory: string): string {
  return chooseSocketPath(stateDirectory, "supervisor.sock");
}

/** By so much, state is further down where workers see it: in `<project>.worktrees/ambit/git` instead of `.git`. */
const VIEW_BYTES = ".worktrees/ambit/git".length - "/.git".length;

/** Where workers reach the supervisor: it has no call that a worker must not make. */
export function getWorkerSocket(stateDirectory: string): string {
  const trees = readPlace(stateDirectory)?.trees ?? stateDirectory;
  const inView = join(trees, "git", basename(stateDirectory));
  const furtherBytes = Buffer.byteLength(inView) - Buffer.byteLength(stateDirectory);
  return chooseSocketPath(stateDirectory, "worker.sock", Math.max(VIEW_BYTES, furtherBytes));
}

/** If the project's path is too long, the socket is in a private folder of the user. */
function chooseSocketPath(state: string, file: string, spareBytes = 0): string {
  const inState = join(state, file);
  if (Buffer.byteLength(inState) + spareBytes <= MAX_SOCKET_PATH) return inState;
  const name = createHash("sha256").update(state).digest("hex").slice(0, 16);
  // Without the name of the user, which not every container knows.
  const uid = process.getuid?.() ?? 0;
  const folder = findSessionFolder(uid) ?? join(SHARED_FOLDER, `ambit-${uid}`);
  return join(folder, `${name}-${file}`);
}

const OTHERS = 0o077;

/**
 * The folder that XDG_RUNTIME_DIR names in a login session. It is found by its path, because commands and the supervisor
 * must agree, and not all of them have the variable.
 */
function findSessionFolder(uid: number): string | undefined {
  const session = join("/run/user", String(uid));
  const found = lstatSync(session, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true || found.uid !== uid || (found.mode & OTHERS) !== 0) return undefined;
  return join(session, "ambit");
}
