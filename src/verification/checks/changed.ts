import { compileGlobs } from "../../base/glob.ts";
import { safeText } from "../../base/safe-text.ts";
import type { CheckFinding } from "../check-result.ts";

const MOST_SHOWN = 5;

/** Some changed path matches the pattern; the paths are git's, never the worker's own account. */
export function checkChanged(pattern: string, changedFiles: readonly string[]): CheckFinding {
  const matching = changedFiles.filter(compileGlobs([pattern.trim()]));
  const paths = matching.slice(0, MOST_SHOWN);
  const proof = { kind: "changed", pattern, matches: matching.length, paths } as const;
  if (matching.length === 0) {
    const evidence = safeText(`None of ${changedFiles.length} changed file(s) matches ${pattern}.`);
    return { verdict: "failed", code: "CHECK_FAILED", evidence, proof };
  }
  const more = matching.length > paths.length ? ", …" : "";
  const evidence = safeText(
    `${matching.length} changed file(s) match ${pattern}: ${paths.join(", ")}${more}`,
  );
  return { verdict: "passed", code: null, evidence, proof };
}
