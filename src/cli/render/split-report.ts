import { formatUsd, usdNumber } from "../../ledger/money.ts";
import type { SplitPrediction, SplitVerdict } from "../../orchestrator/predict-split.ts";

/** The gate in one line, for the start of a run: what is predicted, and the advice. */
export function renderGateLine(prediction: SplitPrediction): string {
  const { reasons } = prediction;
  const facts = [countText(prediction), orderText(prediction), costText(prediction)].filter(
    (text) => text !== undefined,
  );
  return `gate: ${facts.join(", ")}; ${adviceWords[prediction.verdict]}: ${reasons[0] ?? ""}`;
}

const adviceWords: Readonly<Record<SplitVerdict, string>> = {
  split: "dividing is worth it",
  fewer: "divide it differently",
  alone: "better not divided",
  open: "not decided",
};

/** Everything the gate found, one fact per line. */
export function renderPrediction(prediction: SplitPrediction): readonly string[] {
  const { overlaps, depth, hours, verdict, reasons } = prediction;
  const rows = [
    ["workers", `${countText(prediction)} (${origins[prediction.origin]})`],
    ["order", orderText(prediction) ?? "not known yet"],
    ...(hours === null ? [] : [["hours", hoursText(hours)]]),
    ["cost", costText(prediction) ?? "not known: no history here, and no price for the model"],
    ...overlaps.slice(0, SHOWN).map(({ one, other, at }) => ["overlap", `${one} and ${other}: ${at}`]),
    ...(overlaps.length > SHOWN ? [["overlap", `and ${overlaps.length - SHOWN} more`]] : []),
    ["depth", `${depth.advised}: ${depth.reason}`],
    ["advice", `${adviceWords[verdict]}: ${reasons.join("; ")}`],
  ];
  return rows.map(([name = "", text = ""]) => `  ${name.padEnd(9)} ${text}`);
}

const SHOWN = 5;

const origins: Readonly<Record<SplitPrediction["origin"], string>> = {
  template: "the template names them",
  example: "as in the template's example",
  directives: "written in the story",
  nobody: "its agent decides",
};

function countText({ workers: { least, most } }: SplitPrediction): string {
  if (most === 0) return "no workers";
  if (least === most) return `${most} worker${most === 1 ? "" : "s"}`;
  return least === 0 ? `at most ${most} workers` : `${least} to ${most} workers`;
}

function orderText({ atOnce, isSequential, chain, workers }: SplitPrediction): string | undefined {
  if (workers.most === 0) return undefined;
  if (isSequential) return "one after the other";
  return `${atOnce} at once${chain > 1 ? `, ${chain} in a row` : ""}`;
}

function hoursText({ work, elapsed }: NonNullable<SplitPrediction["hours"]>): string {
  return `${round(work)} of work in about ${round(elapsed)}`;
}

function costText({ cost, aloneMicroUsd }: SplitPrediction): string | undefined {
  const alone = aloneMicroUsd === null ? "" : `; undivided about ${formatUsd(aloneMicroUsd)}`;
  if (cost === null) return undefined;
  const from = cost.from === "history" ? `${cost.samples} earlier workers` : "price list, rough";
  return `${formatUsd(cost.lowMicroUsd)} to ${formatUsd(cost.highMicroUsd)} (${from}${alone})`;
}

function round(hours: number): number {
  return Math.round(hours * 10) / 10;
}

/** For `--json`. */
export function predictionDocument(prediction: SplitPrediction): Readonly<Record<string, unknown>> {
  const { workers, cost, hours, depth, aloneMicroUsd } = prediction;
  return {
    origin: prediction.origin,
    workers: { least: workers.least, most: workers.most },
    at_once: prediction.atOnce,
    chain: prediction.chain,
    sequential: prediction.isSequential,
    hours: hours === null ? null : { work: hours.work, elapsed: hours.elapsed },
    cost_usd:
      cost === null
        ? null
        : {
            low: usdNumber(cost.lowMicroUsd),
            high: usdNumber(cost.highMicroUsd),
            from: cost.from,
            samples: cost.samples,
          },
    undivided_usd: aloneMicroUsd === null ? null : usdNumber(aloneMicroUsd),
    overlaps: prediction.overlaps.map(({ one, other, at }) => ({ one, other, at })),
    depth: { advised: depth.advised, reason: depth.reason },
    advice: prediction.verdict,
    reasons: [...prediction.reasons],
  };
}
