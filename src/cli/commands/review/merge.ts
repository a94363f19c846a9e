import { join } from "node:path";
import type { DelegationError } from "../../../base/delegation-error.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { openRepository } from "../../../workspace/repository.ts";
import type { MergeContext } from "../../../workspace/merge.ts";
import { applyMerge, previewMerge, undoMerge, type MergePreview } from "../../../workspace/user-merge.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { isAgreed } from "../../ask-person.ts";
import { usage } from "../../option-values.ts";
import { paint } from "../../render/paint.ts";
import { renderPlan } from "../../render/merge-plan.ts";
import { terminalWidth } from "../../render/terminal-width.ts";
import { findTarget } from "../../../app/find-target.ts";
import { findProject, nothingYet, readStore } from "../../../app/open-project.ts";
import { onlyPeople } from "../work/only-people.ts";
import {
  conflictOutcome,
  declinedOutcome,
  mergedOutcome,
  planOutcome,
  refusedMerge,
  sameOutcome,
  shortBranch,
  undoneOutcome,
} from "./merge-outcome.ts";
import { findMergeable, type Mergeable } from "./mergeable.ts";

/** Brings a story's proven work into a branch of the user's: shown first, agreed to, and undoable. */
export async function mergeStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  onlyPeople(context, "never merges into your branch");
  const wish = readWish(invocation);
  const target = await readStore(context, (reader) => findTarget(reader, invocation.argument("id")));
  if (target === undefined) return { exitCode: exitCode.completed, json: { story: null }, text: nothingYet };
  if (target.id !== target.story.id) throw onlyStories(target.id, target.story.id);
  const merging = await mergeContext(context);
  if (wish.undo) return undo(context, merging, target.id);
  const mergeable = await readStore(context, (reader) =>
    findMergeable(merging.repository, { reader, story: target.story, partial: wish.partial }),
  );
  if (mergeable === undefined) return sameOutcome(target.id, `${target.id} changed nothing.`);
  return merge(context, merging, { mergeable, wish });
}

interface Wish {
  readonly branch: string | undefined;
  readonly squash: boolean;
  readonly dryRun: boolean;
  readonly undo: boolean;
  readonly partial: boolean;
}

function readWish(invocation: Invocation): Wish {
  const into = invocation.option("into");
  const [undo, dryRun] = [invocation.flag("undo"), invocation.flag("dryRun")];
  const [squash, partial] = [invocation.flag("squash"), invocation.flag("partial")];
  if (undo && (into !== undefined || squash || dryRun || partial))
    throw usage("--undo takes the newest merge back as it was made", "Use it alone.");
  return { branch: into === undefined ? undefined : branchRef(into), squash, dryRun, undo, partial };
}

// Characters that git allows in no branch name.
const NEVER_IN_A_NAME = /[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/\/|^[-/]|[/.]$|\.lock$/u;

function branchRef(name: string): string {
  if (name === "" || NEVER_IN_A_NAME.test(name))
    throw usage(`--into ${JSON.stringify(name)} is no branch name`, "git branch lists those there are.");
  return name.startsWith("refs/heads/") ? name : `refs/heads/${name}`;
}

function onlyStories(id: string, story: string): DelegationError {
  return usage(
    `${id} is a part of ${story}; only whole stories are merged into your branch`,
    `Merge the story: ambit merge ${story}. See this part: ambit diff ${id}.`,
  );
}

/** The checkout the command runs in, which may be a linked one, and the state all of them share. */
async function mergeContext(context: CommandContext): Promise<MergeContext> {
  const { root } = findProject(context);
  const repository = await openRepository(context.directory, {
    searchPath: context.environment["PATH"] ?? "/usr/bin:/bin",
    home: context.homeDirectory ?? "/",
  });
  return { repository, stateDirectory: join(root, ".ambit", "state") };
}

async function merge(
  context: CommandContext,
  merging: MergeContext,
  { mergeable, wish }: { readonly mergeable: Mergeable; readonly wish: Wish },
): Promise<CommandOutcome> {
  const { story, tip, title } = mergeable;
  const request = {
    story,
    tip,
    ...(wish.branch === undefined ? {} : { branch: wish.branch }),
    ...(wish.squash ? { way: "squash" as const } : {}),
  };
  const preview = await previewMerge(merging, request);
  const early = endsEarly(mergeable, preview);
  if (early !== undefined) return early;
  const plan = renderPlan(mergeable, preview, {
    ascii: context.ascii,
    width: terminalWidth(context.environment),
    paint: paint(context.color(wish.dryRun ? "stdout" : "stderr")),
  });
  if (wish.dryRun) return planOutcome(mergeable, preview, plan);
  context.progress(plan);
  if (!(await isAgreed(context, "Merge it?"))) return declinedOutcome(story);
  const isOneCommit = preview.status === "ready" && preview.way === "squash";
  const message = isOneCommit ? `${title}\n\nStory: ${story}\n` : `Merge ambit/${story}: ${title}\n`;
  const applied = await applyMerge(merging, { ...request, message });
  if (applied.status === "merged") return mergedOutcome(context, story, applied);
  return endsEarly(mergeable, applied) ?? declinedOutcome(story);
}

/** Everything but a merge that can be made. */
function endsEarly(
  { story, tip }: Mergeable,
  preview: Exclude<MergePreview, { readonly status: "ready" | "unfinished" }> | MergePreview,
): CommandOutcome | undefined {
  switch (preview.status) {
    case "refused":
      throw refusedMerge(preview);
    case "conflict":
      return conflictOutcome({ story, tip }, preview);
    case "already-merged":
      return sameOutcome(story, `${shortBranch(preview.branch)} has all of ${story} already.`);
    case "ready":
    case "unfinished":
      return undefined;
  }
}

async function undo(context: CommandContext, merging: MergeContext, story: string): Promise<CommandOutcome> {
  if (!(await isAgreed(context, `Take the newest merge of ${story} back?`))) return declinedOutcome(story);
  const undone = await undoMerge(merging, { story });
  if (undone.status === "refused") throw refusedMerge(undone);
  return undoneOutcome(context, story, undone);
}
