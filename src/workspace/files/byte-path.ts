/** Joins a folder and a path given as Latin-1 text: one character per byte, so names in any encoding work. */
export function joinBytePath(root: string, path: string): Buffer {
  const bytes = Buffer.from(root);
  return path === "" ? bytes : Buffer.concat([bytes, Buffer.from("/"), Buffer.from(path, "latin1")]);
}

/** `a/b/c` → `a`, `a/b` */
export function listFoldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}
