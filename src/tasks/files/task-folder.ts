import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { textOf } from "../model/view-task.ts";
import type { Fields } from "../model/fields.ts";

const PADDED = 3;

/** A name that stays one folder: a slug from a file may say anything. */
function safeSlug(slug: string): string | undefined {
  const isPlain = slug !== "" && slug.length <= 200 && !slug.startsWith(".") && !/[/\\\0\r\n]/.test(slug);
  return isPlain ? slug : undefined;
}

/** The folders below `directory` (relative to `root`). */
export function listFolders(root: string, directory: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(join(root, directory), { withFileTypes: true });
    return new Set(entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name));
  } catch {
    // No folder of tasks yet.
    return new Set();
  }
}

/** The folder of a task among `names`, in either spelling: `7_slug` or `007_slug` (C26). */
export function findFolder(names: ReadonlySet<string>, id: string, raw: Fields): string | undefined {
  const slug = safeSlug(textOf(raw, "project_name"));
  if (slug === undefined) return undefined;
  return [id, id.padStart(PADDED, "0")].map((number) => `${number}_${slug}`).find((name) => names.has(name));
}

/** `specs/7_slug`, whether it is there or not. */
export function plainFolder(directory: string, id: string, slug: string): string {
  const name = safeSlug(id) === undefined ? "task" : id;
  return posix.join(directory, `${name}_${safeSlug(slug) ?? "task"}`);
}
