import { adviseDepth, adviseSplit } from "./split/advise.ts";
import { meetingsOf, shapeOf } from "./split/shape.ts";
import type { SplitFacts, SplitPrediction, Spread } from "./split/split.ts";

export { readHistory } from "./split/history.ts";
export type {
  PlannedPart,
  PlanOrigin,
  SplitFacts,
  SplitHistory,
  SplitPrediction,
  SplitVerdict,
  Spread,
} from "./split/split.ts";

/** The delegation gate: what dividing a story would mean, and whether it is worth it. Pure; it never refuses. */
export function predictSplit(facts: SplitFacts): SplitPrediction {
  const { parts, limits, history } = facts;
  const shape = shapeOf(parts, limits.maxConcurrent);
  const { meetings, pairs } = meetingsOf(parts);
  const advice = adviseSplit(facts, { shape, meetings, pairs });
  const workers = workersOf(facts);
  const verdict = isOverBudget(facts, workers) && advice.verdict === "split" ? "fewer" : advice.verdict;
  const reasons = isOverBudget(facts, workers) ? [...advice.reasons, budgetReason(facts)] : advice.reasons;
  return {
    origin: facts.origin,
    workers,
    atOnce: Math.min(limits.maxConcurrent, parts.length === 0 ? workers.most : shape.widest),
    chain: shape.chain,
    isSequential: parts.length > 1 && shape.widest === 1,
    hours: shape.hours,
    cost: costOf(facts, workers),
    aloneMicroUsd: history.aloneMicroUsd?.middle ?? null,
    overlaps: meetings,
    depth: adviseDepth(facts, verdict),
    verdict,
    reasons,
  };
}

type Workers = SplitPrediction["workers"];

/** An example only shows how many there may be; where nobody planned, earlier stories say it, else the limits. */
function workersOf({ origin, parts, limits, history }: SplitFacts): Workers {
  const most = limits.enabled && limits.maxDepth > 0 ? limits.maxDelegations : 0;
  const count = Math.min(parts.length, most);
  if (origin === "template" || origin === "directives") return { least: count, most: count };
  if (origin === "example") return { least: Math.min(2, count), most: count };
  if (history.fanOut === null) return { least: 0, most };
  return { least: Math.min(history.fanOut.low, most), most: Math.min(history.fanOut.high, most) };
}

const ENOUGH_WORKERS = 3;

function costOf(facts: SplitFacts, workers: Workers): SplitPrediction["cost"] {
  const { history, listMicroUsd } = facts;
  const isKnown = history.workerMicroUsd !== null && history.workers >= ENOUGH_WORKERS;
  const spread = isKnown ? history.workerMicroUsd : listMicroUsd;
  if (spread === null || workers.most === 0) return null;
  return {
    ...rangeOf(spread, workers),
    from: isKnown ? "history" : "price list",
    samples: isKnown ? history.workers : 0,
  };
}

function rangeOf({ low, high }: Spread, { least, most }: Workers) {
  return { lowMicroUsd: low * Math.max(1, least), highMicroUsd: high * most };
}

function isOverBudget(facts: SplitFacts, workers: Workers): boolean {
  const most = facts.budgetMicroUsd ?? facts.limits.storyMicroUsd;
  const cost = costOf(facts, workers);
  return most !== null && cost !== null && cost.lowMicroUsd > most;
}

function budgetReason({ budgetMicroUsd, limits }: SplitFacts): string {
  const most = budgetMicroUsd ?? limits.storyMicroUsd ?? 0;
  return `it would cost more than its budget of $${(most / 1_000_000).toFixed(2)}`;
}
