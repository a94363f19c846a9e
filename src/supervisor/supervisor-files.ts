import { join } from "node:path";
import { getPersonSocket, getWorkerSocket } from "../project/socket-paths.ts";
import { getStateDirectory } from "../project/state-directory.ts";

export interface SupervisorFiles {
  readonly lock: string;
  /**
   * A second lock outside our folder. It keeps a second owner away until the first one notices that its folder is gone.
   */
  readonly outerLock: string;
  /** The socket for people's commands. */
  readonly socket: string;
  /** The socket for workers: it has no call that a worker must not make. */
  readonly workerSocket: string;
  /** Names the holder of the lock; see `project-owner.ts`. */
  readonly owner: string;
  readonly log: string;
  /** The last event whose trace was sent. */
  readonly traces: string;
}

export function supervisorFiles(projectRoot: string): SupervisorFiles {
  const state = getStateDirectory(projectRoot);
  return {
    lock: join(state, "supervisor.lock"),
    outerLock: `${state}-owner.lock`,
    socket: getPersonSocket(state),
    workerSocket: getWorkerSocket(state),
    owner: ownerFile(state),
    log: join(state, "logs", "supervisor.log"),
    traces: join(state, "traces.json"),
  };
}

/** The note of the owner alone: a command that starts fast asks for nothing else. */
export function ownerFile(stateDirectory: string): string {
  return join(stateDirectory, "supervisor.json");
}
