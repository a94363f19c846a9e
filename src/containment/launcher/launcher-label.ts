import { readSmallFile } from "../process-table/read-small-file.ts";
import { LAUNCHER_NAME } from "./launcher-script.ts";

const PREFIX = `${LAUNCHER_NAME} `;

/** The run that a launcher works for, or `waiting`, by the name that it gives itself; undefined for other processes. */
export function readLauncherLabel(pid: number): string | undefined {
  try {
    const name = readSmallFile(`/proc/${pid}/cmdline`);
    return name.startsWith(PREFIX) ? name.slice(PREFIX.length).split("\0")[0]?.trimEnd() : undefined;
  } catch {
    // The process is gone, or the system has no /proc.
    return undefined;
  }
}
