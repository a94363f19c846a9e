import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The plain files below a folder that a running supervisor changes: what disappears meanwhile is left out. */
export function listLiveFiles(folder: string, below = ""): readonly string[] {
  const entries = unlessGone<readonly Dirent[]>([], () =>
    readdirSync(join(folder, below), { withFileTypes: true }),
  );
  return entries.flatMap((entry) => {
    const name = join(below, entry.name);
    if (entry.isDirectory()) return listLiveFiles(folder, name);
    return entry.isFile() ? [name] : [];
  });
}

export function findLiveFilesWith(folder: string, text: string): readonly string[] {
  return listLiveFiles(folder).filter((name) =>
    unlessGone(false, () => readFileSync(join(folder, name)).includes(text)),
  );
}

export function unlessGone<T>(instead: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return instead;
    throw error;
  }
}
