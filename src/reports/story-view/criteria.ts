import type { CriteriaCount } from "../story-node.ts";
import type { Fields } from "./fields.ts";

/** At least as many as were asked for; verdicts may be about more. */
export function countCriteria(criteria: CriteriaCount, total: number): CriteriaCount {
  return { ...criteria, total: Math.max(total, criteria.verdicts.size) };
}

/** A waived criterion is not in the way any more, as one that passed. */
export function seeVerdict(criteria: CriteriaCount, id: string, verdict: string): CriteriaCount {
  const verdicts = new Map([...criteria.verdicts, [id, verdict]]);
  const passed = [...verdicts.values()].filter((name) => name === "passed" || name === "waived").length;
  return { total: Math.max(criteria.total, verdicts.size), verdicts, passed };
}

/** The sums at the end; they count where the single verdicts were not seen. */
export function seeVerdicts(criteria: CriteriaCount, data: Fields): CriteriaCount {
  const passed = data.amount("passed");
  const total = passed + data.amount("failed") + data.amount("unverified");
  const isWhole = total >= criteria.verdicts.size;
  return { ...criteria, total: Math.max(total, criteria.total), passed: isWhole ? passed : criteria.passed };
}
