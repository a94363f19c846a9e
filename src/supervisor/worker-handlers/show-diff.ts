import { homedir } from "node:os";
import * as z from "zod";
import { DelegationError } from "../../base/delegation-error.ts";
import type { Delegation } from "../../journal/store.ts";
import type { Engine } from "../../orchestrator/engine.ts";
import { identify, keepOwnWork, readBelow, readFields } from "../../orchestrator/worker-calls.ts";
import { openRepository, type Repository } from "../../workspace/repository.ts";
import { readDiff, type DiffFile } from "../../workspace/show-diff.ts";

export interface DiffPlace {
  readonly projectRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const diffSchema = z.strictObject({
  id: z.string().min(1).max(400).optional(),
  kind: z.enum(["stat", "patch"]).default("stat"),
  paths: z.array(z.string().min(1).max(4096)).max(100).default([]),
});

/** An agent reads it whole; more would not help it. */
const MOST_BYTES = 128 * 1024;

/** What was kept of the caller's own work, or of a delegation below it, against what it began with. */
export function diffShower(
  engine: Engine,
  { projectRoot, environment }: DiffPlace,
): (input: unknown) => Promise<object> {
  let opened: Promise<Repository> | undefined;
  const repository = (): Promise<Repository> =>
    (opened ??= openRepository(projectRoot, {
      searchPath: environment["PATH"] ?? "/usr/bin:/bin",
      home: environment["HOME"] ?? homedir(),
    }));
  return async (input) => {
    const { caller, fields } = identify(engine, input);
    const { id, kind, paths } = readFields(diffSchema, fields);
    const wanted = await readBelow(engine, caller, id ?? caller.id);
    const delegation = wanted.id === caller.id ? await keepOwnWork(engine, caller) : wanted;
    const { base, tip } = delegation;
    if (base === null || tip === null) throw nothingKept(delegation);
    const diff = await readDiff(await repository(), {
      from: base,
      to: tip,
      kind,
      paths,
      maxBytes: MOST_BYTES,
    });
    return {
      delegation_id: delegation.id,
      from: base,
      to: tip,
      files: diff.files.map(tellFile),
      added: diff.added,
      removed: diff.removed,
      patch: kind === "patch" ? diff.text : null,
      is_cut: diff.isCut,
    };
  };
}

function tellFile({ path, kind, oldPath, added, removed }: DiffFile): object {
  return { path, kind, old_path: oldPath ?? null, added, removed };
}

function nothingKept({ id, state }: Delegation): DelegationError {
  return new DelegationError({
    code: "WORKSPACE_NOT_FOUND",
    message: `Nothing has been kept of ${id} yet; it is ${state}.`,
    recommendation: "Wait until it has ended, or read its output.",
    recoverable: true,
  });
}
