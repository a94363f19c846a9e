import type { AppContext } from "../../app/app-context.ts";
import { diffUseCase } from "../../app/diff.ts";
import type { Diff } from "../wire.ts";

const MAX_PATCH_BYTES = 1024 * 1024;

/** What one delegation changed, or a story's proven work. */
export async function readWorkDiff(context: AppContext, id: string): Promise<Diff> {
  const input = diffUseCase.input().parse({ id, kind: "patch", maxBytes: MAX_PATCH_BYTES });
  const { from, to, files, added, removed, patch, is_cut: isCut } = await diffUseCase.run(context, input);
  return {
    from: from ?? "",
    to: to ?? "",
    files: files.map(({ path, kind, old_path: oldPath, added: plus, removed: minus }) => ({
      path,
      oldPath,
      kind,
      added: plus,
      removed: minus,
    })),
    added,
    removed,
    patch: patch ?? "",
    isCut,
  };
}
