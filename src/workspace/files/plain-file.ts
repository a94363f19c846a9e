import { copyFileSync, statSync } from "node:fs";

/** Links are followed, because these are the user's own files. A pipe would block us forever. */
export function isPlainFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

export function copyIfPlainFile(from: string, to: string): void {
  if (isPlainFile(from)) copyFileSync(from, to);
}
