import { join } from "node:path";

/** What belongs to one sandbox. Its worker sees only `clone` and `outbox`. */
export interface SandboxFolders {
  /** Not for other users: a worker may leave a set-uid program in its clone. */
  readonly root: string;
  readonly clone: string;
  /** Where the worker leaves what is not part of the project: its return, its notes. */
  readonly outbox: string;
  readonly home: string;
  readonly temporary: string;
  /** What the work is handed over through; writable only while that is done. */
  readonly handOver: string;
  /** Our index of the clone as it was made. */
  readonly index: string;
  /** Rules for what was brought into the clone and is nobody's work, as lines of an exclude file. */
  readonly ignores: string;
}

export function sandboxesFolder(stateDirectory: string): string {
  return join(stateDirectory, "sandboxes");
}

export function sandboxFolders(stateDirectory: string, id: string): SandboxFolders {
  const root = join(sandboxesFolder(stateDirectory), id);
  return {
    root,
    clone: join(root, "clone"),
    outbox: join(root, "outbox"),
    home: join(root, "home"),
    temporary: join(root, "temporary"),
    handOver: join(root, "hand-over"),
    index: join(root, "index"),
    ignores: join(root, "ignores"),
  };
}
