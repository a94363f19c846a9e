import type { Admission, Delegation } from "../../../journal/store.ts";
import { attemptFiles, writePrompt, type AttemptFiles } from "../../delegation/attempt-files.ts";
import { buildPrompt, workerPrd } from "./build-prompt.ts";
import { recordPlace } from "../../delegation/keep-work.ts";
import { managerHead } from "../../delegation/manager-branch.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import { furnishTurn } from "./prepare-turn.ts";
import { isolationOf, type WorkPlace } from "../../project/work-places.ts";
import type { DelegationsRequest } from "../../opening/parse.ts";
import { routeDelegations, type RoutedStory } from "../../opening/route.ts";

export const LEASE_MS = 60_000;

export interface PreparedAttempt {
  readonly delegation: Delegation;
  readonly place: WorkPlace;
  readonly files: AttemptFiles;
  readonly prompt: string;
}

/** The story enters the journal; nothing else has happened yet. */
export async function admitStory(tools: RunTools, story: RoutedStory): Promise<void> {
  const { id, title, agentName, settings, work, fileScope, budgetMicroUsd, budgetTokens } = story;
  await tools.store.openStory({
    id,
    kind: "story",
    title,
    agent: agentName,
    limits: settings.limits,
    work: { ...work, context: [work.context, ...story.notes].filter((part) => part !== "").join("\n") },
    ...(fileScope === undefined ? {} : { scope: fileScope }),
    ...(budgetMicroUsd === undefined ? {} : { budgetMicroUsd }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
  });
  await addNotes(tools, { id, story: id }, [story.reason, ...story.warnings, ...story.notes]);
}

async function addNotes(
  tools: RunTools,
  { id, story }: Pick<Delegation, "id" | "story">,
  texts: readonly string[],
): Promise<void> {
  for (const text of texts)
    await tools.store.record({ type: "note-added", story, delegation: id, attempt: 0, data: { text } });
}

/** A manager's batch: every limit is checked in one transaction, and each request admitted or refused with its codes. */
export async function admitDelegations(
  tools: RunTools,
  manager: Delegation,
  tasks: DelegationsRequest,
): Promise<readonly Admission[]> {
  const requests = await routeDelegations(tools, manager, tasks);
  const batch = { parent: manager.id, parentAttempt: manager.attempt, requests };
  const admissions = await tools.store.admit(batch);
  // All at once: the store writes what is asked for together in one go.
  await Promise.all(
    admissions.map((admission, index) =>
      admission.admitted
        ? addNotes(tools, admission.delegation, requests[index]?.warnings ?? [])
        : Promise.resolve(),
    ),
  );
  return admissions;
}

/** Takes the slot, then makes or finds the place, then writes the prompt. Undefined when there was no slot after all. */
export async function prepareAttempt(
  tools: RunTools,
  queued: Delegation,
): Promise<PreparedAttempt | undefined> {
  const { limits } = await tools.settings();
  const lease = { owner: tools.owner, leaseMs: LEASE_MS, maxConcurrent: limits.maxConcurrent };
  const begun = await tools.store.begin(queued.id, queued.attempt + 1, lease);
  if (begun !== "ok") return undefined;
  const delegation = await tools.store.delegation(queued.id);
  if (delegation === undefined) throw new TypeError(`${queued.id} is not in the store`);
  const place = await findOrMakePlace(tools, delegation);
  const turn = await furnishTurn(tools, delegation, place);
  const { id, attempt } = delegation;
  const files = attemptFiles(tools.stateDirectory, { id, attempt, outbox: place.outbox });
  const prompt = await buildPrompt(tools, { delegation, files, turn });
  writePrompt(files, prompt, workerPrd(delegation));
  return { delegation, place, files, prompt };
}

/** One that was made right before a crash is there, and the journal does not know it yet; never before an attempt. */
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
  const { id } = delegation;
  const { isolation } = await tools.settings();
  const base =
    delegation.parent === null
      ? (delegation.work?.base ?? (await tools.git.snapshot(id)).commit)
      : (await managerHead(tools, delegation.parent)).commit;
  const pooled = delegation.depth > 0;
  return tools.git.makePlace({ id, base, isolation: isolationOf(delegation, isolation), pooled });
}
