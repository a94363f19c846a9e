import type { Repository } from "../git/repository.ts";
import { type TreeChange, readTouchedPaths } from "./touched.ts";

/** Two commits, or two trees. */
export interface TreePair {
  readonly from: string;
  readonly to: string;
}

/**
 * The content of a checkout's index and files before and after a move, at the paths that it touches. It differs from
 * the branch's own commits if the user has uncommitted edits in the same files.
 */
export interface CheckoutTrees {
  readonly index: TreePair;
  readonly files: TreePair;
}

export interface TouchedCheckout {
  readonly index: readonly TreeChange[];
  readonly files: readonly TreeChange[];
}

export function getCheckoutTrees(
  move: TreePair & { readonly edits?: CheckoutTrees | undefined },
): CheckoutTrees {
  const { from, to, edits } = move;
  return edits ?? { index: { from, to }, files: { from, to } };
}

export async function readTouchedCheckout(
  repository: Repository,
  { index, files }: CheckoutTrees,
): Promise<TouchedCheckout> {
  const [touchedIndex, touchedFiles] = await Promise.all([
    readTouchedPaths(repository, index.from, index.to),
    readTouchedPaths(repository, files.from, files.to),
  ]);
  return { index: touchedIndex, files: touchedFiles };
}

export function reverseTrees({ index, files }: CheckoutTrees): CheckoutTrees {
  return { index: { from: index.to, to: index.from }, files: { from: files.to, to: files.from } };
}
