import type { Judgement } from "./judge.ts";
import { explainCriterion } from "./judging/explain-criterion.ts";
import { safeText } from "../base/safe-text.ts";

/** A judgement in lines for a person or a manager: the sum first, then what holds it up, then the rest. */
export function explainVerdict(judgement: Judgement): readonly string[] {
  const { criteria, why, rejected } = judgement;
  const blocking = new Set(judgement.blocking);
  const rest = criteria.filter(({ id }) => !blocking.has(id));
  return [
    sumOf(judgement),
    ...why,
    ...rest.flatMap((criterion) => explainCriterion(criterion, judgement.redBefore.includes(criterion.id))),
    ...rejected.map(({ code, message }) => safeText(`Not counted: ${message} (${code})`)),
  ];
}

function sumOf({ criteria, blocking, isAccepted, passed, failed, unverified, waived }: Judgement): string {
  if (criteria.length === 0) return "Accepted: no criterion was named, so nothing had to be proven.";
  const required = criteria.filter((criterion) => criterion.required).length;
  const counts = `${passed.length} passed, ${failed.length} failed, ${unverified.length} unverified, ${waived.length} waived`;
  if (!isAccepted)
    return `Not accepted: ${blocking.length} of ${required} required criteria are not met (${counts}).`;
  return `Accepted: all ${required} required criteria are met (${counts}).`;
}
