import type { Delegation } from "../../../journal/store.ts";
import { redactCredentials, redactValue } from "../../../redaction/redact.ts";
import { nameAttemptFiles, writePrompt, type AttemptFiles } from "../../delegation/attempt-files.ts";
import { recordPlace } from "../../delegation/keep-work.ts";
import { readLease } from "../../delegation/lease.ts";
import { findManagerHead } from "../../delegation/manager-branch.ts";
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

/** Takes the slot, finds or makes the workspace, writes the prompt. Undefined when the store had no slot after all. */
export async function prepareAttempt(
  tools: RunTools,
  queued: Delegation,
): Promise<PreparedAttempt | undefined> {
  const begun = await tools.store.begin(queued.id, queued.attempt + 1, await readLease(tools));
  if (begun !== "ok") return undefined;
  const delegation = await tools.store.delegation(queued.id);
  if (delegation === undefined) throw new TypeError(`${queued.id} is not in the store`);
  const place = await findOrMakePlace(tools, delegation);
  const turn = await prepareTurn(tools, delegation, place);
  const { id, attempt } = delegation;
  const files = nameAttemptFiles(tools.stateDirectory, { id, attempt, outbox: place.outbox });
  const prompt = redactCredentials(await buildPrompt(tools, { delegation, files, turn })).text;
  writePrompt(files, prompt, redactValue(buildWorkerPrd(delegation)).value);
  return { delegation, place, files, prompt };
}

/** After a crash, a workspace may exist that the journal does not know yet; before a first attempt there is none. */
async function findOrMakePlace(tools: RunTools, delegation: Delegation): Promise<WorkPlace> {
  const isFirst = delegation.attempt === 1 && delegation.workspace === null;
  const found = isFirst ? undefined : await tools.git.findPlace(delegation);
  if (found !== undefined && delegation.workspace !== null) return found;
  const place = found ?? (await makePlace(tools, delegation));
  await recordPlace(tools, delegation, place);
  return place;
}

/** A story starts from what its person sees, a worker from what its manager has. */
async function makePlace(tools: RunTools, delegation: Delegation): Promise<WorkPlace> {
  const { id, work, story } = delegation;
  const settings = await tools.settings();
  const { isolation } = chooseIsolation([settings, { isolation: work?.isolation }]);
  const base =
    delegation.parent === null
      ? (delegation.work?.base ?? (await tools.git.snapshot(id)).commit)
      : (await findManagerHead(tools, delegation.parent)).commit;
  const pooled = delegation.depth > 0;
  // The person's own state is set up as the person would; what a sandboxed worker wrote is not.
  const isFromWorkers = delegation.parent !== null || work?.holdsSandboxedWork === true;
  const holdsSandboxedWork = isFromWorkers && (await tools.store.hasSandboxedWork(story));
  const sandboxSetUp = holdsSandboxedWork ? { network: work?.network ?? false } : undefined;
  return tools.git.makePlace({ id, base, isolation, pooled, sandboxSetUp });
}
