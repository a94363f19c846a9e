import { join } from "node:path";
import { readGitLine } from "../git.ts";
import { readRegularText } from "../files/read-regular.ts";
import { refPlace, type Repository } from "../repository.ts";

export interface Head {
  /** `refs/heads/…`, or undefined where no branch is checked out. */
  readonly ref: string | undefined;
  /** The commit, or undefined where the branch has none yet. */
  readonly commit: string | undefined;
}

/**
 * What a checkout stands on. Reads the file itself, as starting git would cost more than the rest of most calls; a
 * worker may have written anything there, so only plain branch names and object ids are believed.
 */
export async function readHead(repository: Repository, adminDirectory: string): Promise<Head> {
  const text = readRegularText(join(adminDirectory, "HEAD"))?.trim() ?? "";
  if (isObjectId(text)) return { ref: undefined, commit: text };
  const ref = text.startsWith("ref: ") ? text.slice("ref: ".length).trim() : "";
  if (!isBranchRef(ref)) return { ref: undefined, commit: undefined };
  return { ref, commit: await readRef(repository, ref) };
}

/** The commit a ref names, or undefined. */
export async function readRef(repository: Repository, ref: string): Promise<string | undefined> {
  const loose = readRegularText(join(repository.commonDirectory, ref))?.trim();
  if (loose !== undefined && isObjectId(loose)) return loose;
  const found = await readGitLine({
    place: refPlace(repository),
    arguments: ["rev-parse", "--quiet", "--verify", `${ref}^{commit}`],
    accept: [1],
  });
  return isObjectId(found) ? found : undefined;
}

export function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

function isBranchRef(ref: string): boolean {
  const segments = ref.split("/");
  return (
    ref.startsWith("refs/heads/") && !segments.some((segment) => segment === "" || segment.startsWith("."))
  );
}
