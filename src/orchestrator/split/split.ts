import type { Limits } from "../../contract/limits.ts";

/** One part, as far as it is planned. */
export interface PlannedPart {
  readonly name: string;
  readonly hours: number | null;
  /** The positions of the parts it waits for; always earlier ones. */
  readonly after: readonly number[];
  readonly scope: readonly string[];
}

/** The source of the parts. The last value is a published one: the agent itself will decide. */
export type PlanOrigin = "template" | "example" | "directives" | "nobody";

/** The lower quarter, the middle and the upper quarter of the measured values. */
export interface Spread {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** How the workers of one depth ended. */
export interface DepthResults {
  readonly depth: number;
  readonly ended: number;
  readonly completed: number;
}

/** Statistics of earlier stories of this project. */
export interface SplitHistory {
  readonly stories: number;
  /** The stories that had at least one worker. */
  readonly divided: number;
  /** Workers per divided story. */
  readonly fanOut: Spread | null;
  /** The number of workers that ended and used anything. */
  readonly workers: number;
  readonly workerMicroUsd: Spread | null;
  readonly workerMs: Spread | null;
  /** The cost of a story that was not divided. */
  readonly aloneMicroUsd: Spread | null;
  /** How workers ended, by depth from 1. */
  readonly byDepth: readonly DepthResults[];
}

export interface SplitFacts {
  readonly origin: PlanOrigin;
  readonly parts: readonly PlannedPart[];
  readonly storyScope: readonly string[];
  readonly limits: Limits;
  /** The story's own budget, if it has one. */
  readonly budgetMicroUsd: number | null;
  readonly history: SplitHistory;
  /** The cost of one worker by the price list, if the model is known. */
  readonly listMicroUsd: Spread | null;
}

export type SplitVerdict = "split" | "fewer" | "alone" | "open";

export interface ScopeMeeting {
  readonly one: string;
  readonly other: string;
  readonly at: string;
}

export interface SplitPrediction {
  readonly origin: PlanOrigin;
  readonly workers: { readonly least: number; readonly most: number };
  /** The maximum of workers at the same time. */
  readonly atOnce: number;
  /** Longest chain of parts that wait for each other. */
  readonly chain: number;
  readonly isSequential: boolean;
  readonly hours: { readonly work: number; readonly elapsed: number } | null;
  readonly cost: {
    readonly lowMicroUsd: number;
    readonly highMicroUsd: number;
    readonly from: "history" | "price list";
    readonly samples: number;
  } | null;
  readonly aloneMicroUsd: number | null;
  readonly overlaps: readonly ScopeMeeting[];
  readonly depth: { readonly advised: number; readonly reason: string };
  readonly verdict: SplitVerdict;
  /** Never empty: the first one is the most important. */
  readonly reasons: readonly string[];
}
