import { homedir } from "node:os";
import * as z from "zod";
import { supervisorErrors } from "../../errors/supervisor.ts";
import { findWorkEnds } from "../../orchestrator/find-work-ends.ts";
import {
  identifyCaller,
  keepOwnWork,
  readFromSubtree,
  readFields,
  type EngineCalls,
} from "../../orchestrator/worker-calls.ts";
import { getStateDirectory } from "../../project/state-directory.ts";
import { openRepository } from "../../workspace/repository.ts";
import { readDiff, type DiffFile } from "../../workspace/show-diff.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";

export interface DiffPlace {
  readonly projectRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const diffSchema = z.strictObject({
  id: z.string().min(1).max(400).optional(),
  kind: z.enum(["stat", "patch"]).default("stat"),
  paths: z.array(z.string().min(1).max(4096)).max(100).default([]),
});

/** An agent reads the whole patch; more would not help it. */
const MAX_PATCH_BYTES = 128 * 1024;

/** Answers the changes of the caller, or of a delegation below it: the same two ends that `ambit diff` compares. */
export function createDiffHandler(
  engine: EngineCalls,
  place: DiffPlace,
): (input: unknown) => Promise<object> {
  let opened: Promise<WorkspaceSettings> | undefined;
  return async (input) => {
    const { caller, fields } = identifyCaller(engine, input);
    const { id, kind, paths } = readFields(diffSchema, fields);
    const wanted = await readFromSubtree(engine, caller, id ?? caller.id);
    const delegation = wanted.id === caller.id ? await keepOwnWork(engine, caller) : wanted;
    const root = await engine.read(delegation.story);
    const workspaces = await (opened ??= openWorkspaces(place));
    const ends = await findWorkEnds(workspaces, { delegation, root, against: "base" });
    if (ends.status === "nothing-kept") throw supervisorErrors.nothingKept(delegation);
    const { from, to, warnings } = ends;
    const diff = await readDiff(workspaces.repository, { from, to, kind, paths, maxBytes: MAX_PATCH_BYTES });
    return {
      delegation_id: delegation.id,
      from,
      to,
      files: diff.files.map(describeFile),
      added: diff.added,
      removed: diff.removed,
      patch: kind === "patch" ? diff.text : null,
      is_cut: diff.isCut,
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  };
}

async function openWorkspaces({ projectRoot, environment }: DiffPlace): Promise<WorkspaceSettings> {
  const repository = await openRepository(projectRoot, {
    searchPath: environment["PATH"] ?? "/usr/bin:/bin",
    home: environment["HOME"] ?? homedir(),
  });
  return { repository, stateDirectory: getStateDirectory(projectRoot) };
}

function describeFile({ path, kind, oldPath, added, removed }: DiffFile): object {
  return { path, kind, old_path: oldPath ?? null, added, removed };
}
