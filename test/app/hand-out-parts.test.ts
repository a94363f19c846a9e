import { afterEach, expect, it } from "vitest";
import { handOutParts } from "../../src/app/programs/hand-out-parts.ts";
import { closeRuntime, runtime, worker } from "./worker-runtime.ts";

afterEach(closeRuntime);

const PLAN = JSON.stringify({ tasks: [{ description: "One" }, { description: "Two" }] });

it("hands all parts out in its first turn and ends it without a return (R191)", async () => {
  const told = { tasks: [{ admitted: true }, { admitted: true }] };
  const { calls, environment, readReturn } = await runtime({ status: [{ workers: [] }], delegate: [told] });
  expect(await handOutParts(PLAN, environment)).toBe(0);
  expect(calls.map(({ method }) => method)).toEqual(["status", "delegate"]);
  expect(calls[1]?.parameters).toMatchObject({
    token: "t",
    waitSeconds: 0,
    tasks: [{ description: "One" }, {}],
  });
  expect(readReturn).toThrow("ENOENT");
});

it("hands no part out twice after an interruption, but waits for those it handed out (R191)", async () => {
  const { calls, environment, readReturn } = await runtime({
    status: [
      { workers: [worker(1, "completed"), worker(2, null)] },
      { workers: [worker(1, "completed"), worker(2, null)] },
      { workers: [worker(1, "completed"), worker(2, "completed")] },
    ],
  });
  expect(await handOutParts(PLAN, environment)).toBe(0);
  expect(calls.map(({ method }) => method)).toEqual(["status", "wait", "status", "wait", "status"]);
  expect(readReturn()).toMatchObject({ status: "completed", errors: [] });
});

it("returns partial if a part did not complete or was never admitted (R191)", async () => {
  const below = { delegation_id: "S-1-DEL-001-DEL-001", title: "x", status: "failed", outcome: "failed" };
  const one = await runtime({
    status: [{ workers: [worker(1, "completed"), worker(2, "timed_out"), below] }],
  });
  await handOutParts(PLAN, one.environment);
  expect(one.readReturn()).toMatchObject({
    status: "partial",
    errors: [{ message: "S-1-DEL-002 (Part 2) ended timed_out" }],
  });
  const other = await runtime({ status: [{ workers: [worker(1, "completed")] }] });
  await handOutParts(PLAN, other.environment);
  expect(other.readReturn()).toMatchObject({
    status: "partial",
    errors: [{ message: "1 of its parts was refused by a limit" }],
  });
});

it("says how many of its parts are done, and fails if none is (R191)", async () => {
  const ends = async (...outcomes: readonly string[]) => {
    const one = await runtime({
      status: [{ workers: outcomes.map((outcome, at) => worker(at + 1, outcome)) }],
    });
    await handOutParts(PLAN, one.environment);
    await closeRuntime();
    return one.readReturn();
  };
  expect(await ends("completed", "completed")).toMatchObject({
    status: "completed",
    summary: "All 2 parts are completed and merged. Nothing is left.",
    artifacts: [],
    metadata: {},
  });
  expect(await ends("completed", "failed")).toMatchObject({
    status: "partial",
    summary: "1 of 2 parts are completed and merged. The others are not; what they did is on their branches.",
  });
  expect(await ends("failed", "blocked")).toMatchObject({
    status: "failed",
    summary: expect.stringMatching(/^0 of 2 parts/),
    errors: [
      { type: "execution", message: "S-1-DEL-001 (Part 1) ended failed", recoverable: true },
      { message: "S-1-DEL-002 (Part 2) ended blocked" },
    ],
  });
});

it("refuses a plan that it cannot read", async () => {
  const { calls, environment, readReturn } = await runtime({});
  for (const plan of ["{", "{}", '{"tasks": []}', '{"tasks": 7}'])
    expect(await handOutParts(plan, environment)).toBe(1);
  expect(calls).toEqual([]);
  expect(readReturn).toThrow("ENOENT");
});

it("returns failed when a limit refuses every part, with the reason (R69)", async () => {
  const refused = { admitted: false, explanation: "ERROR: Too many delegations (12). Maximum: 10" };
  const { environment, readReturn } = await runtime({
    status: [{ workers: [] }],
    delegate: [{ tasks: [refused, refused] }],
  });
  await handOutParts(PLAN, environment);
  expect(readReturn()).toMatchObject({
    status: "failed",
    errors: [{ message: refused.explanation }, { message: refused.explanation }],
  });
});
