import { keepSchemaCopy } from "../../config/schema-copy.ts";
import { findCommonDirectory } from "../../project/find-project.ts";
import { getStateDirectory, openOwnState } from "../../project/state-directory.ts";

/** Puts the schema where the first line of ambit.yaml says. Without it an editor only explains less. */
export async function offerSchema(root: string, version: string): Promise<void> {
  if (findCommonDirectory(root) === undefined) return;
  try {
    openOwnState(root);
    await keepSchemaCopy(getStateDirectory(root), version);
  } catch {
    // The next supervisor tries again, and reports it.
  }
}
