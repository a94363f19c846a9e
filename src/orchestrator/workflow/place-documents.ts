import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomBase36 } from "../../base/ids.ts";
import type { WorkflowTools } from "../ports/workflow-tools.ts";

export interface Placement {
  readonly path: string;
  /** `kept`: the person's own version differs and stays. */
  readonly result: "placed" | "there" | "kept";
}

export interface Placing {
  /** Proven documents, all below one task's folder. */
  readonly paths: readonly string[];
  readonly commit: string;
  /** The commit that the worker started from. */
  readonly base: string;
}

/**
 * Copies a command's documents into the person's files without overwriting their changes: a path must be free, or still
 * hold the version that the worker started from. Links are never followed.
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
    placements.push({ path, result: placeDocument(workflow.projectRoot, path, { proven, before }) });
  }
  return placements;
}

function placeDocument(
  root: string,
  path: string,
  { proven, before }: { readonly proven: Buffer; readonly before: Buffer | undefined },
): Placement["result"] {
  if (!isPlainPath(root, path)) return "kept";
  const file = join(root, path);
  const own = readExisting(file);
  if (own !== undefined && own.equals(proven)) return "there";
  const isFree = own === undefined || (before !== undefined && own.equals(before));
  if (!isFree) return "kept";
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.ambit-${randomBase36(8)}`;
  writeFileSync(temporary, proven);
  renameSync(temporary, file);
  return "placed";
}

/** Whether every parent is a real folder, and the path itself is a plain file or free. */
function isPlainPath(root: string, path: string): boolean {
  const names = path.split("/");
  return names.every((_, index) => {
    const facts = lstatSync(join(root, ...names.slice(0, index + 1)), { throwIfNoEntry: false });
    if (facts === undefined) return true;
    return index === names.length - 1 ? facts.isFile() : facts.isDirectory();
  });
}

function readExisting(file: string): Buffer | undefined {
  return lstatSync(file, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(file);
}
