import { readBlobs } from "../git/read-blobs.ts";
import type { ChangedFile } from "../git/read-changes.ts";
import { type Repository } from "../git/repository.ts";

/** Finds changed `package.json` files with different scripts: installing or testing would run them. */
export async function findScriptChanges(
  repository: Repository,
  changes: readonly ChangedFile[],
): Promise<readonly ChangedFile[]> {
  const packages = changes.filter(({ path, kind }) => kind !== "removed" && isPackageFile(path));
  if (packages.length === 0) return [];
  const contents = await readBlobs(
    repository,
    packages.flatMap(({ oldId, newId }) => [oldId, newId]),
  );
  return packages.filter(
    (_, index) => readScripts(contents[index * 2]) !== readScripts(contents[index * 2 + 1]),
  );
}

function isPackageFile(path: string): boolean {
  return path.toLowerCase().split("/").at(-1) === "package.json";
}

/** Returns a text to compare; invalid content differs from everything. */
function readScripts(content: Buffer | undefined): string {
  if (content === undefined) return "{}";
  try {
    const value: unknown = JSON.parse(content.toString("utf8"));
    const scripts = typeof value === "object" && value !== null && "scripts" in value ? value.scripts : {};
    return JSON.stringify(scripts) ?? "{}";
  } catch {
    return `unreadable ${content.toString("latin1")}`;
  }
}
