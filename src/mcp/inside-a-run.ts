import { readFileSync } from "node:fs";

const MARK = "AMBIT_RUN_ID=";
const NAMES = ["AMBIT_TOKEN", "AMBIT_SOCKET", "AMBIT_RUN_ID"] as const;
const MOST_GENERATIONS = 64;

/**
 * Whether this process belongs to a worker, whatever has become of its own environment: one that takes its token away
 * does not become a person by that. The processes above it still carry the mark of their run.
 */
export function isInsideRun(environment: Readonly<Record<string, string | undefined>>): boolean {
  if (NAMES.some((name) => environment[name] !== undefined)) return true;
  let pid = process.ppid;
  for (let generation = 0; generation < MOST_GENERATIONS && pid > 1; generation += 1) {
    if (carriesMark(pid)) return true;
    pid = parentOf(pid);
  }
  return false;
}

function carriesMark(pid: number): boolean {
  return read(`/proc/${pid}/environ`)
    .split("\0")
    .some((entry) => entry.startsWith(MARK));
}

/** The fourth field; the second is a name in parentheses that may hold anything. */
function parentOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  const [, parent = "0"] = stat
    .slice(stat.lastIndexOf(")") + 1)
    .trim()
    .split(" ");
  return Number(parent);
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // Another user's, gone, or a system without /proc: nothing can be told from it.
    return "";
  }
}
