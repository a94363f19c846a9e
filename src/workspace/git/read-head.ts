import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRegularText } from "../../base/files.ts";
import { getRefPlace, type Repository } from "./repository.ts";
import { readGitLine } from "./run-git.ts";

export interface Head {
  /** `refs/heads/…`, or undefined if no branch is checked out. */
  readonly ref: string | undefined;
  /** The commit, or undefined if the branch has none yet. */
  readonly commit: string | undefined;
}

/**
 * Reads the HEAD of a checkout from its file, because starting git would cost more than the rest of most calls. A
 * worker may have written anything there, so only plain branch names and object ids are accepted.
 */
export async function readCheckoutHead(repository: Repository, adminDirectory: string): Promise<Head> {
  const text = readRegularText(join(adminDirectory, "HEAD"))?.trim() ?? "";
  if (isObjectId(text)) return { ref: undefined, commit: text };
  const ref = text.startsWith("ref: ") ? text.slice("ref: ".length).trim() : "";
  if (!isPlainBranchRef(ref)) return { ref: undefined, commit: undefined };
  return { ref, commit: await readRefCommit(repository, ref) };
}

/** Returns the commit of a ref, or undefined. Refs are plain files or lines of one file, so no program is needed. */
export async function readRefCommit(repository: Repository, ref: string): Promise<string | undefined> {
  const loose = readRegularText(join(repository.commonDirectory, ref))?.trim();
  if (loose !== undefined && isObjectId(loose)) return loose;
  const packed = readRegularText(join(repository.commonDirectory, "packed-refs"));
  if (loose === undefined && packed !== undefined) return findPackedRef(packed, ref);
  if (loose === undefined && !existsSync(join(repository.commonDirectory, "packed-refs"))) return undefined;
  // The ref is symbolic, or the list is too long to read here.
  const found = await readGitLine({
    place: getRefPlace(repository),
    arguments: ["rev-parse", "--quiet", "--verify", `${ref}^{commit}`],
    accept: [1],
  });
  return isObjectId(found) ? found : undefined;
}

/** `<id> <ref>` per line. */
function findPackedRef(packed: string, ref: string): string | undefined {
  const at = packed.indexOf(` ${ref}\n`);
  if (at === -1) return undefined;
  const id = packed.slice(packed.lastIndexOf("\n", at) + 1, at);
  return isObjectId(id) ? id : undefined;
}

export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

function isPlainBranchRef(ref: string): boolean {
  const segments = ref.split("/");
  return (
    ref.startsWith("refs/heads/") && !segments.some((segment) => segment === "" || segment.startsWith("."))
  );
}
