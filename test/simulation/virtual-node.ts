import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import type { Random } from "../slow/random.ts";
import type { VirtualTime } from "./virtual-time.ts";

const realImmediate = setImmediate;

/** Resolves when everything has happened that needs no step, no timer and no answer from outside. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => void realImmediate(resolve));
}

export interface VirtualNode {
  readonly time: VirtualTime;
  readonly random: Random;
  /** What `setImmediate` was asked for. */
  readonly later: (action: () => void) => void;
}

/**
 * Puts virtual time and seeded chance in the place of everything through which Node lets them in, so that code under
 * test need not know and none of it can be forgotten. Returns how to take it back.
 */
export function installVirtualNode({ time, random, later }: VirtualNode): () => void {
  const undo = [
    replace(globalThis, "setTimeout", (action: () => void, delayMs = 1) =>
      handle(time, time.set({ owner: "runtime", delayMs, action })),
    ),
    replace(globalThis, "clearTimeout", (timer: unknown) => clear(time, timer)),
    replace(globalThis, "setInterval", (action: () => void, delayMs = 1) => repeat(time, action, delayMs)),
    replace(globalThis, "clearInterval", (timer: unknown) => clear(time, timer)),
    replace(globalThis, "setImmediate", (action: () => void) => later(action)),
    replace(Math, "random", random.next),
    replace(crypto, "randomInt", (limit: number) => random.below(limit)),
    replace(
      timers,
      "setTimeout",
      (delayMs: number, value: unknown) =>
        new Promise((resolve) => {
          time.set({ owner: "runtime", delayMs, action: () => resolve(value) });
        }),
    ),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const take of undo) take();
    syncBuiltinESMExports();
  };
}

interface Handle {
  number: number;
  readonly ref: () => Handle;
  readonly unref: () => Handle;
}

function handle(_time: VirtualTime, number: number): Handle {
  const made: Handle = { number, ref: () => made, unref: () => made };
  return made;
}

function repeat(time: VirtualTime, action: () => void, delayMs: number): Handle {
  const made = handle(time, 0);
  const again = (): void => {
    made.number = time.set({
      owner: "runtime",
      delayMs,
      action: () => {
        again();
        action();
      },
    });
  };
  again();
  return made;
}

function clear(time: VirtualTime, timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "number" in timer && typeof timer.number === "number")
    time.clear(timer.number);
}

function replace(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  if (before === undefined) throw new TypeError(`there is no ${name} to replace`);
  Object.defineProperty(target, name, { ...before, value, writable: true, configurable: true });
  return () => void Object.defineProperty(target, name, before);
}
