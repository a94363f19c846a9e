import { type GitPlace, runGit, splitAtZeros } from "./run-git.ts";

/** A path at which the work tree, the index and HEAD do not all agree. */
export interface StatusEntry {
  readonly kind: "changed" | "conflicted" | "untracked";
  /** The index matches the work tree. */
  readonly isStaged: boolean;
  /** The index differs from HEAD. */
  readonly isIndexChanged: boolean;
  readonly isRemoved: boolean;
  readonly path: Buffer;
}

const untracked = { kind: "untracked", isStaged: false, isIndexChanged: false, isRemoved: false } as const;
const SLASH = 0x2f;
const SPACE = 0x20;
const STATUS_TIMEOUT_MS = 600_000;

/**
 * Lists every difference, one entry per path, or only those at or below some paths. Submodules are never entered, and
 * names are bytes.
 */
export async function readGitStatus(
  place: GitPlace,
  paths: readonly string[] = [],
): Promise<readonly StatusEntry[]> {
  const { stdout } = await runGit({
    place,
    arguments: [
      "--literal-pathspecs",
      "status",
      "--porcelain=v2",
      "-z",
      "--untracked-files=all",
      "--ignore-submodules=all",
      "--no-renames",
      "--no-ahead-behind",
      "--",
      ...paths,
    ],
    timeoutMs: STATUS_TIMEOUT_MS,
  });
  return splitAtZeros(stdout).flatMap(parseStatusEntry);
}

/** An untracked nested repository is reported as one path that ends in a slash; git does not enter it. */
export function isNestedRepository(entry: StatusEntry): boolean {
  return entry.kind === "untracked" && entry.path.at(-1) === SLASH;
}

/** `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`. */
function parseStatusEntry(line: Buffer): readonly StatusEntry[] {
  const kind = String.fromCharCode(line[0] ?? 0);
  if (kind === "?") return [{ ...untracked, path: line.subarray(2) }];
  if (kind !== "1" && kind !== "u") return [];
  const fields = kind === "1" ? 8 : 10;
  const start = sliceAfterSpaces(line, fields);
  const words = line.subarray(0, start).toString("latin1").split(" ");
  const workTreeMode = kind === "1" ? words[5] : words[6];
  return [
    {
      kind: kind === "1" ? "changed" : "conflicted",
      isStaged: kind === "1" && words[1]?.charAt(1) === ".",
      isIndexChanged: words[1]?.charAt(0) !== ".",
      isRemoved: workTreeMode === "000000",
      path: line.subarray(start),
    },
  ];
}

function sliceAfterSpaces(line: Buffer, count: number): number {
  let at = 0;
  for (let seen = 0; seen < count; seen += 1) at = line.indexOf(SPACE, at) + 1;
  return at;
}
