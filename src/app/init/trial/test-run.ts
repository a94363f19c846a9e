import { countTests, type TestCounts } from "../../../verification/count-tests.ts";
import { readOutputEnd, type CheckResult } from "../../../verification/run-checks.ts";

/** How the test command ended in one place. */
export interface TestRun {
  readonly verdict: "passed" | "failed" | "unverified";
  readonly exitCode: number | null;
  readonly counts: TestCounts | undefined;
  readonly failing: readonly string[];
  readonly durationMs: number;
  /** For people: the first line is the result. */
  readonly evidence: string;
  /** The end of its output, to be searched. */
  readonly output: string;
}

export function readTestRun(result: CheckResult | undefined): TestRun {
  if (result === undefined) return describeNotRun("It was not run.");
  const { verdict, evidence, proof } = result;
  if (proof?.kind !== "command") return { ...describeNotRun(evidence), verdict };
  const output = proof.log === null ? proof.output : readOutputEnd(proof.log);
  return {
    verdict,
    evidence,
    output,
    exitCode: proof.exit_code,
    counts: countTests(output),
    failing: proof.failing ?? [],
    durationMs: proof.duration_ms,
  };
}

export function describeNotRun(evidence: string): TestRun {
  return {
    verdict: "unverified",
    exitCode: null,
    counts: undefined,
    failing: [],
    durationMs: 0,
    evidence,
    output: evidence,
  };
}

/** Whether two runs say the same: exit code, failing tests and, where the test runner tells them, counts. */
export function isSameRun(home: TestRun, other: TestRun): boolean {
  if (home.verdict !== other.verdict || home.exitCode !== other.exitCode) return false;
  if (home.failing.toSorted().join("\n") !== other.failing.toSorted().join("\n")) return false;
  if (home.counts === undefined || other.counts === undefined) return true;
  return home.counts.passed === other.counts.passed && home.counts.failed === other.counts.failed;
}
