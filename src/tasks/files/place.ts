import { join, posix } from "node:path";

export interface TaskReaderOptions {
  readonly projectRoot: string;
  /** `tasks.dir`, relative to the project's root. */
  readonly dir: string;
  /** Ambit's own folder in this project, with the lock, the intent and the agreed record. */
  readonly stateDirectory: string;
}

/** All relative to the project's root, with forward slashes. */
export interface TaskPaths {
  readonly dir: string;
  readonly todo: string;
  readonly state: string;
  readonly archive: string;
}

/** The places of all files of one task store. */
export interface TaskPlace {
  readonly projectRoot: string;
  readonly paths: TaskPaths;
  /** Absolute paths in Ambit's own folder. */
  readonly lock: string;
  readonly intent: string;
  readonly snapshot: string;
}

export function locateTaskFiles({ projectRoot, dir, stateDirectory }: TaskReaderOptions): TaskPlace {
  const folder = posix.normalize(dir.replaceAll("\\", "/"));
  const own = join(stateDirectory, "tasks");
  return {
    projectRoot,
    paths: {
      dir: folder,
      todo: posix.join(folder, "TODO.md"),
      state: posix.join(folder, "state.json"),
      archive: posix.join(folder, "archive/state.json"),
    },
    lock: join(own, "lock.db"),
    intent: join(own, "intent.json"),
    snapshot: join(own, "agreed.json"),
  };
}
