import * as z from "zod";
import { isStoreDamaged } from "../../base/file-trouble.ts";
import { hasErrorCode } from "../../base/files.ts";
import { reviewErrors } from "../../errors/work.ts";
import { getStateDirectory } from "../../project/state-directory.ts";
import { openRepository } from "../../workspace/repository.ts";
import { isWorkspaceId, undoRefName } from "../../workspace/branch-names.ts";
import { readBranchCommit } from "../../workspace/look-up.ts";
import type { MergeContext } from "../../workspace/merge.ts";
import type { MergePreview, MergeRequest } from "../../workspace/user-merge.ts";
import type { AppContext } from "../project/app-context.ts";
import { findTarget } from "../project/find-target.ts";
import { findProject, readStore } from "../project/open-project.ts";
import { findInGit, findMergeable, type Mergeable } from "./find-mergeable.ts";

export const mergeInput = () =>
  z.strictObject({
    id: z.string().describe("A story id or its beginning; empty for the newest story"),
    into: z.string().optional().describe("A branch other than the one that is checked out"),
    squash: z.boolean().optional().describe("As one commit"),
    sign: z.boolean().optional().describe("As one commit that your git signs with your key"),
    partial: z.boolean().optional().describe("Also a story that is not completed"),
  });

type MergeInput = z.output<ReturnType<typeof mergeInput>>;

const noStorySchema = () => z.looseObject({ story: z.null(), status: z.literal("no-story") });

const alreadyMergedSchema = () =>
  z.looseObject({
    story: z.string(),
    merged: z.literal(false),
    status: z.literal("already-merged"),
    branch: z.string().nullable().describe("Null when the story changed nothing"),
  });

const conflictSchema = () =>
  z.looseObject({
    story: z.string(),
    merged: z.literal(false),
    status: z.literal("conflict"),
    code: z.literal("MERGE_CONFLICT"),
    branch: z.string(),
    tip: z.string(),
    files: z.array(z.string()),
    notes: z.array(z.unknown()),
    replay_base: z
      .string()
      .nullable()
      .describe("Set when git merge would bring more than the story's changes"),
  });

/** The answers that a preview and a merge have in common. */
export const unmergedSchemas = () => [conflictSchema(), alreadyMergedSchema(), noStorySchema()] as const;

export type Unmerged = z.output<ReturnType<typeof unmergedSchemas>[number]>;

type Nothing = z.output<ReturnType<typeof alreadyMergedSchema> | ReturnType<typeof noStorySchema>>;

/** A story whose merge can be tried. */
interface OpenMerge {
  readonly merging: MergeContext;
  readonly mergeable: Mergeable;
  readonly request: MergeRequest;
}

/** Finds the story and its work and passes them to `use`; answers itself when there is nothing to merge. */
export async function withMergeable<Answer>(
  context: AppContext,
  input: MergeInput,
  use: (open: OpenMerge) => Promise<Answer>,
): Promise<Answer | Nothing> {
  const branch = input.into === undefined ? undefined : readBranchName(input.into);
  const merging = await openCheckout(context);
  const found = await findInStore(context, input, merging).catch((error: unknown) =>
    findWithoutStore(error, input, merging),
  );
  if (found === undefined) return { story: null, status: "no-story" };
  const { story, mergeable } = found;
  if (mergeable === undefined) return { story, merged: false, status: "already-merged", branch: null };
  const request = {
    story,
    tip: mergeable.tip,
    ...(branch === undefined ? {} : { branch }),
    ...(input.squash === true || input.sign === true ? { way: "squash" as const } : {}),
  };
  return use({ merging, mergeable, request });
}

interface FoundStory {
  readonly story: string;
  /** Undefined when it changed nothing. */
  readonly mergeable: Mergeable | undefined;
}

async function findInStore(
  context: AppContext,
  input: MergeInput,
  { repository }: MergeContext,
): Promise<FoundStory | undefined> {
  const story = await findWholeStory(context, input.id);
  if (story === undefined) return undefined;
  const mergeable = await readStore(context, async (reader) => {
    const target = await findTarget(reader, story);
    if (target === undefined) return undefined;
    return findMergeable(repository, { reader, story: target.story, partial: input.partial === true });
  });
  return { story, mergeable };
}

/** The store is damaged or does not know the story; its branch in git has the work all the same. */
async function findWithoutStore(
  error: unknown,
  { id, partial }: MergeInput,
  { repository }: MergeContext,
): Promise<FoundStory> {
  const mergeable = isStoreLost(error) ? await findInGit(repository, id) : undefined;
  if (mergeable === undefined) throw error;
  if (partial !== true) throw reviewErrors.storyOnlyInGit(id, error);
  return { story: id, mergeable };
}

/** The id of the story that a word means; undefined before the first story. */
async function findWholeStory(context: AppContext, word: string): Promise<string | undefined> {
  const target = await readStore(context, (reader) => findTarget(reader, word));
  if (target !== undefined && target.id !== target.story.id)
    throw reviewErrors.onlyWholeStories(target.id, target.story.id);
  return target?.id;
}

/** The same for a merge that is taken back: what git has noted of it is enough. */
export async function findUndoneStory(context: AppContext, word: string): Promise<string | undefined> {
  try {
    return await findWholeStory(context, word);
  } catch (error) {
    if (!isStoreLost(error) || !isWorkspaceId(word)) throw error;
    const { repository } = await openCheckout(context);
    if ((await readBranchCommit(repository, undoRefName(word))) === null) throw error;
    return word;
  }
}

function isStoreLost(error: unknown): boolean {
  return isStoreDamaged(error) || hasErrorCode(error, "STORY_NOT_FOUND");
}

/** The checkout that the request comes from, which may be a linked one, and the state that all of them share. */
export async function openCheckout(context: AppContext): Promise<MergeContext> {
  const { root } = findProject(context);
  const repository = await openRepository(context.directory, {
    searchPath: context.environment["PATH"] ?? "/usr/bin:/bin",
    home: context.homeDirectory ?? "/",
  });
  return { repository, stateDirectory: getStateDirectory(root) };
}

/** Git allows these characters in no branch name. */
const NEVER_IN_A_NAME = /[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/\/|^[-/]|[/.]$|\.lock$/u;

function readBranchName(name: string): string {
  if (name === "" || NEVER_IN_A_NAME.test(name)) throw reviewErrors.notABranchName(name);
  return name.startsWith("refs/heads/") ? name : `refs/heads/${name}`;
}

/** `main` of `refs/heads/main` */
export function shortenBranch(ref: string): string {
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : ref;
}

type Impossible = Extract<MergePreview, { readonly status: "refused" | "conflict" | "already-merged" }>;

/** Why a merge cannot be made or is not needed; a refusal is thrown. */
export function describeImpossible({ story, tip }: Mergeable, preview: Impossible) {
  if (preview.status === "refused") throw reviewErrors.mergeRefused(story, preview);
  const branch = shortenBranch(preview.branch);
  const common = { story, merged: false, branch } as const;
  if (preview.status === "already-merged") return { ...common, status: preview.status };
  const { files, notes, replayBase } = preview;
  const code = "MERGE_CONFLICT" as const;
  const base = { replay_base: replayBase ?? null };
  return { ...common, status: preview.status, code, tip, files: [...files], notes: [...notes], ...base };
}
