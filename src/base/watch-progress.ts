import { readFileSync } from "node:fs";

/** How often a running program is looked at; a stall is noticed this much late at most. */
const MAX_LOOK_MS = 5000;

/**
 * Calls back once when a process and its children have done nothing for a while: no computing, no reading, no writing.
 * Where the system does not say (no `/proc`), it never calls. Returns how to stop watching.
 */
export function watchProgress(
  pid: number | undefined,
  stallMs: number | undefined,
  onStall: () => void,
): () => void {
  if (pid === undefined || stallMs === undefined) return () => undefined;
  let last: string | undefined;
  let sinceMs = performance.now();
  const look = (): void => {
    const now = readActivity(pid);
    if (now === undefined || now !== last) {
      last = now;
      sinceMs = performance.now();
    } else if (performance.now() - sinceMs >= stallMs) {
      clearInterval(timer);
      onStall();
    }
  };
  const timer = setInterval(look, Math.min(MAX_LOOK_MS, stallMs / 4));
  timer.unref();
  return () => clearInterval(timer);
}

/** Changes whenever one of the processes has run at all; undefined where that cannot be read. */
function readActivity(pid: number): string | undefined {
  const own = readOrNothing(`/proc/${pid}/schedstat`);
  if (own === undefined) return undefined;
  const children = (readOrNothing(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ").filter(Boolean);
  return [own, ...children.map((child) => readActivity(Number(child)) ?? child)].join(" ");
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // The process has ended, or the system has no such files.
    return undefined;
  }
}
