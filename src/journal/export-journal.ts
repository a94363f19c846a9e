import { join } from "node:path";
import { dropUndefined, parseJson } from "../base/json.ts";
import { journalEventSchema, type JournalEvent } from "../contract/journal-event.ts";
import { journalErrors } from "../errors/journal.ts";
import { depthTracker, executionGraph } from "./export/tree-exports.ts";
import { writeAtomically, type Chunk } from "./export/write-atomically.ts";
import type { StoreReader, StoredEvent } from "./model/store.ts";
import { auditLines, refusalLines } from "./export/audit-lines.ts";
import { statusLines, type Line } from "./export/delegation-lines.ts";
import { applyToOpen, type OpenDelegation } from "./export/open-delegation.ts";

export const exportKinds = ["jsonl", "graph", "depth"] as const;
export type ExportKind = (typeof exportKinds)[number];

export interface ExportRequest {
  readonly reader: StoreReader;
  readonly kinds: readonly ExportKind[];
  /** Exports only this story; without it, everything in the store. */
  readonly story?: string | undefined;
  /** Where `delegation.jsonl` goes, and where the two JSON documents go. */
  readonly folders: { readonly logs: string; readonly graphs: string };
}

export interface ExportedFile {
  readonly kind: ExportKind;
  readonly path: string;
  /** The number of lines, nodes or agents. */
  readonly entries: number;
}

const PAGE = 1000;

/**
 * Writes the journal in the shapes other tools read (R91–R97). Each file is replaced whole or not at all; the store
 * is only read, page by page.
 */
export async function exportJournal(request: ExportRequest): Promise<readonly ExportedFile[]> {
  const files: ExportedFile[] = [];
  for (const kind of request.kinds) {
    const path = buildExportPath(kind, request.folders);
    const entries = await writeAtomically(path, streamExport(kind, request));
    files.push({ kind, path, entries });
  }
  return files;
}

function buildExportPath(kind: ExportKind, folders: ExportRequest["folders"]): string {
  switch (kind) {
    case "jsonl":
      return join(folders.logs, "delegation.jsonl");
    case "graph":
      return join(folders.graphs, "execution_graph.json");
    case "depth":
      return join(folders.graphs, "depth_tracker.json");
  }
}

function streamExport(kind: ExportKind, { reader, story }: ExportRequest): AsyncIterable<Chunk> {
  switch (kind) {
    case "jsonl":
      return delegationLog(reader, story);
    case "graph":
      return executionGraph(reader, story);
    case "depth":
      return depthTracker(reader, story);
  }
}

/**
 * R91: both dialects of `delegation.jsonl`, in the order of the journal. Depends on events alone and holds one page
 * of them and the delegations that are open at that point, so a long history needs no more memory than a short one.
 */
async function* delegationLog(reader: StoreReader, story: string | undefined): AsyncGenerator<Chunk> {
  const open = new Map<string, OpenDelegation>();
  const filter = dropUndefined({ story });
  for (let cursor = 0; ;) {
    const page = await reader.eventsAfter(cursor, PAGE, filter);
    const lines = page.events.flatMap((stored) =>
      buildLines(parseEvent(stored), { open, hash: stored.hash }),
    );
    yield { text: lines.map((line) => `${JSON.stringify(line)}\n`).join(""), entries: lines.length };
    if (page.events.length < PAGE) return;
    cursor = page.cursor;
  }
}

function buildLines(
  event: JournalEvent,
  { open, hash }: { readonly open: Map<string, OpenDelegation>; readonly hash: string },
): readonly Line[] {
  if (event.type === "delegation-refused") {
    return refusalLines(event, open.get(event.data.parent), hash);
  }
  const child = event.delegation;
  if (child === null) return [];
  const known = applyToOpen(open.get(child), event);
  if (known === undefined) return [];
  if (event.type === "delegation-closed") open.delete(child);
  else open.set(child, known);
  if (known.parent === null) return [];
  const facts = { event, child, known, manager: open.get(known.parent) };
  return [...auditLines(facts, hash), ...statusLines(facts)];
}

function parseEvent({ seq, body }: StoredEvent): JournalEvent {
  const parsed = journalEventSchema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  throw journalErrors.eventUnreadable(seq, parsed.error);
}
