import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The kernel takes at most 108 bytes of socket path, 104 on macOS. */
const MAX_SOCKET_PATH = 100;

/** Where a person's commands reach the supervisor. */
export function getPersonSocket(stateDirectory: string): string {
  return chooseSocketPath(stateDirectory, "supervisor.sock");
}

/** Where workers reach the supervisor: it has no call that a worker must not make. */
export function getWorkerSocket(stateDirectory: string): string {
  return chooseSocketPath(stateDirectory, "worker.sock");
}

/** If the project's path is too long, the socket is in a private folder of the user. */
function chooseSocketPath(state: string, file: string): string {
  const inState = join(state, file);
  if (Buffer.byteLength(inState) <= MAX_SOCKET_PATH) return inState;
  const name = createHash("sha256").update(state).digest("hex").slice(0, 16);
  // Without the name of the user, which not every container knows.
  const uid = process.getuid?.() ?? 0;
  const folder = findSessionFolder(uid) ?? join(tmpdir(), `ambit-${uid}`);
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
