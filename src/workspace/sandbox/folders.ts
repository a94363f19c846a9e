import { join } from "node:path";
import { getStateFolders } from "../files/state-folders.ts";

/** The folders of one sandbox. Its worker sees only `clone` and `outbox`. */
export interface SandboxFolders {
  /** Not accessible to other users: a worker may leave a set-uid program in its clone. */
  readonly root: string;
  readonly clone: string;
  /** The folder where the worker leaves files that are not part of the project: its return and its notes. */
  readonly outbox: string;
  readonly home: string;
  readonly temporary: string;
  /** The work is handed over through this folder, which is writable only during that step. */
  readonly handOver: string;
  /** Our index of the clone as it was created. */
  readonly index: string;
  /** Rules for files brought into the clone that are not the worker's work, as lines of an exclude file. */
  readonly ignores: string;
}

export function sandboxesFolder(stateDirectory: string): string {
  return getStateFolders(stateDirectory).sandboxes;
}

export function sandboxFolders(stateDirectory: string, id: string): SandboxFolders {
  return foldersBelow(join(sandboxesFolder(stateDirectory), id));
}

export function foldersBelow(root: string): SandboxFolders {
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
