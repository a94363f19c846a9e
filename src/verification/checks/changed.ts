import { countThings } from "../../base/count-things.ts";
import { compileGlobs } from "../../base/glob.ts";
import { safeText } from "../../base/safe-text.ts";
import type { CheckFinding } from "../criteria/check-result.ts";

const MAX_SHOWN_PATHS = 5;

/** Passes if a changed path matches the pattern. The paths come from git, never from the worker. */
export function checkChanged(pattern: string, changedFiles: readonly string[]): CheckFinding {
  const matching = changedFiles.filter(compileGlobs([pattern.trim()]));
  const paths = matching.slice(0, MAX_SHOWN_PATHS);
  const proof = { kind: "changed", pattern, matches: matching.length, paths } as const;
  if (matching.length === 0) {
    const evidence = safeText(
      `None of ${countThings(changedFiles.length, "changed file")} matches ${pattern}.`,
    );
    return { verdict: "failed", code: "CHECK_FAILED", evidence, proof };
  }
  const more = matching.length > paths.length ? ", …" : "";
  const evidence = safeText(
    `${countThings(matching.length, "changed file")} ${matching.length === 1 ? "matches" : "match"} ${pattern}: ${paths.join(", ")}${more}`,
  );
  return { verdict: "passed", code: null, evidence, proof };
}
