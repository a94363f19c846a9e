/** So that a peer is given up after ten seconds. */
const TICK_MS = 2500;
const MAX_SILENT_TICKS = 3;

export interface SilenceWatch {
  /** Something came from the peer. */
  readonly noteMessage: () => void;
  readonly stop: () => void;
}

/**
 * Notices a peer that is stopped or busy without end. It counts ticks instead of comparing times: a client that was itself
 * stopped for a while first reads what came meanwhile.
 */
export function watchSilence(peer: {
  readonly ping: () => void;
  readonly onSilent: () => void;
}): SilenceWatch {
  let silentTicks = 0;
  const timer = setInterval(() => {
    silentTicks += 1;
    if (silentTicks === 1) peer.ping();
    if (silentTicks <= MAX_SILENT_TICKS) return;
    clearInterval(timer);
    peer.onSilent();
  }, TICK_MS);
  timer.unref();
  return { noteMessage: () => (silentTicks = 0), stop: () => clearInterval(timer) };
}
