import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { listenTo, type StreamPlace } from "./listen-stream.ts";

/** CPU time of a dashboard to which pages listen while nothing happens, in percent of one core. */
export async function idlePercent(
  server: ChildProcess,
  places: readonly StreamPlace[],
  seconds: number,
): Promise<number> {
  const pages = await Promise.all(places.map(listenTo));
  // The time that opening the pages took does not count.
  await delay(1000);
  const before = cpuMsOf(server);
  await delay(seconds * 1000);
  const used = cpuMsOf(server) - before;
  for (const page of pages) page.close();
  return (100 * used) / (seconds * 1000);
}

/** The kernel counts in hundredths of a second. */
const MS_PER_TICK = 10;

function cpuMsOf({ pid }: ChildProcess): number {
  const fields =
    readFileSync(`/proc/${pid ?? 0}/stat`, "utf8")
      .split(") ")[1]
      ?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

const PAGE_BYTES = 4096;

export function memoryOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid ?? 0}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES;
}
