import { readFileSync } from "node:fs";

const MARK = "AMBIT_RUN_ID=";
const NAMES = ["AMBIT_TOKEN", "AMBIT_SOCKET", "AMBIT_RUN_ID"] as const;
const MAX_GENERATIONS = 64;

/**
 * Whether this process belongs to a worker, even if its own environment was cleared: removing the token does not turn a
 * worker into a person, because the processes above it still carry the mark of their attempt.
 */
export function isInsideWorker(environment: Readonly<Record<string, string | undefined>>): boolean {
  if (NAMES.some((name) => environment[name] !== undefined)) return true;
  let pid = process.ppid;
  for (let generation = 0; generation < MAX_GENERATIONS && pid > 1; generation += 1) {
    if (carriesMark(pid)) return true;
    pid = readParent(pid);
  }
  return false;
}

function carriesMark(pid: number): boolean {
  return readText(`/proc/${pid}/environ`)
    .split("\0")
    .some((entry) => entry.startsWith(MARK));
}

/** The parent is the fourth field; the second is a name in parentheses that may contain anything. */
function readParent(pid: number): number {
  const stat = readText(`/proc/${pid}/stat`);
  const [, parent = "0"] = stat
    .slice(stat.lastIndexOf(")") + 1)
    .trim()
    .split(" ");
  return Number(parent);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // The process is another user's or gone, or the system has no /proc.
    return "";
  }
}
