import { join, posix } from "node:path";

export interface TaskReaderOptions {
  readonly projectRoot: string;
  /** `tasks.dir`, relative to the project's root. */
  readonly dir: string;
  /** Ambit's own folder of this project: lock, intent and last agreed state live below it. */
  readonly stateDirectory: string;
}

/** All relative to the project's root, with forward slashes. */
export interface TaskPaths {
  readonly dir: string;
  readonly todo: string;
  readonly state: string;
  readonly archive: string;
}

/** Where everything of one task store lies. */
export interface TaskPlace {
  readonly projectRoot: string;
  readonly paths: TaskPaths;
  /** Absolute; below Ambit's own folder. */
  readonly lock: string;
  readonly intent: string;
  readonly snapshot: string;
}

export function findPlace({ projectRoot, dir, stateDirectory }: TaskReaderOptions): TaskPlace {
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
