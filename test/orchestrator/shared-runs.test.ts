import { once } from "node:events";
import { expect, it } from "vitest";
import { SharedRuns } from "../../src/orchestrator/checks/shared-runs.ts";

/** A run that ends when the test says so, or when it is stopped. */
function makeRun() {
  const end = new AbortController();
  let signal: AbortSignal | undefined;
  const work = async (given: AbortSignal): Promise<void> => {
    signal = given;
    await once(AbortSignal.any([given, end.signal]), "abort");
  };
  return { work, end: () => end.abort(), isStopped: () => signal?.aborted === true };
}

it("shares a run among all callers of the same item until the last one leaves", async () => {
  const runs = new SharedRuns();
  const run = makeRun();
  expect(runs.join("a", ["x", "y"])).toEqual(["x", "y"]);
  runs.start("a", ["x", "y"], run.work);
  expect(runs.join("b", ["y", "z"])).toEqual(["z"]);
  runs.leave("a");
  expect(run.isStopped()).toBe(false);
  runs.leave("b");
  expect(run.isStopped()).toBe(true);
  expect(runs.join("c", ["x"])).toEqual(["x"]);
  await runs.stopAll();
});

it("forgets a run that has ended", async () => {
  const runs = new SharedRuns();
  const run = makeRun();
  runs.start("a", ["x"], run.work);
  expect(runs.join("b", ["x"])).toEqual([]);
  run.end();
  await runs.whenEnded("b");
  expect(runs.join("b", ["x"])).toEqual(["x"]);
});
