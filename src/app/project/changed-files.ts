import * as z from "zod";
import type { DiffFile } from "../../workspace/show-diff.ts";

/** A changed file as documents tell it. */
export const changedFileSchema = () =>
  z.looseObject({
    path: z.string(),
    kind: z.enum(["added", "changed", "removed", "renamed"]),
    old_path: z.string().nullable().describe("Only for renamed files"),
    added: z.int().nullable().describe("Lines; null for binary files"),
    removed: z.int().nullable(),
  });

export type ChangedFile = z.output<ReturnType<typeof changedFileSchema>>;

export function describeChangedFile({ path, kind, oldPath, added, removed }: DiffFile): ChangedFile {
  return { path, kind, old_path: oldPath ?? null, added, removed };
}
