import { useCallback, useEffect, useMemo, useRef } from "react";
import type { AuditPage, AuditRow, Problem } from "../../../app/view-types.ts";
import { asProblem, ask } from "../live/calls.ts";
import { createStore, type Store, useStore } from "../live/store.ts";
import type { AuditFilter } from "./audit-filter.ts";

const PAGE = 500;

interface Pages {
  readonly rows: readonly AuditRow[];
  /** Where the next page starts: null at the end, undefined before the first page. */
  readonly next: number | null | undefined;
  readonly isLoading: boolean;
  readonly problem: Problem | undefined;
  /** Number of the newest event when the first page was loaded. */
  readonly seq: number;
}

export interface AuditPages extends Omit<Pages, "next"> {
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

const nothing: Pages = { rows: [], next: undefined, isLoading: false, problem: undefined, seq: 0 };

/** The events that match a filter, page by page in the chosen order. */
export function useAuditPages(filter: AuditFilter): AuditPages {
  const store = useMemo(() => createStore(nothing), []);
  const wanted = useRef(filter);
  const loadMore = useCallback(() => void loadPage(store, wanted.current), [store]);
  const reload = useCallback(() => {
    store.set(() => nothing);
    loadMore();
  }, [store, loadMore]);
  useEffect(loadMore, [loadMore]);
  const { next, ...known } = useStore(store);
  return { ...known, hasMore: next !== null, loadMore, reload };
}

async function loadPage(store: Store<Pages>, filter: AuditFilter): Promise<void> {
  const { next, isLoading } = store.get();
  if (isLoading || next === null) return;
  store.set((known) => ({ ...known, isLoading: true }));
  try {
    const page = await ask<AuditPage>({
      url: buildAddress(filter, next),
      fields: ["events", "after", "before"],
    });
    store.set((known) => withPage(known, page, filter));
  } catch (error) {
    store.set((known) => ({ ...known, isLoading: false, problem: asProblem(error) }));
  }
}

function buildAddress({ run, type, text, delegation, order }: AuditFilter, next: number | undefined): string {
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (run !== "") query.set("run", run);
  if (type !== "") query.set("type", type);
  if (text !== "") query.set("text", text);
  if (delegation !== "") query.set("delegation", delegation);
  if (order === "oldest") query.set("after", String(next ?? 0));
  else if (next !== undefined) query.set("before", String(next));
  return `/api/audit?${query.toString()}`;
}

function withPage(known: Pages, page: AuditPage, { order }: AuditFilter): Pages {
  const isOldest = order === "oldest";
  return {
    rows: [...known.rows, ...(isOldest ? page.events : page.events.toReversed())],
    next: isOldest ? page.after : page.before,
    isLoading: false,
    problem: undefined,
    seq: known.next === undefined ? page.seq : known.seq,
  };
}
