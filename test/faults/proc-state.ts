import { readFileSync } from "node:fs";

/** The letter the kernel shows for a process: `T` is stopped, `R` and `S` run; undefined when it is gone. */
export function stateOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ", 1)[0];
  } catch {
    return undefined;
  }
}
