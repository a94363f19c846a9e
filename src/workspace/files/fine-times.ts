import { closeSync, fstatSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { randomBase36 } from "../../base/ids.ts";

/** Far more writes than fit between two ticks of a coarse clock, in well under a millisecond. */
const WRITES = 20;

/** Per file system. */
const answers = new Map<number, boolean>();

/**
 * Whether two changes of a file always have different times if the file was read between them, as Linux guarantees
 * from 6.13 on for its usual file systems. Elsewhere all changes within some milliseconds look like one.
 */
export function hasFineTimes(folder: string): boolean {
  const { dev } = statSync(folder);
  const known = answers.get(dev);
  if (known !== undefined) return known;
  const answer = probeTimestamps(join(folder, `.times-${randomBase36(8)}`));
  answers.set(dev, answer);
  return answer;
}

function probeTimestamps(file: string): boolean {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    const times = new Set<bigint>();
    for (let count = 0; count < WRITES; count += 1) {
      writeSync(descriptor, "x", 0);
      times.add(fstatSync(descriptor, { bigint: true }).ctimeNs);
    }
    return times.size === WRITES;
  } finally {
    closeSync(descriptor);
    rmSync(file, { force: true });
  }
}
