import type { Fields } from "../events/fields.ts";
import type { CriteriaCount } from "./story-node.ts";

/** There may be more verdicts than criteria that were asked for. */
export function countCriteria(criteria: CriteriaCount, data: Fields): CriteriaCount {
  const all = data.within("work").list("criteria");
  const others = all.filter((one) => one.names().includes("required") && !one.isTrue("required"));
  const asked = Math.max(data.texts("criteria").length, all.length);
  return {
    ...criteria,
    advisory: new Set(others.map((one) => one.text("id"))),
    total: Math.max(asked - others.length, criteria.verdicts.size),
  };
}

/** A waived criterion counts like one that passed: it no longer blocks. */
export function recordVerdict(criteria: CriteriaCount, id: string, verdict: string): CriteriaCount {
  if (criteria.advisory.has(id)) return criteria;
  const verdicts = new Map([...criteria.verdicts, [id, verdict]]);
  const passed = [...verdicts.values()].filter((name) => name === "passed" || name === "waived").length;
  return { ...criteria, total: Math.max(criteria.total, verdicts.size), verdicts, passed };
}

/** The sums at the end replace the single verdicts if some of those were not seen. */
export function recordVerdictSums(criteria: CriteriaCount, data: Fields): CriteriaCount {
  // The sums count those that are not required as well.
  if (criteria.advisory.size > 0) return criteria;
  const passed = data.amount("passed");
  const total = passed + data.amount("failed") + data.amount("unverified");
  const isWhole = total >= criteria.verdicts.size;
  return { ...criteria, total: Math.max(total, criteria.total), passed: isWhole ? passed : criteria.passed };
}
