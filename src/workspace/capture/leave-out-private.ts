import { findEnvironment, findEnvironmentRoots, looksSecret } from "../files/private-names.ts";
import type { StatusEntry } from "../git/status.ts";
import type { LeftOut } from "./sort-out.ts";

export interface PublicEntries {
  readonly kept: readonly StatusEntry[];
  /** An environment counts as one folder. */
  readonly leftOut: readonly LeftOut[];
}

/** Leaves out untracked files that look like secrets or belong to an environment. Tracked files are always kept. */
export function leaveOutPrivate(entries: readonly StatusEntry[]): PublicEntries {
  const untracked = entries.filter(({ kind }) => kind === "untracked");
  const roots = findEnvironmentRoots(untracked.map(({ path }) => path.toString("latin1")));
  const found = new Map<string, LeftOut>();
  const kept = entries.filter((entry) => {
    const leftOut = entry.kind === "untracked" ? describePrivate(entry, roots) : undefined;
    if (leftOut !== undefined) found.set(leftOut.path.toString("latin1"), leftOut);
    return leftOut === undefined;
  });
  return { kept, leftOut: [...found.values()] };
}

function describePrivate({ path }: StatusEntry, roots: readonly string[]): LeftOut | undefined {
  const name = path.toString("latin1");
  const environment = findEnvironment(name, roots);
  if (environment !== undefined) return { path: Buffer.from(environment, "latin1"), reason: "environment" };
  return looksSecret(name) ? { path, reason: "looks-secret" } : undefined;
}
