import { toKnownUsd } from "../../../base/money.ts";
import { safeText } from "../../../base/safe-text.ts";
import type { DelegationResult } from "../../../contract/delegation-request.ts";
import { describeFailure } from "../../../journal/failure-text.ts";
import type { Delegation } from "../../../journal/store.ts";
import { quoteAsData } from "../../delegation/data-block.ts";
import { recordEvent } from "../../delegation/record.ts";
import type { RunTools } from "../../ports/run-tools.ts";

const MAX_RESULT_TOKENS = 2000;
const MAX_TIGHT_TOKENS = 1000;
const KEPT_WHOLE = 3;
const CHARACTERS_PER_TOKEN = 4;

/**
 * The results of the workers that a manager waited for, at most 2,000 tokens each. If that does not fit into its context:
 * 1,000 each, then one line for all but the last three. `ambit tree` always shows everything.
 */
export async function describeResults(tools: RunTools, manager: Delegation): Promise<readonly string[]> {
  const tree = await tools.store.storyTree(manager.story);
  const workers = tree.filter(({ id, parent }) => parent === manager.id && manager.waitingFor.includes(id));
  const story = await tools.store.story(manager.story);
  // An agent that continues its session still has in its context what it reported.
  const reported = manager.agentSession === null ? 0 : tools.contexts.read(manager.id);
  const used = Math.max(manager.contextTokens, reported);
  const texts = fitResultsIntoContext(workers, (story?.limits.maxContextTokens ?? 100_000) - used);
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), used);
  await recordEvent(tools, manager, { type: "context-measured", data: { tokens } });
  return texts;
}

/** Pure: the texts for these workers in this much room. */
export function fitResultsIntoContext(workers: readonly Delegation[], roomTokens: number): readonly string[] {
  const whole = workers.map((worker) => describeWorker(worker, MAX_RESULT_TOKENS));
  if (sumTokens(whole) <= roomTokens) return whole;
  const tight = workers.map((worker) => describeWorker(worker, MAX_TIGHT_TOKENS));
  if (sumTokens(tight) <= roomTokens) return tight;
  const first = Math.max(0, workers.length - KEPT_WHOLE);
  return workers.map((worker, index) => (index < first ? summarizeWorker(worker) : (tight[index] ?? "")));
}

export function buildResult(worker: Delegation): DelegationResult {
  return {
    delegation_id: worker.id,
    success: worker.outcome === "completed",
    summary: worker.summary,
    files_changed: [...worker.filesChanged],
    // Its own workers are included; what was not reported is unknown, not free.
    cost: toKnownUsd(Math.max(worker.microUsd, worker.money.spent)),
    duration_ms: worker.durationMs,
    error: worker.code ?? worker.errors[0]?.code ?? null,
    ...(worker.errors.length === 0 ? {} : { errors: worker.errors.map((error) => ({ ...error })) }),
    ...(worker.nextSteps === "" ? {} : { next_steps: worker.nextSteps }),
    ...(worker.proof === null ? {} : { proof: worker.proof }),
  };
}

function describeWorker(worker: Delegation, maxTokens: number): string {
  const { outcome, id, description, branch } = { ...worker, branch: `delegation/${worker.id}` };
  const merged =
    outcome === "completed" ? "Its work is in your folder." : `Not merged; what it did is on ${branch}.`;
  const head = `${id} (${safeText(description)}) ended ${outcome ?? "open"}. ${merged}`;
  const record = [...describeFailure(worker), JSON.stringify(buildResult(worker))].join("\n");
  const room = maxTokens * CHARACTERS_PER_TOKEN - head.length - quoteAsData(id, "").length - CUT.length - 1;
  return `${head}\n${quoteAsData(id, record.length <= room ? record : `${record.slice(0, room)}${CUT}`)}`;
}

const CUT = "… (cut)";

function summarizeWorker({ id, outcome, summary }: Delegation): string {
  return `${id} ended ${outcome ?? "open"}.\n${quoteAsData(id, summary.slice(0, 120))}`;
}

function sumTokens(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + estimateTokens(text), 0);
}

/** Four characters per token is close enough for a limit that is itself a guess. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
