import type { Admission, Delegation } from "../journal/store.ts";
import type { LiveAttempts } from "./live/live-attempts.ts";
import { proveWork } from "./returned/prove-work.ts";
import type { RunTools } from "./ports/run-tools.ts";
import { parseDelegations, parseStory } from "./opening/parse.ts";
import { preflightStory } from "./opening/preflight.ts";
import { routeStory } from "./opening/route.ts";
import { admitDelegations, admitStory, prepareAttempt } from "./running/prepare/prepare-attempt.ts";
import { invokeAgent } from "./running/invoke/invoke-agent.ts";
import { validateReturn } from "./running/judge/validate-return.ts";
import { mergeWork } from "./merged/close-delegation.ts";
import { decideStep } from "./running/judge/decide-step.ts";
import { takeStep } from "./running/judge/take-step.ts";
import type { Step } from "./ports/step.ts";
import { admitWorkflow, type OpenedWorkflow } from "./workflow/admit-workflow.ts";
import { checkWorkflow } from "./workflow/check-workflow.ts";
import { parseWorkflow } from "./workflow/parse-workflow.ts";
import { routeWorkflow } from "./workflow/route-workflow.ts";

/**
 * One delegation, seven stages: parse, preflight, route, prepare, invoke, validate, settle. A story and a delegation
 * below it differ only in who asks. The first three refuse before anything is made; from then on the journal has the
 * line before the effect, so each function below can be called again after a crash and goes on from the last line.
 */
export async function openStory(tools: RunTools, input: unknown): Promise<string> {
  const request = parseStory(input);
  const checked = await preflightStory(tools, request);
  const routed = await routeStory(tools, checked);
  await admitStory(tools, routed);
  return routed.id;
}

/** A workflow command: the same first stages about a task. Its one worker then takes the same way as any other. */
export async function openWorkflow(tools: RunTools, input: unknown): Promise<OpenedWorkflow> {
  const request = parseWorkflow(input);
  const checked = await checkWorkflow(tools, request);
  const routed = await routeWorkflow(tools, checked);
  return admitWorkflow(tools, routed);
}

/** A manager hands out parts of its work; each is admitted or refused with its codes. */
export function delegate(
  tools: RunTools,
  manager: Delegation,
  input: unknown,
): Promise<readonly Admission[]> {
  return admitDelegations(tools, manager, parseDelegations(input));
}

/** `queued`: one process run of an agent, up to the line that says what follows from it. */
export async function runAttempt(tools: RunTools, live: LiveAttempts, queued: Delegation): Promise<Step> {
  const prepared = await prepareAttempt(tools, queued);
  if (prepared === undefined) return { kind: "no-slot" };
  const returned = await invokeAgent(tools, live, prepared);
  const judged = await validateReturn(tools, returned);
  const settlement = await takeStep(tools, judged, await decideStep(tools, judged));
  return settlement === undefined ? { kind: "moved" } : { kind: "close", settlement };
}

/**
 * `returned`: proven on the merged tree, then merged in the same go, before anybody else can move the branch.
 * `verified`: merged. `merged`: nothing is left but to close.
 */
export async function settleReturned(
  tools: RunTools,
  delegation: Delegation,
  signal?: AbortSignal,
): Promise<Step> {
  if (delegation.state === "returned") {
    const proof = await proveWork(tools, delegation, signal);
    if (proof.kind === "close" || proof.kind === "waiting") return proof;
    if (proof.kind === "again") return { kind: "moved" };
  }
  const proven = (await tools.store.delegation(delegation.id)) ?? delegation;
  const settlement = await mergeWork(tools, proven);
  return settlement === "again" ? { kind: "moved" } : { kind: "close", settlement };
}

/** The id of the story a request is about; refuses what is no request. */
export function storyOf(input: unknown): string {
  return parseStory(input).id;
}
