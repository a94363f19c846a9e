/**
 * The place of a path below a folder, where paths are Latin-1 text: one character per byte, whatever the encoding of
 * the names.
 */
export function placeOf(root: string, path: string): Buffer {
  const bytes = Buffer.from(root);
  return path === "" ? bytes : Buffer.concat([bytes, Buffer.from("/"), Buffer.from(path, "latin1")]);
}
