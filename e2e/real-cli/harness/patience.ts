import { availableParallelism, loadavg } from "node:os";

const MOST = 4;

/** Seconds that are enough when nobody else uses the machine, and more where others do. */
export function patience(seconds: number): number {
  const [load = 0] = loadavg();
  const queue = load / availableParallelism();
  return Math.round(seconds * Math.min(MOST, Math.max(1, queue)));
}
