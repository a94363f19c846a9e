import { adviseDepth, adviseSplit } from "./split/advise.ts";
import { findMeetings, measureShape } from "./split/shape.ts";
import type { SplitFacts, SplitPrediction, Spread } from "./split/split.ts";

export { findAdaptedDepth, readDepthPolicy } from "./split/adapt-depth.ts";
export { readHistory } from "./split/history.ts";
export type {
  PlannedPart,
  PlanOrigin,
  SplitFacts,
  SplitHistory,
  SplitPrediction,
  Spread,
} from "./split/split.ts";

/** Predicts the effects of dividing a story, and whether it is worth it. Pure; it never refuses. */
export function predictSplit(facts: SplitFacts): SplitPrediction {
  const { parts, limits, history } = facts;
  const shape = measureShape(parts, limits.maxConcurrent);
  const { meetings, pairs } = findMeetings(parts);
  const advice = adviseSplit(facts, { shape, meetings, pairs });
  const workers = predictWorkers(facts);
  const verdict = isOverBudget(facts, workers) && advice.verdict === "split" ? "fewer" : advice.verdict;
  const reasons = isOverBudget(facts, workers) ? [...advice.reasons, explainBudget(facts)] : advice.reasons;
  return {
    origin: facts.origin,
    workers,
    atOnce: Math.min(limits.maxConcurrent, parts.length === 0 ? workers.most : shape.widest),
    chain: shape.chain,
    isSequential: parts.length > 1 && shape.widest === 1,
    hours: shape.hours,
    cost: predictCost(facts, workers),
    aloneMicroUsd: history.aloneMicroUsd?.middle ?? null,
    overlaps: meetings,
    depth: adviseDepth(facts, verdict),
    verdict,
    reasons,
  };
}

type Workers = SplitPrediction["workers"];

/** An example only shows how many there may be; without a plan, earlier stories decide, else the limits. */
function predictWorkers({ origin, parts, limits, history }: SplitFacts): Workers {
  const most = limits.enabled && limits.maxDepth > 0 ? limits.maxDelegations : 0;
  const count = Math.min(parts.length, most);
  if (origin === "template" || origin === "directives") return { least: count, most: count };
  if (origin === "example") return { least: Math.min(2, count), most: count };
  if (history.fanOut === null) return { least: 0, most };
  return { least: Math.min(history.fanOut.low, most), most: Math.min(history.fanOut.high, most) };
}

const MIN_WORKERS = 3;

function predictCost(facts: SplitFacts, workers: Workers): SplitPrediction["cost"] {
  const { history, listMicroUsd } = facts;
  const isKnown = history.workerMicroUsd !== null && history.workers >= MIN_WORKERS;
  const spread = isKnown ? history.workerMicroUsd : listMicroUsd;
  if (spread === null || workers.most === 0) return null;
  return {
    ...multiplyRange(spread, workers),
    from: isKnown ? "history" : "price list",
    samples: isKnown ? history.workers : 0,
  };
}

function multiplyRange({ low, high }: Spread, { least, most }: Workers) {
  return { lowMicroUsd: low * Math.max(1, least), highMicroUsd: high * most };
}

function isOverBudget(facts: SplitFacts, workers: Workers): boolean {
  const most = facts.budgetMicroUsd ?? facts.limits.storyMicroUsd;
  const cost = predictCost(facts, workers);
  return most !== null && cost !== null && cost.lowMicroUsd > most;
}

function explainBudget({ budgetMicroUsd, limits }: SplitFacts): string {
  const most = budgetMicroUsd ?? limits.storyMicroUsd ?? 0;
  return `it would cost more than its budget of $${(most / 1_000_000).toFixed(2)}`;
}
