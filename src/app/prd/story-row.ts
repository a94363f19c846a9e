import * as z from "zod";
import { toUsdNumber } from "../../base/money.ts";
import { workProofs } from "../../contract/work-proof.ts";
import type { StoreReader } from "../../journal/store.ts";
import { predictionSchema } from "../run/prediction.ts";

/** One story of a file, as the answer lists it. */
export const storyRowSchema = () =>
  z.looseObject({
    id: z.string(),
    outcome: z.string().describe("Or: passes, skipped, running, planned"),
    run: z.string().optional().describe("The story that ran for it"),
    starts_from: z.string().nullable().optional().describe("The run it builds on; null: your files"),
    because: z.string().optional().describe("Why it was skipped"),
    success: z.boolean().optional(),
    summary: z.string().optional(),
    files_changed: z.array(z.string()).optional(),
    tokens_in: z.int().optional(),
    tokens_out: z.int().optional(),
    cost: z.number().optional().describe("US dollars, with its workers"),
    duration_ms: z.number().nullable().optional(),
    proof: z.enum(workProofs).nullable().optional().describe("What its checks prove"),
    error: z.string().nullable().optional(),
    prediction: predictionSchema().optional(),
  });

export type StoryRow = z.output<ReturnType<typeof storyRowSchema>>;

/** The figures of a run in the form of a delegation's result (R47, R132). */
export async function readRunResult(
  reader: StoreReader | undefined,
  run: string,
): Promise<Partial<StoryRow>> {
  const tree = (await reader?.storyTree(run)) ?? [];
  const root = tree.find(({ id }) => id === run);
  if (root === undefined) return {};
  const sum = (read: (one: (typeof tree)[number]) => number): number =>
    tree.reduce((total, one) => total + read(one), 0);
  return {
    success: root.outcome === "completed",
    summary: root.summary,
    files_changed: [...root.filesChanged],
    tokens_in: sum(({ inputTokens, cachedTokens }) => inputTokens + cachedTokens),
    tokens_out: sum(({ outputTokens }) => outputTokens),
    cost: toUsdNumber(sum(({ microUsd }) => microUsd)),
    duration_ms: root.durationMs,
    proof: root.proof,
    error: root.outcome === "completed" ? null : (root.code ?? root.outcome),
  };
}
