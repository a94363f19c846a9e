import { DelegationError, messageOf } from "../../base/delegation-error.ts";
import { explainFileTrouble } from "../../base/file-trouble.ts";
import type { Delegation, Settlement } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { WorkPlace } from "../project/work-places.ts";

/** How a delegation ends that broke in our own hands. */
export function brokenSettlement(error: unknown, filesKept: number): Settlement {
  const told = explainFileTrouble(error, ".ambit/state") ?? error;
  const code = told instanceof DelegationError ? told.code : "INTERNAL";
  const outcome = filesKept === 0 ? "failed" : "partial";
  return {
    outcome,
    code,
    summary: `${messageOf(told).slice(0, 1000)}. ${filesKept} file(s) kept on its branch.`,
  };
}

export interface WhatWasKept {
  readonly files: number;
  /** False when something could not be imported, so that the newest commit is not the newest work. */
  readonly isAll: boolean;
}

/** Imports what a worker left, if it can be imported. */
export async function keepWhatThereIs(tools: RunTools, delegation: Delegation): Promise<WhatWasKept> {
  const { id, story, attempt, description } = delegation;
  try {
    const place = await tools.git.findPlace(delegation);
    if (place === undefined) return { files: delegation.filesChanged.length, isAll: true };
    if (delegation.workspace === null) await recordPlace(tools, delegation, place);
    const { tip, base, filesChanged } = await place.keepWork(`${description}\n`);
    const kept = { files: filesChanged.length, isAll: true };
    if (tip === delegation.tip && base === delegation.base) return kept;
    const data = { tip, base, filesChanged: [...filesChanged] };
    await tools.store.record({ type: "work-kept", story, delegation: id, attempt, data });
    return kept;
  } catch (error) {
    // Gone or unreadable: said in the journal, looked after by doctor, and no reason not to close the rest.
    const text = `Its work could not be imported: ${messageOf(error)}`.slice(0, 2000);
    await tools.store.record({ type: "note-added", story, delegation: id, attempt, data: { text } });
    return { files: delegation.filesChanged.length, isAll: false };
  }
}

/** A place the journal does not know of would never be freed. */
export async function recordPlace(tools: RunTools, delegation: Delegation, place: WorkPlace): Promise<void> {
  const { id, story, attempt } = delegation;
  const { path, branch, base, tookMs: durationMs, isolation } = place;
  const data = { path, branch, base, durationMs, isolation };
  await tools.store.record({ type: "workspace-created", story, delegation: id, attempt, data });
}
