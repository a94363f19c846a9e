import { lstatSync } from "node:fs";

const LOOK_MS = 500;

export interface OwnFilesWatch {
  /** Looks now instead of at the next tick. */
  look(): void;
  end(): void;
}

/**
 * Reports, once, the first of some files that was removed or replaced: a process that goes on without its lock or its
 * store would work where no command finds it.
 */
export function watchOwnFiles(files: readonly string[], onGone: (file: string) => void): OwnFilesWatch {
  const first = new Map(files.map((file) => [file, identifyFile(file)]));
  let isOver = false;
  const end = (): void => {
    isOver = true;
    clearInterval(timer);
  };
  const look = (): void => {
    const gone = isOver ? undefined : files.find((file) => identifyFile(file) !== first.get(file));
    if (gone === undefined) return;
    end();
    onGone(gone);
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return { look, end };
}

function identifyFile(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "gone" : `${stats.dev}:${stats.ino}`;
}
