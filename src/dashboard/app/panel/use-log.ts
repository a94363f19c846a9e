import { useEffect, useMemo } from "react";
import type { LogPage, LogPiece, LogStream, Problem } from "../../../app/view-types.ts";
import { asProblem, ask } from "../live/calls.ts";
import { createStore, type Store, useStore } from "../live/store.ts";

export interface LogLine {
  readonly text: string;
  /** Undefined for a line without colours. */
  readonly pieces: readonly LogPiece[] | undefined;
  /** When it was written; undefined where that was not noted. */
  readonly atMs: number | undefined;
}

export interface Log {
  readonly lines: readonly LogLine[];
  /** Number of the first line. */
  readonly firstLine: number;
  /** Bytes before the first line that is shown. */
  readonly from: number;
  readonly to: number;
  readonly isLive: boolean;
  readonly isLoaded: boolean;
  readonly problem: Problem | undefined;
  readonly loadEarlier: () => void;
  /** Unique for every log. */
  readonly url: string;
}

interface Wanted {
  readonly id: string;
  readonly attempt: number;
  readonly stream: LogStream;
  /** A line to begin near; the end of the log where absent. */
  readonly line: number | null;
}

type Known = Omit<Log, "loadEarlier" | "url">;

const nothing: Known = {
  lines: [],
  firstLine: 1,
  from: 0,
  to: 0,
  isLive: false,
  isLoaded: false,
  problem: undefined,
};
const PAUSE_MS = 1000;
/** Beyond this, lines at the beginning are dropped; they can be loaded again. */
const MAX_LINES = 50_000;

/** The end of a log, new lines while it grows, and earlier lines on request. */
export function useLog({ id, attempt, stream, line }: Wanted): Log {
  const url = `/api/delegations/${encodeURIComponent(id)}/log?attempt=${attempt}&stream=${stream}`;
  // A click on a line changes the address; only the first address decides where the log begins.
  const start = useMemo(() => (line === null ? url : `${url}&line=${line}`), [url]);
  const store = useMemo(() => createStore(nothing), [url]);
  useEffect(() => (attempt === 0 ? undefined : follow({ url, start }, store)), [url, start, store, attempt]);
  return { ...useStore(store), url, loadEarlier: () => void loadEarlier(url, store) };
}

function follow(
  { url, start }: { readonly url: string; readonly start: string },
  store: Store<Known>,
): () => void {
  const stop = new AbortController();
  let timer: number | undefined;
  const look = async (): Promise<void> => {
    const { isLoaded, to, firstLine, lines } = store.get();
    const next = `${url}&from=${to}&first=${firstLine + lines.length}`;
    const page = await askPage(isLoaded ? next : start, stop.signal);
    store.set((known) => withEnd(known, page));
    if (page.isLive || (page.to < page.size && page.lines.length > 0))
      timer = window.setTimeout(again, PAUSE_MS);
  };
  const again = (): void => {
    look().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      store.set((known) => ({ ...known, problem: asProblem(error) }));
      timer = window.setTimeout(again, PAUSE_MS * 5);
    });
  };
  again();
  return () => {
    stop.abort();
    window.clearTimeout(timer);
  };
}

function askPage(url: string, signal?: AbortSignal): Promise<LogPage> {
  const fields = ["lines", "colours", "times", "from", "to", "size", "isLive"] as const;
  return ask<LogPage>({ url, fields, ...(signal === undefined ? {} : { signal }) });
}

function toLines({ lines, colours, times, firstLine }: LogPage): readonly LogLine[] {
  let time = 0;
  return lines.map((text, index) => {
    while ((times[time + 1]?.line ?? Infinity) <= firstLine + index) time += 1;
    const noted = times[time];
    const atMs = noted === undefined || noted.line > firstLine + index ? undefined : noted.atMs;
    return { text, pieces: colours[index], atMs };
  });
}

function withEnd(known: Known, page: LogPage): Known {
  const { firstLine, from, to, isLive } = page;
  const lines = toLines(page);
  const isFirst = !known.isLoaded;
  const all = lines.length === 0 ? known.lines : [...known.lines, ...lines];
  const dropped = Math.max(0, all.length - MAX_LINES);
  return {
    lines: dropped === 0 ? all : all.slice(dropped),
    firstLine: isFirst ? firstLine : known.firstLine + dropped,
    from: isFirst ? from : known.from,
    to,
    isLive,
    isLoaded: true,
    problem: undefined,
  };
}

async function loadEarlier(url: string, store: Store<Known>): Promise<void> {
  const { from } = store.get();
  const page = await askPage(`${url}&to=${from}`);
  store.set((known) => ({
    ...known,
    lines: [...toLines(page), ...known.lines],
    firstLine: known.firstLine - page.lines.length,
    from: page.from,
  }));
}
