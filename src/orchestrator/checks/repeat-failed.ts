import type { Criterion } from "../../contract/task.ts";
import type { CheckResult } from "../../verification/run-checks.ts";
import type { CheckSettings } from "../ports/run-tools.ts";

/** Runs some criteria again, in another fresh checkout. */
export type RunAgain = (
  criteria: readonly Criterion[],
  turn: number,
) => Promise<readonly CheckResult[] | undefined>;

/**
 * Repeats commands that ended with a failure. A command that passes then counts as passed and is marked as flaky: the
 * tree is the same, so another attempt of the worker would change nothing. A command that ran into a limit is not
 * repeated.
 */
export async function repeatFailed(
  results: readonly CheckResult[],
  { retries }: Pick<CheckSettings, "retries">,
  runAgain: RunAgain,
): Promise<readonly CheckResult[]> {
  let current = results;
  for (let turn = 1; ; turn += 1) {
    const failed = current.filter((result) => mayRepeat(result, turn, retries));
    const again = failed.length === 0 ? undefined : await runAgain(failed.map(listCriterion), turn);
    if (again === undefined) return current;
    current = current.map((result) => {
      const passed = again.find(
        ({ criterion, verdict }) => criterion === result.criterion && verdict === "passed",
      );
      return failed.includes(result) && passed !== undefined ? describeFlaky(result, passed) : result;
    });
  }
}

function mayRepeat({ criterion: { check }, code }: CheckResult, turn: number, retries: number): boolean {
  if (code !== "CHECK_FAILED" || check === undefined || !("command" in check)) return false;
  return turn <= (check.retries ?? retries);
}

function listCriterion({ criterion }: CheckResult): Criterion {
  return criterion;
}

function describeFlaky(failed: CheckResult, passed: CheckResult): CheckResult {
  const [first = ""] = failed.evidence.split("\n");
  const evidence = `Flaky: ${first} On the same tree it passed when it was repeated.\n${passed.evidence}`;
  return { ...passed, evidence, isFlaky: true };
}
