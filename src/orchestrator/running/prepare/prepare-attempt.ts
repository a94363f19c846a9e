import type { Delegation } from "../../../journal/store.ts";
import { redactCredentials, redactValue } from "../../../redaction/redact.ts";
import { nameAttemptFiles, writePrompt, type AttemptFiles } from "../../delegation/attempt-files.ts";
import { recordPlace } from "../../delegation/keep-work.ts";
import { readLease } from "../../delegation/lease.ts";
import { findManagerHead } from "../../delegation/manager-branch.ts";
import type { StartFacts } from "../../ports/git-tools.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import { chooseIsolation } from "../../../routing/choose-isolation.ts";
import type { WorkPlace } from "../../ports/work-place.ts";
import { buildPrompt, buildWorkerPrd } from "./build-prompt.ts";
import { prepareTurn } from "./prepare-turn.ts";

export interface PreparedAttempt {
  readonly delegation: Delegation;
  readonly place: WorkPlace;
  readonly files: AttemptFiles;
  readonly prompt: string;
}

/** Takes the slot, finds or makes the workspace, writes the prompt. Undefined if the store had no slot after all. */
export async function prepareAttempt(
  tools: RunTools,
  queued: Delegation,
): Promise<PreparedAttempt | undefined> {
  const lease = await readLease(tools, queued.story);
  if ((await tools.store.begin(queued.id, queued.attempt + 1, lease)) !== "ok") return undefined;
  const begun = await tools.store.delegation(queued.id);
  if (begun === undefined) throw new TypeError(`${queued.id} is not in the store`);
  const delegation = forgetSession(tools, begun);
  const place = await findOrMakePlace(tools, delegation);
  const turn = await prepareTurn(tools, delegation, place);
  const { id, attempt } = delegation;
  const files = nameAttemptFiles(tools.stateDirectory, { id, attempt, outbox: place.outbox });
  const prompt = redactCredentials(await buildPrompt(tools, { delegation, files, turn })).text;
  writePrompt(files, prompt, redactValue(buildWorkerPrd(delegation)).value);
  return { delegation, place, files, prompt };
}

/** Another machine may have had the session of its agent, and sessions stay where they are. */
function forgetSession({ leaseMs, hasSession }: RunTools, delegation: Delegation): Delegation {
  if (leaseMs === undefined || delegation.agentSession === null) return delegation;
  if (hasSession?.(delegation) === true) return delegation;
  const sessionUse = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, microUsd: 0 };
  return { ...delegation, agentSession: null, sessionUse };
}

/** After a crash, a workspace may exist that the journal does not know yet; before a first attempt there is none. */
async function findOrMakePlace(tools: RunTools, delegation: Delegation): Promise<WorkPlace> {
  const isFirst = delegation.attempt === 1 && delegation.workspace === null;
  const found = isFirst ? undefined : await tools.git.findPlace(delegation);
  if (found !== undefined && delegation.workspace !== null) return found;
  if (found !== undefined) {
    await recordPlace(tools, delegation, { place: found });
    return found;
  }
  const { place, start } = await makePlace(tools, delegation);
  await recordPlace(tools, delegation, { place, start });
  await checkBase(tools, delegation, place.base);
  return place;
}

const MAX_BASE_WAIT_MS = 10_000;
/** Programs that spend no tokens. */
const freeAdapters: ReadonlySet<string> = new Set(["command", "scripted"]);

/**
 * A story's agent that costs money starts a little later, so that a person first learns which checks fail without any
 * change.
 */
async function checkBase(tools: RunTools, delegation: Delegation, base: string): Promise<void> {
  const { parent, work } = delegation;
  if (tools.baseChecks === undefined) return;
  await tools.baseChecks.begin(delegation, base);
  if (parent === null && !freeAdapters.has(work?.adapter ?? ""))
    await tools.baseChecks.wait(delegation, MAX_BASE_WAIT_MS);
}

interface MadePlace {
  readonly place: WorkPlace;
  readonly start: StartFacts | undefined;
}

/**
 * A story starts from its person's present state, a worker from its manager's, a reviewer from the work that it reviews.
 */
async function makePlace(tools: RunTools, delegation: Delegation): Promise<MadePlace> {
  const { id, work, story } = delegation;
  const settings = await tools.settings();
  const { isolation } = chooseIsolation([settings, { isolation: work?.isolation }]);
  const { base, start } = await findStart(tools, delegation, isolation);
  const pooled = delegation.depth > 0;
  // The person's own state is set up as the person would do it; files of a sandboxed worker are not.
  const isFromWorkers = delegation.parent !== null || work?.holdsSandboxedWork === true;
  const holdsSandboxedWork = isFromWorkers && (await tools.store.hasSandboxedWork(story));
  const sandboxSetUp = holdsSandboxedWork ? { network: work?.network ?? false } : undefined;
  const place = await tools.git.makePlace({ id, story, base, isolation, pooled, sandboxSetUp });
  // Its earlier workspace was on another machine; the work that was kept of it continues here.
  if (delegation.tip !== null && delegation.tip !== base) await place.advance(delegation.tip);
  return { place, start };
}

interface Start {
  readonly base: string;
  /** Known if it is the person's present state. */
  readonly start?: StartFacts;
}

async function findStart(
  tools: RunTools,
  { id, parent, work, base: before }: Delegation,
  isolation: WorkPlace["isolation"],
): Promise<Start> {
  if (before !== null) return { base: before };
  if (work?.base !== undefined) return { base: work.base };
  if (parent !== null) return { base: (await findManagerHead(tools, parent)).commit };
  const { commit: base, start } = await tools.git.snapshot(id, { isShown: isolation === "worktree" });
  return { base, start };
}
