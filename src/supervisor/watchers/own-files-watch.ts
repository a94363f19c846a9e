import { lstatSync } from "node:fs";

const LOOK_MS = 500;

/**
 * Reports the first of some files that was removed or replaced: a process that goes on without its lock or its store
 * would work where no command finds it. Returns a function that ends the watch.
 */
export function watchOwnFiles(files: readonly string[], onGone: (file: string) => void): () => void {
  const first = new Map(files.map((file) => [file, identifyFile(file)]));
  const timer = setInterval(() => {
    const gone = files.find((file) => identifyFile(file) !== first.get(file));
    if (gone === undefined) return;
    clearInterval(timer);
    onGone(gone);
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function identifyFile(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "gone" : `${stats.dev}:${stats.ino}`;
}
