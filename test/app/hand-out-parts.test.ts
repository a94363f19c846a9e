import { afterEach, expect, it, vi } from "vitest";
import { handOutParts } from "../../src/app/programs/hand-out-parts.ts";
import { closeRuntime, runtime, worker } from "./worker-runtime.ts";

afterEach(closeRuntime);
afterEach(() => void vi.restoreAllMocks());

/** What the program writes for its log. */
function readOutput(stream: NodeJS.WriteStream): () => string {
  const write = vi.spyOn(stream, "write").mockReturnValue(true);
  return () => write.mock.calls.map(([text]) => String(text)).join("");
}

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
  expect(calls[1]?.parameters).toStrictEqual({ waitSeconds: 600, token: "t" });
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
  const tasks = [{ description: "One" }, { description: "Two" }, { description: "Three" }];
  await handOutParts(JSON.stringify({ tasks }), other.environment);
  expect(other.readReturn()).toMatchObject({
    errors: [{ message: "2 of its parts were refused by a limit" }],
  });
});

it("returns with the facts that the runtime wants back, and says in its log how the parts ended (R191)", async () => {
  const output = readOutput(process.stdout);
  const { environment, readReturn } = await runtime({ status: [{ workers: [worker(1, "completed")] }] });
  const one = JSON.stringify({ tasks: [{ description: "One" }] });
  const metadata = { session_id: "s" };
  const told = { ...environment, AMBIT_RETURN_METADATA: JSON.stringify(metadata) };
  expect(await handOutParts(one, told)).toBe(0);
  const summary = "The one part is completed and merged. Nothing is left.";
  expect(readReturn()).toStrictEqual({ status: "completed", summary, artifacts: [], errors: [], metadata });
  expect(output()).toBe(`${summary}\n`);
});

const SPLIT = JSON.stringify({ split: { story: "All of it", agent: "coder", maxParts: 3 } });

it("has one worker propose the parts of a story first (R191)", async () => {
  const { calls, environment } = await runtime({
    status: [{ workers: [] }],
    delegate: [{ tasks: [{ admitted: true }] }],
  });
  expect(await handOutParts(SPLIT, environment)).toBe(0);
  expect(calls.at(-1)?.parameters["tasks"]).toMatchObject([{ description: "Propose parts of: All of it" }]);
});

it("hands all of a story to one worker if none proposed its parts, and says why (R191)", async () => {
  const output = readOutput(process.stdout);
  const { calls, environment } = await runtime({
    status: [{ workers: [worker(1, "failed")] }],
    delegate: [{ tasks: [{ admitted: true }] }],
  });
  expect(await handOutParts(SPLIT, environment)).toBe(0);
  expect(calls.at(-1)?.parameters["tasks"]).toMatchObject([{ description: "All of it" }]);
  expect(output()).toBe("One worker does all of it, because no ambit-split.json was written.\n");
});

it("does not count the worker that proposed the parts (R191)", async () => {
  const ended = [worker(1, "failed"), worker(2, "completed"), worker(3, "completed")];
  const { calls, environment, readReturn } = await runtime({ status: [{ workers: ended }] });
  expect(await handOutParts(SPLIT, environment)).toBe(0);
  expect(calls.map(({ method }) => method)).toEqual(["status"]);
  expect(readReturn()).toMatchObject({
    status: "completed",
    summary: "All 2 parts are completed and merged. Nothing is left.",
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
  const problems = readOutput(process.stderr);
  const { calls, environment, readReturn } = await runtime({});
  for (const plan of ["{", "{}", '{"tasks": []}', '{"tasks": 7}'])
    expect(await handOutParts(plan, environment)).toBe(1);
  expect(calls).toEqual([]);
  expect(readReturn).toThrow("ENOENT");
  expect(problems()).toContain("JSON");
});

it.each([
  ["workers", { status: [{ workers: [{ ...worker(1, "failed"), title: 7 }] }] }],
  ["tasks", { status: [{ workers: [] }], delegate: [{ tasks: [{ admitted: "yes" }] }] }],
])("fails if the runtime answers with other %s than it knows", async (_, answers) => {
  readOutput(process.stderr);
  const { environment, readReturn } = await runtime(answers);
  expect(await handOutParts(PLAN, environment)).toBe(1);
  expect(readReturn).toThrow("ENOENT");
});

it("returns failed when a limit refuses every part, with the reason (R69)", async () => {
  const output = readOutput(process.stdout);
  const refused = { admitted: false, explanation: "ERROR: Too many delegations (12). Maximum: 10" };
  const { environment, readReturn } = await runtime({
    status: [{ workers: [] }],
    delegate: [{ tasks: [refused, refused] }],
  });
  expect(await handOutParts(PLAN, environment)).toBe(0);
  const summary = "No part of the story could be delegated.";
  const error = { message: refused.explanation, recommendation: expect.stringContaining("ambit explain") };
  expect(readReturn()).toMatchObject({ status: "failed", summary, errors: [error, error] });
  const line = `refused: ${refused.explanation}\n`;
  expect(output()).toBe(`${line}${line}${summary}\n`);
});
