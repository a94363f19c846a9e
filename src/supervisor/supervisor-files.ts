import { createHash } from "node:crypto";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

export interface SupervisorFiles {
  readonly lock: string;
  /** For people's commands. */
  readonly socket: string;
  /** For workers: it knows no call that a worker must not make. */
  readonly workerSocket: string;
  /** Who holds the lock, for people: never trusted, only shown. */
  readonly owner: string;
  readonly log: string;
  /** Up to which event traces were sent. */
  readonly traces: string;
}

/** The kernel takes at most 108 bytes of socket path, 104 on macOS. */
const LONGEST_SOCKET_PATH = 100;

export function supervisorFiles(projectRoot: string): SupervisorFiles {
  const state = join(projectRoot, ".ambit", "state");
  return {
    lock: join(state, "supervisor.lock"),
    socket: socketPath(state, "supervisor.sock"),
    workerSocket: socketPath(state, "worker.sock"),
    owner: join(state, "supervisor.json"),
    log: join(state, "logs", "supervisor.log"),
    traces: join(state, "traces.json"),
  };
}

/** Deep projects get a socket in a private folder of the user instead. */
function socketPath(state: string, file: string): string {
  const inState = join(state, file);
  if (Buffer.byteLength(inState) <= LONGEST_SOCKET_PATH) return inState;
  const name = createHash("sha256").update(state).digest("hex").slice(0, 16);
  return join(tmpdir(), `ambit-${userInfo().uid}`, `${name}-${file}`);
}
