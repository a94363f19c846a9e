import { refPlace, type Repository } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";

/** A path at which two trees differ. Paths are Latin-1 text: one character per byte, whatever their encoding. */
export interface TreeChange {
  readonly path: string;
  readonly kind: "added" | "changed" | "removed";
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: string;
  readonly newId: string;
}

/** Two commits, or two trees, but never one of each. */
export interface TreePair {
  readonly from: string;
  readonly to: string;
  readonly areTrees?: boolean;
}

const NUL = 0x00;
const COLON = 0x3a;
const LINE_FEED = 0x0a;

/** What differs within each pair, by one git for all of them. Renames are not looked for: git's merge does that. */
export async function readChangeLists(
  repository: Repository,
  pairs: readonly TreePair[],
): Promise<readonly (readonly TreeChange[])[]> {
  if (pairs.length === 0) return [];
  const { stdout } = await runGit({
    place: refPlace(repository),
    arguments: [
      "diff-tree",
      "--stdin",
      "--always",
      "-r",
      "-z",
      "--raw",
      "--no-abbrev",
      "--no-renames",
      "--no-ext-diff",
      "--no-textconv",
      // Our own switches hide submodules.
      "--ignore-submodules=none",
    ],
    // For two commits, git treats the second as the parent of the first; two trees are compared as given.
    stdin: pairs.map(({ from, to, areTrees }) => (areTrees ? `${from} ${to}\n` : `${to} ${from}\n`)).join(""),
  });
  return parseLists(stdout);
}

/** A header ended by NUL or, for trees, by a line feed; then `:facts NUL path NUL` per change. */
function parseLists(output: Buffer): readonly (readonly TreeChange[])[] {
  const lists: TreeChange[][] = [];
  let at = 0;
  while (at < output.length) {
    if (output[at] === COLON) {
      const factsEnd = output.indexOf(NUL, at);
      const pathEnd = output.indexOf(NUL, factsEnd + 1);
      const facts = output.toString("latin1", at + 1, factsEnd);
      lists.at(-1)?.push(describeChange(facts, output.toString("latin1", factsEnd + 1, pathEnd)));
      at = pathEnd + 1;
    } else {
      lists.push([]);
      at = endOfHeader(output, at);
    }
  }
  return lists;
}

function endOfHeader(output: Buffer, start: number): number {
  let at = start;
  while (at < output.length && output[at] !== NUL && output[at] !== LINE_FEED) at += 1;
  return at + 1;
}

/** `oldMode newMode oldId newId status` */
function describeChange(facts: string, path: string): TreeChange {
  const [oldMode = "", newMode = "", oldId = "", newId = "", status = ""] = facts.split(" ");
  const kind = status === "A" ? "added" : status === "D" ? "removed" : "changed";
  return { path, kind, oldMode, newMode, oldId, newId };
}
