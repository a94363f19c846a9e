import { join } from "node:path";
import { delegationLog } from "./export/delegation-log.ts";
import { depthTracker, executionGraph } from "./export/tree-exports.ts";
import { writeAtomically, type Chunk } from "./export/write-atomically.ts";
import type { StoreReader } from "./model/store.ts";

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
