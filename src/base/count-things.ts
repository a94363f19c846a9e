/** `1 event`, `3 events`, `2 entries`. */
export function countThings(count: number, thing: string, things = `${thing}s`): string {
  return `${count} ${count === 1 ? thing : things}`;
}

/** `1 file`, `3 files`. */
export function countFiles(count: number): string {
  return countThings(count, "file");
}
