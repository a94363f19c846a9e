import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { awaitTurn, isPatient, runPatiently, watchCalm } from "../../src/base/patience.ts";
import { runCommand } from "../../src/base/run-command.ts";

/** Less than it waits at most. */
const LONG_MS = 50;
const program = { argv: ["true"], cwd: "/", environment: {}, timeoutMs: 60_000 };

/** Computes, with turns for others in between, until something has happened; answers how long that took. */
async function computeUntil(hasHappened: () => boolean): Promise<number> {
  const began = performance.now();
  while (!hasHappened()) {
    const pause = performance.now() + 3;
    while (performance.now() < pause);
    await nextTurn();
  }
  return performance.now() - began;
}

it("calls a process calm while it waits, and busy while it computes", async () => {
  const isCalm = watchCalm();
  await awaitTurn();
  expect(isCalm()).toBe(true);
  const began = performance.now();
  await computeUntil(() => performance.now() - began > 20);
  expect(isCalm()).toBe(false);
});

it("has a turn for patient work at once in a calm process, and after a while in a busy one", async () => {
  let hasTurn = false;
  void awaitTurn().then(() => (hasTurn = true));
  expect(await computeUntil(() => hasTurn)).toBeGreaterThan(LONG_MS);
});

it("lets only patient work wait for its turn before it starts a program", async () => {
  let isOver = false;
  const patient = runPatiently(async () => {
    expect(isPatient()).toBe(true);
    return runCommand(program);
  });
  void patient.then(() => (isOver = true));
  expect(isPatient()).toBe(false);
  expect(await computeUntil(() => isOver)).toBeGreaterThan(LONG_MS);
  expect((await patient).exitCode).toBe(0);
  expect((await runCommand(program)).exitCode).toBe(0);
});
