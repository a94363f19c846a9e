import { DelegationError, messageOf } from "../base/delegation-error.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Delegation } from "../journal/store.ts";
import type { RunTools } from "./run-tools.ts";
import { findPlace, type WorkPlace } from "./work-place.ts";

/** Ends a run that broke in our own hands, with what there is of its work kept. */
export async function closeBroken(tools: RunTools, delegation: Delegation, error: unknown): Promise<void> {
  const code = error instanceof DelegationError ? error.code : "INTERNAL";
  await keepAndClose(tools, delegation, { code, reason: messageOf(error) });
}

/** Work first, then the end, then the workspace; each may be done again after a kill. */
export async function keepAndClose(
  tools: RunTools,
  delegation: Delegation,
  why: { readonly code: string; readonly reason: string },
): Promise<Outcome> {
  const place = await findPlace(tools.workspaces, {
    id: delegation.id,
    worktree: await workspacePath(tools, delegation.id),
  });
  const files = place === undefined ? 0 : await keepWork(tools, delegation, place);
  const outcome = files === 0 ? "failed" : "partial";
  const summary = `${why.reason.slice(0, 1000)}. ${files} file(s) kept on its branch.`;
  await tools.store.settle(delegation.id, delegation.attempt, { outcome, code: why.code, summary });
  await place?.release(files > 0).catch(() => undefined);
  return outcome;
}

async function keepWork(tools: RunTools, delegation: Delegation, place: WorkPlace): Promise<number> {
  try {
    const { filesChanged } = await place.keepWork(`${delegation.description}\n`);
    return filesChanged.length;
  } catch (error) {
    // Gone or unreadable: said in the journal, looked after by doctor, and no reason not to close the rest.
    await tools.store.record({
      type: "note-added",
      story: delegation.story,
      delegation: delegation.id,
      attempt: delegation.attempt,
      data: { text: `Its work could not be imported: ${messageOf(error)}`.slice(0, 2000) },
    });
    return 0;
  }
}

/** The journal says where the workspace is, if it ever came to be. */
async function workspacePath(tools: RunTools, id: string): Promise<string | undefined> {
  const { events } = await tools.store.eventsAfter(0, 1000, { delegation: id });
  for (const event of events.toReversed()) {
    const body: unknown = JSON.parse(event.body);
    const path = readCreatedPath(body);
    if (path !== undefined) return path;
  }
  return undefined;
}

function readCreatedPath(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("type" in body) || body.type !== "workspace-created")
    return undefined;
  if (!("data" in body) || typeof body.data !== "object" || body.data === null || !("path" in body.data))
    return undefined;
  return typeof body.data.path === "string" ? body.data.path : undefined;
}
