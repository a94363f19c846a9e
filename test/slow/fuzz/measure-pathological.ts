import { validateReturnBytes } from "../../../src/contract/validate-return.ts";
import { oversized, pathological } from "./pathological.ts";

export interface Timing {
  readonly name: string;
  readonly bytes: number;
  /** Best of three (of twelve when those look slow): what the input costs, not what else the machine did. */
  readonly ms: number;
  /** Time at the full size over time at a quarter of it; 4 is linear. */
  readonly growth: number;
  readonly code: string;
}

/** Just under the cap of 1 MiB: larger inputs are refused unread. */
const FULL_SIZE = 1024 * 1024 - 400;

/** Between these the rest of a busy machine may decide, so more rounds are run. */
const SLOW_MS = 50;
const HOPELESS_MS = 1000;

/** Below this a quarter's time is mostly the clock's own noise. */
const MEASURABLE_MS = 0.5;

export function measurePathological(): readonly Timing[] {
  const grown = pathological.map(({ name, build }) => {
    const quarter = time(name, build(FULL_SIZE / 4));
    const full = time(name, build(FULL_SIZE));
    return quarter.ms < MEASURABLE_MS ? full : Object.assign(full, { growth: full.ms / quarter.ms });
  });
  return [...grown, ...oversized.map(({ name, bytes }) => time(name, bytes()))];
}

function time(name: string, bytes: Uint8Array): Timing {
  let best = Number.POSITIVE_INFINITY;
  let code = "";
  for (let round = 0; round < 3 || (round < 12 && best > SLOW_MS && best < HOPELESS_MS); round += 1) {
    globalThis.gc?.();
    const began = performance.now();
    const verdict = validateReturnBytes(bytes, { session: "sess_1735460684_a1b2c3" });
    best = Math.min(best, performance.now() - began);
    code = verdict.codes[0] ?? "accepted";
  }
  return { name, ms: best, bytes: bytes.length, code, growth: 0 };
}
