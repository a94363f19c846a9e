import type { DelegationResult } from "../../../contract/delegation-request.ts";
import type { Delegation } from "../../../journal/store.ts";
import type { RunTools } from "../../ports/run-tools.ts";

const RESULT_TOKENS = 2000;
const TIGHT_TOKENS = 1000;
const KEPT_WHOLE = 3;
const CHARACTERS_PER_TOKEN = 4;

/**
 * What a manager is told about each worker it waited for: at most 2,000 tokens each. Where that does not fit into its
 * context it becomes 1,000 each, then one line for all but the last three; the whole is always in `ambit tree`.
 */
export async function describeResults(tools: RunTools, manager: Delegation): Promise<readonly string[]> {
  const tree = await tools.store.storyTree(manager.story);
  const workers = tree.filter(({ id, parent }) => parent === manager.id && manager.waitingFor.includes(id));
  const story = await tools.store.story(manager.story);
  const room = (story?.limits.maxContextTokens ?? 100_000) - manager.contextTokens;
  const texts = fitResults(workers, room);
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), manager.contextTokens);
  const { id, attempt } = manager;
  await tools.store.record({
    type: "context-measured",
    story: manager.story,
    delegation: id,
    attempt,
    data: { tokens },
  });
  return texts;
}

/** Pure: the texts for these workers in this much room. */
export function fitResults(workers: readonly Delegation[], roomTokens: number): readonly string[] {
  const whole = workers.map((worker) => describe(worker, RESULT_TOKENS));
  if (sum(whole) <= roomTokens) return whole;
  const tight = workers.map((worker) => describe(worker, TIGHT_TOKENS));
  if (sum(tight) <= roomTokens) return tight;
  const first = Math.max(0, workers.length - KEPT_WHOLE);
  return workers.map((worker, index) => (index < first ? inOneLine(worker) : (tight[index] ?? "")));
}

export function resultOf(worker: Delegation): DelegationResult {
  return {
    delegation_id: worker.id,
    success: worker.outcome === "completed",
    summary: worker.summary,
    files_changed: [...worker.filesChanged],
    cost: worker.microUsd / 1_000_000,
    duration_ms: worker.durationMs,
    error: worker.code,
  };
}

function describe(worker: Delegation, mostTokens: number): string {
  const { outcome, id, description, branch } = { ...worker, branch: `delegation/${worker.id}` };
  const merged =
    outcome === "completed" ? "Its work is in your folder." : `Not merged; what it did is on ${branch}.`;
  const text = `${id} (${description}) ended ${outcome ?? "open"}. ${merged}\n${JSON.stringify(resultOf(worker))}`;
  const most = mostTokens * CHARACTERS_PER_TOKEN;
  return text.length <= most ? text : `${text.slice(0, most - 20)}… (cut)`;
}

function inOneLine(worker: Delegation): string {
  return `${worker.id} ended ${worker.outcome ?? "open"}: ${worker.summary.slice(0, 120)}`;
}

function sum(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + estimateTokens(text), 0);
}

/** Four characters a token is close enough for a bound that is itself a guess. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
