/** Joins a folder and a path given as Latin-1 text: one character per byte, so names in any encoding work. */
export function placeOf(root: string, path: string): Buffer {
  const bytes = Buffer.from(root);
  return path === "" ? bytes : Buffer.concat([bytes, Buffer.from("/"), Buffer.from(path, "latin1")]);
}
