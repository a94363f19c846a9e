import { useSyncExternalStore } from "react";

let aheadMs = 0;

/** All times are the server's: its clock and this machine's may differ. */
export function setServerTime(nowMs: number): void {
  aheadMs = nowMs - Date.now();
  tick();
}

const EVERY_MS = 1000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: number | undefined;

/** The current time, updated every second while something shows it. One timer serves the page, so it redraws once. */
export function useNow(isWanted: boolean): number {
  return useSyncExternalStore(isWanted ? watch : watchNothing, () => now);
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(tick, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now() + aheadMs;
  for (const listener of listeners) listener();
}

function watchNothing(): () => void {
  return () => undefined;
}
