import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { readTextField } from "../model/view-task.ts";
import type { Fields } from "../model/fields.ts";

const PADDED_LENGTH = 3;

/** Refuses a slug that is not a plain folder name, because a file may contain anything. */
function acceptPlainName(slug: string): string | undefined {
  const isPlain = slug !== "" && slug.length <= 200 && !slug.startsWith(".") && !/[/\\\0\r\n]/.test(slug);
  return isPlain ? slug : undefined;
}

/** The folders below `directory` (relative to `root`). */
export function listFolders(root: string, directory: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(join(root, directory), { withFileTypes: true });
    return new Set(entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name));
  } catch {
    // The folder does not exist yet.
    return new Set();
  }
}

/** The folder of a task among `names`, in either spelling: `7_slug` or `007_slug` (C26). */
export function findTaskFolder(names: ReadonlySet<string>, id: string, raw: Fields): string | undefined {
  const slug = acceptPlainName(readTextField(raw, "project_name"));
  if (slug === undefined) return undefined;
  return [id, id.padStart(PADDED_LENGTH, "0")]
    .map((number) => `${number}_${slug}`)
    .find((name) => names.has(name));
}

/** `specs/7_slug`, whether it exists or not. */
export function makeFolderPath(directory: string, id: string, slug: string): string {
  const name = acceptPlainName(id) === undefined ? "task" : id;
  return posix.join(directory, `${name}_${acceptPlainName(slug) ?? "task"}`);
}
