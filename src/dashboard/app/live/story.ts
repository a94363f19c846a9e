import { useEffect, useMemo } from "react";
import type { Problem, StoryDocument, TreeNode, StreamBatch } from "../../../app/view-types.ts";
import { asProblem, ask } from "./calls.ts";
import { setServerTime } from "./clock.ts";
import { listenToStory } from "./project.ts";
import { createStore, type Store, useStore } from "./store.ts";
import { announceChanges } from "./announce.ts";

export interface LiveStory {
  readonly run: StoryDocument["run"] | undefined;
  readonly limits: StoryDocument["limits"] | undefined;
  readonly nodes: ReadonlyMap<string, TreeNode>;
  readonly problem: Problem | undefined;
  /** Rises with every batch of changes. */
  readonly version: number;
}

const nothing: LiveStory = {
  run: undefined,
  limits: undefined,
  nodes: new Map(),
  problem: undefined,
  version: 0,
};

/** The delegations of the shown story; empty if no story is shown. */
export const shownNodes = createStore<LiveStory["nodes"]>(new Map());

/** One story with all its delegations, kept up to date while it is shown. */
export function useLiveStory(id: string): LiveStory {
  const store = useMemo(() => createStore(nothing), [id]);
  useEffect(() => watchStory(id, store), [id, store]);
  const live = useStore(store);
  useEffect(() => {
    shownNodes.set(() => live.nodes);
    return () => shownNodes.set(() => nothing.nodes);
  }, [live.nodes]);
  return live;
}

function watchStory(id: string, store: Store<LiveStory>): () => void {
  const stop = new AbortController();
  let leave = (): void => undefined;
  const start = async (): Promise<void> => {
    const url = `/api/runs/${encodeURIComponent(id)}`;
    const loaded = await ask<StoryDocument>({
      url,
      fields: ["run", "nodes", "limits", "seq"],
      signal: stop.signal,
    });
    if (stop.signal.aborted) return;
    setServerTime(loaded.nowMs);
    store.set(({ version }) => ({
      run: loaded.run,
      limits: loaded.limits,
      nodes: new Map(loaded.nodes.map((node) => [node.id, node])),
      problem: undefined,
      version: version + 1,
    }));
    leave = listenToStory({
      story: id,
      knownTo: loaded.seq,
      onBatches: (batches) => takeBatches(store, batches),
      onStale: begin,
    });
  };
  const begin = (): void => {
    start().catch((error: unknown) => {
      if (!stop.signal.aborted) store.set((known) => ({ ...known, problem: asProblem(error) }));
    });
  };
  begin();
  return () => {
    stop.abort();
    leave();
  };
}

function takeBatches(store: Store<LiveStory>, batches: readonly StreamBatch[]): void {
  const before = store.get();
  const changed = batches.flatMap((batch) => batch.nodes);
  const run = batches.flatMap(({ runs }) => runs).findLast(({ id }) => id === before.run?.id);
  if (changed.length === 0 && run === undefined) return;
  const nodes = changed.length === 0 ? before.nodes : withNodes(before.nodes, changed);
  store.set((known) => ({ ...known, run: run ?? known.run, nodes, version: known.version + 1 }));
  announceChanges(before.nodes, nodes);
}

function withNodes(known: LiveStory["nodes"], changed: readonly TreeNode[]): LiveStory["nodes"] {
  const nodes = new Map(known);
  for (const node of changed) nodes.set(node.id, node);
  return nodes;
}
