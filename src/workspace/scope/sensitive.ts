import { compileGlobs } from "../../base/glob.ts";
import { sensitiveFiles, type SensitiveReason } from "./sensitive-files.ts";

export type { SensitiveReason } from "./sensitive-files.ts";

/**
 * Finds the reason for a path. Names are compared without regard to case: on many systems `MAKEFILE` is `Makefile`.
 * `agentSettings` are globs of the settings that agents read.
 */
export function compileSensitivePaths(
  agentSettings: readonly string[],
): (path: string) => SensitiveReason | undefined {
  const matchers = Object.keys(sensitiveFiles)
    .filter(isListedReason)
    .map((reason) => {
      const listed = sensitiveFiles[reason].map(([glob]) => glob);
      const globs = [...listed, ...(reason === "agent-settings" ? agentSettings : [])];
      return { reason, matches: compileGlobs(globs.map((glob) => glob.toLowerCase())) };
    });
  return (path) => {
    const folded = path.toLowerCase();
    return matchers.find(({ matches }) => matches(folded))?.reason;
  };
}

function isListedReason(text: string): text is keyof typeof sensitiveFiles {
  return Object.hasOwn(sensitiveFiles, text);
}
