import { readdirSync, readlinkSync } from "node:fs";

/** Processes that work anywhere below a folder, also where it has been removed meanwhile. */
export function processesIn(folder: string): number {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readlinkSync(`/proc/${name}/cwd`).startsWith(`${folder}/`);
    } catch {
      // Gone while we looked, or not ours to look at.
      return false;
    }
  }).length;
}
