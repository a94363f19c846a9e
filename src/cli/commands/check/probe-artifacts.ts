import { readdirSync, realpathSync, statSync, type Stats } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { DelegationError } from "../../../base/delegation-error.ts";
import type { ArtifactProbe, ArtifactState } from "../../../contract/validate-return.ts";
import { excerpt } from "../../../base/visible-text.ts";

/** Looks for artifacts in a project on disk; links are followed, and one that leads out is not an artifact. */
export function probeArtifacts(root: string, directory: string): ArtifactProbe {
  const home = findRoot(root, directory);
  return (path) => probe(home, path);
}

function findRoot(root: string, directory: string): string {
  try {
    const home = realpathSync(resolve(directory, root));
    if (statSync(home).isDirectory()) return home;
  } catch {
    // Told below in the same words: whatever the reason, there is no such directory for us.
  }
  throw new DelegationError({
    code: "INPUT_UNREADABLE",
    message: `--root ${excerpt(root, 200)} is not a directory that can be read`,
    recommendation: "Name the directory that the artifact paths are relative to.",
  });
}

function probe(home: string, path: string): ArtifactState {
  try {
    const real = realpathSync(resolve(home, path));
    const inside = relative(home, real);
    if (inside === ".." || inside.startsWith(`..${sep}`)) return "escapes";
    return isEmpty(real, statSync(real)) ? "empty" : "file";
  } catch {
    // Missing, forbidden or a loop of links: nobody could read it as an artifact.
    return "missing";
  }
}

function isEmpty(path: string, stats: Stats): boolean {
  return stats.isDirectory() ? readdirSync(path).length === 0 : stats.size === 0;
}
