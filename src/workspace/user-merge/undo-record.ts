import * as z from "zod";
import { readCommitTree } from "../git/create-tree-commit.ts";
import { isObjectId, readRefCommit } from "../git/read-head.ts";
import { undoRefName } from "../git/ref-names.ts";
import { changeRefs } from "../git/refs.ts";
import { getRefPlace, type Repository } from "../git/repository.ts";
import { readGitLine, runGit } from "../git/run-git.ts";
import { createCommitObject } from "../merge/create-commit-object.ts";
import {
  editsSchema,
  exactSchema,
  foldersSchema,
  marksSchema,
  permissionsSchema,
  type MergeIntent,
} from "./intent.ts";

const objectId = z.string().refine(isObjectId);
const recordSchema = z.strictObject({
  version: z.literal(1),
  story: z.string(),
  way: z.enum(["fast-forward", "merge-commit", "squash"]),
  branch: z.string(),
  from: objectId,
  to: objectId,
  /** The commit of the story that was merged; records of earlier versions do not have it. */
  tip: objectId.optional(),
  edits: editsSchema.optional(),
  permissions: permissionsSchema.optional(),
  folders: foldersSchema.optional(),
  marks: marksSchema.optional(),
  /** Records of earlier versions, and of merges without files, do not have it. */
  replaced: exactSchema.optional(),
  /** The previous merge of the same story. */
  previous: objectId.nullable(),
});

export type UndoRecord = Readonly<z.infer<typeof recordSchema>>;

/**
 * Records a merge as a commit that keeps the branch's old and new value. Recording the same merge again changes
 * nothing.
 */
export async function pushUndoRecord(repository: Repository, intent: MergeIntent): Promise<void> {
  const { story, way, branch, from, to, tip, edits, permissions, folders, marks, replaced, timeSeconds } =
    intent;
  const last = await readUndoRecord(repository, story);
  if (last?.record.from === from && last.record.to === to && last.record.branch === branch) return;
  const previous = last?.commit ?? null;
  const kinds = { edits, permissions, folders, marks, replaced };
  const record: UndoRecord = { version: 1, story, way, branch, from, to, tip, ...kinds, previous };
  const kept = [
    ...(edits === undefined ? [] : [edits.index.from, edits.index.to, edits.files.from, edits.files.to]),
    ...(await collectBlobs(repository, Object.values(replaced ?? {}))),
  ];
  const commit = await createCommitObject(repository, {
    tree: await readCommitTree(repository, to),
    parents: [from, to, ...(previous === null ? [] : [previous]), ...(await keepTrees(repository, kept))],
    message: `${JSON.stringify(record)}\n`,
    timeSeconds,
  });
  await changeRefs(repository, [{ ref: undoRefName(story), to: commit }]);
}

/** Makes a tree with some blobs in it. */
async function collectBlobs(repository: Repository, blobs: readonly string[]): Promise<readonly string[]> {
  if (blobs.length === 0) return [];
  const stdin = [...new Set(blobs)].map((id) => `100644 blob ${id}\t${id}\0`).join("");
  return [await readGitLine({ place: getRefPlace(repository), arguments: ["mktree", "-z"], stdin })];
}

/** Git keeps a tree only as part of a commit. */
function keepTrees(repository: Repository, trees: readonly string[]): Promise<readonly string[]> {
  const commits = [...new Set(trees)].map((tree) =>
    createCommitObject(repository, { tree, parents: [], message: "", timeSeconds: 0 }),
  );
  return Promise.all(commits);
}

/** Forgets the newest merge of a story after it was undone. */
export async function popUndoRecord(
  repository: Repository,
  story: string,
  undone: MergeIntent,
): Promise<void> {
  const last = await readUndoRecord(repository, story);
  const isLast = last?.record.from === undone.to && last.record.to === undone.from;
  if (isLast)
    await changeRefs(repository, [{ ref: undoRefName(story), to: last.record.previous ?? undefined }]);
}

export async function readUndoRecord(
  repository: Repository,
  story: string,
): Promise<{ readonly commit: string; readonly record: UndoRecord } | undefined> {
  const commit = await readRefCommit(repository, undoRefName(story));
  if (commit === undefined) return undefined;
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["cat-file", "commit", commit],
  });
  const text = stdout.toString("utf8");
  const message: unknown = JSON.parse(text.slice(text.indexOf("\n\n") + 2));
  return { commit, record: recordSchema.parse(message) };
}
