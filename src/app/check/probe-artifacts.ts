import { readdirSync, realpathSync, statSync, type Stats } from "node:fs";
import { resolve } from "node:path";
import { isInside } from "../../base/files.ts";
import type { ArtifactProbe, ArtifactState } from "../../contract/validate-return.ts";
import { inputErrors } from "../../errors/input.ts";

/** Looks for artifacts in a project on disk; links are followed, and one that leads out is not an artifact. */
export function probeArtifacts(root: string, directory: string): ArtifactProbe {
  const home = findRoot(root, directory);
  return (path) => probeArtifact(home, path);
}

function findRoot(root: string, directory: string): string {
  try {
    const home = realpathSync(resolve(directory, root));
    if (statSync(home).isDirectory()) return home;
  } catch {
    // The error below says the same for every reason.
  }
  throw inputErrors.notADirectory(root);
}

function probeArtifact(home: string, path: string): ArtifactState {
  try {
    const real = realpathSync(resolve(home, path));
    if (!isInside(real, home)) return "escapes";
    return isEmpty(real, statSync(real)) ? "empty" : "file";
  } catch {
    // Missing, forbidden or a loop of links: it cannot be read as an artifact.
    return "missing";
  }
}

function isEmpty(path: string, stats: Stats): boolean {
  return stats.isDirectory() ? readdirSync(path).length === 0 : stats.size === 0;
}
