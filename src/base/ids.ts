import { randomInt } from "node:crypto";
import type { Clock } from "./clock.ts";

const BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Uses the crypto generator, so that a worker cannot guess ids. */
export function randomBase36(length: number): string {
  let text = "";
  for (let index = 0; index < length; index += 1) text += BASE36.charAt(randomInt(36));
  return text;
}

/** `sess_{epoch seconds}_{6}` */
export function createSessionId(clock: Clock): string {
  return `sess_${Math.floor(clock.wallMs() / 1000)}_${randomBase36(6)}`;
}

/** `exec-{12}`: names one attempt, distinct from story and delegation ids. */
export function createExecutionId(): string {
  return `exec-${randomBase36(12)}`;
}
