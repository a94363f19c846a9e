import { spawn } from "node:child_process";
import { writeSync } from "node:fs";

const STDOUT = 1;
const CHUNK = 64 * 1024;

/** Waits for ever. `deaf` ignores every signal that can be ignored. */
export async function hangForEver(how: "quiet" | "talking" | "deaf"): Promise<never> {
  if (how === "deaf")
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (how === "talking") writeSync(STDOUT, "still thinking\n");
  }
}

/** Prints until all bytes are written or the worker is stopped. */
export function floodOutput(bytes: number, lines: boolean): void {
  const chunk = Buffer.alloc(CHUNK, lines ? "the same line again and again\n" : "x");
  for (let left = bytes; left > 0; left -= CHUNK) writeSync(STDOUT, chunk.subarray(0, Math.min(left, CHUNK)));
}

/** Leaves a process behind that outlives this one without containment; it sleeps at most ten minutes. */
export function forkProcess(kind: "child" | "session" | "daemon"): void {
  const sleep = [
    "-e",
    "for (const s of ['SIGTERM','SIGINT','SIGHUP']) process.on(s, () => {}); setTimeout(() => {}, 600000)",
  ];
  const options = {
    stdio: "ignore",
    detached: kind !== "child",
    ...(kind === "daemon" ? { env: {} } : {}),
  } as const;
  spawn(process.execPath, sleep, options).unref();
}

const hoard: Buffer[] = [];

/** Allocates memory and touches every page of it. */
export function hogMemory(megabytes: number): void {
  for (let taken = 0; taken < megabytes; taken += 1) hoard.push(Buffer.alloc(1024 * 1024, taken));
}
