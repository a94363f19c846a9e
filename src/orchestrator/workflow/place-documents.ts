import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomBase36 } from "../../base/ids.ts";
import type { WorkflowTools } from "../project/create-workflow-tools.ts";

export interface Placement {
  readonly path: string;
  /** `kept`: the person's own version differs and stays. */
  readonly result: "placed" | "there" | "kept";
}

export interface Placing {
  /** Proven documents, all below one task's folder. */
  readonly paths: readonly string[];
  readonly commit: string;
  /** What the worker started from. */
  readonly base: string;
}

/**
 * Brings a command's documents into the person's files, where nothing of theirs is in the way: a path must be free, or
 * still hold what the worker started from. Links are never followed.
 */
export async function placeDocuments(
  workflow: Pick<WorkflowTools, "projectRoot" | "readFile">,
  { paths, commit, base }: Placing,
): Promise<readonly Placement[]> {
  const placements: Placement[] = [];
  for (const path of paths) {
    const proven = await workflow.readFile(commit, path);
    if (proven === undefined) continue;
    const before = await workflow.readFile(base, path);
    placements.push({ path, result: place(workflow.projectRoot, path, { proven, before }) });
  }
  return placements;
}

function place(
  root: string,
  path: string,
  { proven, before }: { readonly proven: Buffer; readonly before: Buffer | undefined },
): Placement["result"] {
  if (!isReachedPlainly(root, path)) return "kept";
  const file = join(root, path);
  const own = readOwn(file);
  if (own !== undefined && own.equals(proven)) return "there";
  const isFree = own === undefined || (before !== undefined && own.equals(before));
  if (!isFree) return "kept";
  mkdirSync(dirname(file), { recursive: true });
  const beside = `${file}.ambit-${randomBase36(8)}`;
  writeFileSync(beside, proven);
  renameSync(beside, file);
  return "placed";
}

/** Every folder on the way is one, and what is there now is a plain file or nothing. */
function isReachedPlainly(root: string, path: string): boolean {
  const names = path.split("/");
  return names.every((_, index) => {
    const facts = lstatSync(join(root, ...names.slice(0, index + 1)), { throwIfNoEntry: false });
    if (facts === undefined) return true;
    return index === names.length - 1 ? facts.isFile() : facts.isDirectory();
  });
}

function readOwn(file: string): Buffer | undefined {
  return lstatSync(file, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(file);
}
