import { groupDigits } from "../../../base/group-digits.ts";
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
  const isNewSession = manager.turn.kind === "handover";
  const { used, max } = await measureContext(tools, manager, isNewSession);
  const texts = fitResultsIntoContext(await listAwaited(tools, manager), max - used);
  await recordEvent(tools, manager, { type: "context-measured", data: { tokens: used + sumTokens(texts) } });
  return texts;
}

/** Explains to a manager that not even the shortest results fit into its session, so that it needs a new one. */
export async function explainFullContext(tools: RunTools, manager: Delegation): Promise<string | undefined> {
  const { used, max } = await measureContext(tools, manager, false);
  const tokens = sumTokens(fitResultsIntoContext(await listAwaited(tools, manager), max - used));
  if (used === 0 || used + tokens <= max) return undefined;
  const [held, needed, allowed] = [used, tokens, max].map(groupDigits);
  return `The context held ${held} tokens, the results need ${needed}, and ${allowed} are allowed: it continues in a new session.`;
}

interface ContextUse {
  readonly used: number;
  readonly max: number;
}

async function measureContext(
  tools: RunTools,
  manager: Delegation,
  isNewSession: boolean,
): Promise<ContextUse> {
  const max = (await tools.store.story(manager.story))?.limits.maxContextTokens ?? 100_000;
  if (isNewSession) return { used: 0, max };
  // An agent that continues its session still has the reported tokens in its context.
  const reported = manager.agentSession === null ? 0 : tools.contexts.read(manager.id);
  return { used: Math.max(manager.contextTokens, reported), max };
}

async function listAwaited(
  tools: RunTools,
  { id, story, waitingFor }: Delegation,
): Promise<readonly Delegation[]> {
  const tree = await tools.store.storyTree(story);
  return tree.filter((worker) => worker.parent === id && waitingFor.includes(worker.id));
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

function buildResult(worker: Delegation): DelegationResult {
  return {
    delegation_id: worker.id,
    success: worker.outcome === "completed",
    summary: worker.summary,
    files_changed: [...worker.filesChanged],
    // Its own workers are included; a cost that was not reported is unknown, not zero.
    cost: toKnownUsd(Math.max(worker.microUsd, worker.money.spent)),
    duration_ms: worker.durationMs,
    error: worker.code ?? worker.errors[0]?.code ?? null,
    ...(worker.errors.length === 0 ? {} : { errors: worker.errors.map((error) => ({ ...error })) }),
    ...(worker.nextSteps === "" ? {} : { next_steps: worker.nextSteps }),
    ...(worker.proof === null ? {} : { proof: worker.proof }),
  };
}

/** The same for the answer to a call, which is cut nowhere else: the files that fit into 2,000 tokens. */
export function buildShortResult(
  worker: Delegation,
): DelegationResult & { readonly files_left_out?: number } {
  const { files_changed: files, ...rest } = buildResult(worker);
  const room = MAX_RESULT_TOKENS * CHARACTERS_PER_TOKEN - JSON.stringify(rest).length - FIELDS_LENGTH;
  let length = 0;
  const kept = files.filter((file) => (length += JSON.stringify(file).length + 1) <= room);
  const left = files.length - kept.length;
  return { ...rest, files_changed: kept, ...(left === 0 ? {} : { files_left_out: left }) };
}

/** The length of the two fields about files without the files themselves. */
const FIELDS_LENGTH = 60;

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
