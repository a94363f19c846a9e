import { runCommand } from "../../base/run-command.ts";

export interface MountOrder {
  readonly searchPath: string;
  /** The options in the format of `mount -o`. */
  readonly options: string;
  readonly target: string;
}

interface Waiting extends MountOrder {
  readonly done: (isMounted: boolean) => void;
}

const TIMEOUT_MS = 30_000;
/** Small enough that the first mounts need not wait for the last. */
const MAX_BATCH_SIZE = 12;
const MAX_PROCESSES = 2;

/** Takes pairs of options and target; prints one line with the exit code for each. */
const SCRIPT =
  'while [ $# -gt 1 ]; do mount -t overlay overlay -o "$1" "$2" 2>/dev/null; echo $?; shift 2; done';

const waiting: Waiting[] = [];
let running = 0;

/**
 * Mounts one layer. Requests that arrive in the meantime are mounted together by one process, because starting a
 * process for each would take longer than the rest of creating a workspace. False if the mount was refused.
 */
export function mountTogether(order: MountOrder): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.push({ ...order, done: resolve });
    if (running < MAX_PROCESSES) void runWaitingMounts();
  });
}

async function runWaitingMounts(): Promise<void> {
  running += 1;
  try {
    while (waiting.length > 0) await runMountBatch(takeMountBatch());
  } finally {
    running -= 1;
  }
}

/** Takes the orders with the same search path as the first in line. */
function takeMountBatch(): readonly Waiting[] {
  const searchPath = waiting[0]?.searchPath;
  const batch = waiting.filter((order) => order.searchPath === searchPath).slice(0, MAX_BATCH_SIZE);
  const taken = new Set(batch);
  waiting.splice(0, waiting.length, ...waiting.filter((order) => !taken.has(order)));
  return batch;
}

async function runMountBatch(batch: readonly Waiting[]): Promise<void> {
  const codes = await parseExitCodes(batch).catch(() => []);
  for (const [index, { done }] of batch.entries()) done(codes[index] === "0");
}

async function parseExitCodes(batch: readonly Waiting[]): Promise<readonly string[]> {
  const { stdout } = await runCommand({
    argv: ["sh", "-c", SCRIPT, "mount", ...batch.flatMap(({ options, target }) => [options, target])],
    cwd: "/",
    environment: { PATH: batch[0]?.searchPath ?? "", LC_ALL: "C" },
    timeoutMs: TIMEOUT_MS,
  });
  return stdout.toString("latin1").split("\n");
}
