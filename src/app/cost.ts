import * as z from "zod";
import { outcomes } from "../contract/outcome.ts";
import { buildCostDocument } from "../reports/cost-document.ts";
import { buildCost } from "../reports/cost.ts";
import { findTarget } from "./project/find-target.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const input = () =>
  z.strictObject({ story: z.string().default("").describe("An id or its beginning; the newest by default") });

const reconciliation = () =>
  z
    .looseObject({ reported_usd: z.number(), list_price_usd: z.number(), difference_usd: z.number() })
    .nullable()
    .describe("The agents' own reports, compared with list prices");

const row = () =>
  z.looseObject({
    id: z.string(),
    parent: z.string().nullable(),
    depth: z.int(),
    description: z.string(),
    agent: z.string().nullable(),
    status: z.enum(["pending", "running", ...outcomes]),
    tokens_in: z.int(),
    tokens_out: z.int(),
    cost_usd: z.number().nullable(),
    estimated: z.boolean(),
    unpriced_tokens: z.int(),
    reconciliation: reconciliation(),
    total_cost_usd: z.number().nullable().describe("With all workers below it"),
  });

const nothingSpent = () =>
  z.looseObject({
    story: z.null(),
    delegations: z.array(row()),
    direct_cost_usd: z.number().nullable(),
    total_cost_usd: z.number().nullable(),
  });

const spent = () =>
  z.looseObject({
    story: z.string(),
    title: z.string(),
    direct_cost_usd: z.number().nullable(),
    direct: row().nullable(),
    delegations: z.array(row()),
    delegated_cost_usd: z.number().nullable(),
    total_cost_usd: z.number().nullable(),
    total_tokens_in: z.int(),
    total_tokens_out: z.int(),
    estimated: z.boolean(),
    unpriced_tokens: z.int().describe("Tokens of models without a known price; they are in no sum"),
    reconciliation: reconciliation(),
    depth_distribution: z.array(
      z.looseObject({ depth: z.int(), tasks: z.int(), cost_usd: z.number().nullable() }),
    ),
    overhead_usd: z.number().nullable(),
    overhead_percent: z.number().nullable(),
    time_saved_percent: z.number().nullable(),
    cost_alert_usd: z.number(),
    cost_alert: z.boolean(),
  });

export type CostDocument = z.output<ReturnType<typeof spent>>;
export type CostRowDocument = z.output<ReturnType<typeof row>>;

const output = () => z.union([spent(), nothingSpent()]);

/** Sums the cost of a story: itself, each delegation below it, and the total. */
export const costUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  run: (context, { story: word }) =>
    readStore(context, async (reader) => {
      const target = await findTarget(reader, word);
      if (reader === undefined || target === undefined)
        return { story: null, delegations: [], direct_cost_usd: 0, total_cost_usd: 0 };
      return { ...buildCostDocument(buildCost(target.story, await reader.storyTree(target.story.id))) };
    }),
});
