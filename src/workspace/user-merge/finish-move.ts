import { pathExists } from "../../base/files.ts";
import { type PrivateGit, withPrivateGit } from "../git/private-directory.ts";
import { readCheckoutHead, readRefCommit } from "../git/read-head.ts";
import type { ProjectContext } from "../git/repository.ts";
import { getCheckoutTrees, readTouchedCheckout, type TouchedCheckout } from "./checkout-trees.ts";
import { listBlocking, listDifferences } from "./find-obstacles.ts";
import { releaseIndexLock, takeIndexLock } from "./index-lock.ts";
import { findIndexLock, listStagedPaths } from "./inspect-checkout.ts";
import { type MergeIntent, readMergeIntent } from "./intent.ts";
import { completeMove, releaseMove, recordMoveDone, withStagedFiles } from "./move-checkout.ts";
import { type MergeRefusal, refuseMerge } from "./refusal.ts";
import { type TreeChange, listEntriesOn, showLatin1Path } from "./touched.ts";

export type Finished =
  /** No move was in progress. */
  | { readonly status: "none" }
  /** It was killed before anything of the user's changed. */
  | { readonly status: "not-begun" }
  | { readonly status: "finished"; readonly intent: MergeIntent }
  /** The user has continued since, so only the user can decide what the files should be. */
  | { readonly status: "given-up" }
  | MergeRefusal;

/** Completes a move of the user's branch that was killed. */
export async function finishMove(context: ProjectContext): Promise<Finished> {
  const intent = readMergeIntent(context.stateDirectory);
  if (intent === undefined) return { status: "none" };
  const own = getMoveContext(context, intent);
  const tip = await readRefCommit(own.repository, intent.branch);
  if (tip !== intent.from && tip !== intent.to) return giveUpMove(own, intent);
  if (intent.checkout === null) {
    if (tip === intent.to) await recordMoveDone(own, intent);
    releaseMove(own, intent);
    return tip === intent.to ? { status: "finished", intent } : { status: "not-begun" };
  }
  const isThereStill = pathExists(intent.checkout.workTree) && pathExists(intent.checkout.gitDirectory);
  const head = isThereStill ? await readCheckoutHead(own.repository, own.repository.gitDirectory) : undefined;
  if (head?.ref !== intent.branch) return giveUpMove(own, intent);
  if (!takeIndexLock(own.repository.gitDirectory, intent.token))
    return findIndexLock(own) ?? giveUpMove(own, intent);
  return finishCheckout(own, intent, tip);
}

async function finishCheckout(context: ProjectContext, intent: MergeIntent, tip: string): Promise<Finished> {
  const trees = getCheckoutTrees(intent);
  const touched = await readTouchedCheckout(context.repository, trees);
  const state = await compareFiles(context, intent, touched);
  if (state.foreign.length > 0) {
    // The user must be able to repair the files with git.
    releaseIndexLock(context.repository.gitDirectory, intent.token);
    return refuseInterrupted(intent, state.foreign);
  }
  if (tip === intent.from && state.isUntouched) {
    releaseMove(context, intent);
    return { status: "not-begun" };
  }
  const staging = { intent, touched: touched.files, to: trees.files.to, exact: intent.restored };
  const refusal = await withStagedFiles(context, staging, (git, stage) =>
    completeMove(context, { intent, touched, git, stage }),
  );
  return refusal ?? { status: "finished", intent };
}

interface State {
  /** Files that match neither the old nor the new state. */
  readonly foreign: readonly string[];
  readonly isUntouched: boolean;
}

function compareFiles(
  context: ProjectContext,
  intent: MergeIntent,
  touched: TouchedCheckout,
): Promise<State> {
  const { repository, stateDirectory } = context;
  return withPrivateGit(
    { repository, stateDirectory, workTree: repository.workTree, head: intent.from },
    async (git) => {
      const notFrom = await listDifferences(git, touched.files, "from");
      const notTo = await listDifferences(git, touched.files, "to");
      const staged = await listForeignEntries(context, git, { intent, touched: touched.index });
      const foreign = [...notFrom].filter((path) => notTo.has(path));
      const blocking = listBlocking(repository.workTree, touched.files);
      return {
        foreign: [...new Set([...foreign, ...staged.foreign, ...blocking])].map(showLatin1Path).sort(),
        isUntouched: notFrom.size === 0 && staged.isUntouched,
      };
    },
  );
}

async function listForeignEntries(
  context: ProjectContext,
  git: PrivateGit,
  { intent, touched }: { readonly intent: MergeIntent; readonly touched: readonly TreeChange[] },
): Promise<State> {
  const { changed } = await listStagedPaths(context, git, getCheckoutTrees(intent).index.from);
  const wanted = new Map(listEntriesOn(touched, "to").map(({ path, mode, id }) => [path, `${mode} ${id}`]));
  const paths = touched.map(({ path }) => path).filter((path) => changed.has(path));
  const gone = /^000000 0+$/;
  const foreign = paths.filter((path) => {
    const now = changed.get(path) ?? "";
    return wanted.has(path) ? wanted.get(path) !== now : !gone.test(now);
  });
  return { foreign, isUntouched: paths.length === 0 };
}

/** The checkout of the killed move, which need not be the current one. */
function getMoveContext(context: ProjectContext, { checkout }: MergeIntent): ProjectContext {
  return checkout === null ? context : { ...context, repository: { ...context.repository, ...checkout } };
}

function giveUpMove(context: ProjectContext, intent: MergeIntent): Finished {
  releaseMove(context, intent);
  return { status: "given-up" };
}

function refuseInterrupted(
  { story, branch, direction }: MergeIntent,
  files: readonly string[],
): MergeRefusal {
  const what = direction === "merge" ? `The merge of ${story} into` : `Undoing the merge of ${story} in`;
  return refuseMerge("interrupted", {
    message: `${what} ${branch} was interrupted, and these files were changed since`,
    recommendation:
      "Save your version of them elsewhere and bring them back with `git checkout -- <file>`; then try again.",
    files,
  });
}
