import * as z from "zod";
import { toUsdNumber } from "../../base/money.ts";
import type { SplitPrediction } from "../../orchestrator/predict-split.ts";

const usd = () => z.number().min(0).describe("US dollars");

/** The delegation gate's prediction, before a story is divided. */
export const predictionSchema = () =>
  z.looseObject({
    origin: z.enum(["template", "example", "directives", "nobody"]),
    workers: z.looseObject({ least: z.int(), most: z.int() }),
    at_once: z.int(),
    chain: z.int(),
    sequential: z.boolean(),
    hours: z.looseObject({ work: z.number(), elapsed: z.number() }).nullable(),
    cost_usd: z
      .looseObject({ low: usd(), high: usd(), from: z.enum(["history", "price list"]), samples: z.int() })
      .nullable(),
    undivided_usd: usd().nullable(),
    overlaps: z.array(z.looseObject({ one: z.string(), other: z.string(), at: z.string() })),
    depth: z.looseObject({ advised: z.int(), reason: z.string() }),
    advice: z.enum(["split", "fewer", "alone", "open"]),
    reasons: z.array(z.string()),
  });

export type Prediction = z.output<ReturnType<typeof predictionSchema>>;

export function describePrediction(prediction: SplitPrediction): Prediction {
  const { workers, cost, hours, depth, aloneMicroUsd } = prediction;
  return {
    origin: prediction.origin,
    workers: { least: workers.least, most: workers.most },
    at_once: prediction.atOnce,
    chain: prediction.chain,
    sequential: prediction.isSequential,
    hours: hours === null ? null : { work: hours.work, elapsed: hours.elapsed },
    cost_usd: cost === null ? null : describeCost(cost),
    undivided_usd: aloneMicroUsd === null ? null : toUsdNumber(aloneMicroUsd),
    overlaps: prediction.overlaps.map(({ one, other, at }) => ({ one, other, at })),
    depth: { advised: depth.advised, reason: depth.reason },
    advice: prediction.verdict,
    reasons: [...prediction.reasons],
  };
}

function describeCost({ lowMicroUsd, highMicroUsd, from, samples }: NonNullable<SplitPrediction["cost"]>) {
  return { low: toUsdNumber(lowMicroUsd), high: toUsdNumber(highMicroUsd), from, samples };
}
