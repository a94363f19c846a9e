import { readErrorMessage } from "../../base/delegation-error.ts";
import { safeText } from "../../base/safe-text.ts";
import type { Delegation } from "../../journal/store.ts";
import type { StartFacts } from "../ports/git-tools.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { KeptWork, WorkPlace } from "../ports/work-place.ts";
import { addNote, recordEvent } from "./record.ts";

export interface KeptFiles {
  readonly files: number;
  /** False if something could not be imported, so that the newest commit is not the newest work. */
  readonly isAll: boolean;
  /** The reason, if the import failed. */
  readonly error?: unknown;
}

/** Imports the present files of a worker's workspace. A failure becomes a note and never stops the caller. */
export async function importRemainingWork(tools: RunTools, delegation: Delegation): Promise<KeptFiles> {
  try {
    const place = await tools.git.findPlace(delegation);
    if (place === undefined) return { files: delegation.filesChanged.length, isAll: true };
    if (delegation.workspace === null) await recordPlace(tools, delegation, { place });
    const work = await place.keepWork(`${safeText(delegation.description)}\n`);
    await addNotes(tools, delegation, work);
    const { tip, base, filesChanged } = work;
    const kept = { files: filesChanged.length, isAll: true };
    if (tip === delegation.tip && base === delegation.base) return kept;
    const data = { tip, base, filesChanged: [...filesChanged] };
    await recordEvent(tools, delegation, { type: "work-kept", data });
    return kept;
  } catch (error) {
    // The workspace is gone or unreadable. The journal says so and `ambit doctor` finds it.
    await addNote(tools, delegation, `Its work could not be imported: ${readErrorMessage(error)}`);
    return { files: delegation.filesChanged.length, isAll: false, error };
  }
}

/** Adds the unusual events of an import. */
export async function addNotes(
  tools: RunTools,
  delegation: Delegation,
  { notes = [] }: Pick<KeptWork, "notes">,
): Promise<void> {
  for (const text of notes) await addNote(tools, delegation, text);
}

interface PlaceFacts {
  readonly place: WorkPlace;
  readonly start?: StartFacts | undefined;
}

/** A workspace that the journal does not know would never be freed. */
export async function recordPlace(
  tools: RunTools,
  delegation: Delegation,
  { place, start }: PlaceFacts,
): Promise<void> {
  const { path, branch, base, tookMs: durationMs, isolation } = place;
  const told = start === undefined ? {} : { start: { ...start, leftOut: [...start.leftOut] } };
  const data = { path, branch, base, durationMs, isolation, ...told };
  await recordEvent(tools, delegation, { type: "workspace-created", data });
}
