import { diffUseCase } from "./diff.ts";
import type { AppContext } from "./project/app-context.ts";
import type { Diff } from "./view-types.ts";

const MAX_PATCH_BYTES = 1024 * 1024;

/** What one delegation changed: what was kept of it, or its files as they are now while it works. */
export async function readWorkDiff(context: AppContext, id: string): Promise<Diff> {
  const question = { id, kind: "patch", against: "base", maxBytes: MAX_PATCH_BYTES } as const;
  const answer = await diffUseCase.run(context, question);
  return {
    from: answer.from ?? "",
    to: answer.to ?? "",
    files: answer.files.map(({ path, kind, old_path: oldPath, added, removed }) => ({
      path,
      oldPath,
      kind,
      added,
      removed,
    })),
    added: answer.added,
    removed: answer.removed,
    patch: answer.patch ?? "",
    isCut: answer.is_cut,
    isLive: answer.is_live,
  };
}
