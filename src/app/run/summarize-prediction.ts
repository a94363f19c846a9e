import { countThings } from "../../base/count-things.ts";
import { formatUsd, parseMicroUsd } from "../../base/money.ts";
import type { Prediction } from "./prediction.ts";

/** The prediction and the advice in one line, for the start of a run. */
export function summarizePrediction(prediction: Prediction): string {
  const facts = [summarizeWorkers(prediction), summarizeOrder(prediction), summarizeCost(prediction)].filter(
    (text) => text !== undefined,
  );
  return `expected: ${facts.join(", ")}; ${describeAdvice(prediction.advice, prediction.reasons.slice(0, 1))}`;
}

export function describeAdvice(advice: Prediction["advice"], reasons: readonly string[]): string {
  return [adviceWords[advice], ...(reasons.length === 0 ? [] : [reasons.join("; ")])].join(": ");
}

export const adviceWords: Readonly<Record<Prediction["advice"], string>> = {
  split: "dividing is worth it",
  fewer: "divide it differently",
  alone: "better not divided",
  open: "its agent decides",
};

export function summarizeWorkers({ workers: { least, most } }: Prediction): string {
  if (most === 0) return "no workers";
  if (least === most) return countThings(most, "worker");
  return least === 0 ? `at most ${most} workers` : `${least} to ${most} workers`;
}

export function summarizeOrder(prediction: Prediction): string | undefined {
  const { at_once: atOnce, sequential, chain, workers } = prediction;
  if (workers.most === 0) return undefined;
  if (sequential) return "one after the other";
  return `${atOnce} at once${chain > 1 ? `, ${chain} in a row` : ""}`;
}

export function summarizeCost({ cost_usd: cost, undivided_usd: alone }: Prediction): string | undefined {
  if (cost === null) return undefined;
  const undivided = alone === null ? "" : `; undivided about ${formatDollars(alone)}`;
  const source = cost.from === "history" ? `${cost.samples} earlier workers` : "price list, rough";
  return `${formatDollars(cost.low)} to ${formatDollars(cost.high)} (${source}${undivided})`;
}

/** `$3.70` */
export function formatDollars(dollars: number): string {
  return formatUsd(parseMicroUsd(dollars));
}
