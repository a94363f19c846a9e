import { readBlobs } from "../git/read-blobs.ts";
import { type ChangedFile, compareTrees } from "../git/read-changes.ts";
import type { Repository } from "../git/repository.ts";

/** A `.gitattributes` file of a commit. It may declare a file binary, or keep the lines of both sides. */
export interface AttributesFile {
  /** Latin-1 text: one character per byte. */
  readonly path: string;
  readonly content: Buffer;
}

const attributesName = ".gitattributes";

/** More than any project has; the rest is ignored. */
const MAX_ATTRIBUTE_FILES = 1000;
const MAX_FILE_BYTES = 1024 * 1024;
const emptyTrees: Readonly<Record<string, string>> = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** Reads all attribute files from the tree of a commit. */
export async function readAttributes(
  repository: Repository,
  commit: string,
): Promise<readonly AttributesFile[]> {
  const found = await compareTrees(repository, {
    base: getEmptyTree(repository),
    tip: `${commit}^{tree}`,
    paths: [`:(glob)**/${attributesName}`],
  });
  const files = found.flatMap(describeAttributes).slice(0, MAX_ATTRIBUTE_FILES);
  const contents = await readBlobs(
    repository,
    files.map(({ id }) => id),
  );
  return files.flatMap(({ path }, index) => {
    const content = contents[index];
    return content === undefined || content.length > MAX_FILE_BYTES ? [] : [{ path, content }];
  });
}

function getEmptyTree(repository: Repository): string {
  return emptyTrees[repository.objectFormat] ?? "";
}

/** Anyone can make a tree with any names in it, and these files are written to one of our folders. */
export function isSafeTreePath(path: string): boolean {
  return path.split("/").every((segment) => segment !== "" && !/^\.\.?$|^\.git$/i.test(segment));
}

/** Only plain files count, because git follows no link here. */
function describeAttributes({ bytes, newMode, newId }: ChangedFile) {
  const path = bytes.toString("latin1");
  return newMode.startsWith("100") && isSafeTreePath(path) ? [{ id: newId, path }] : [];
}
