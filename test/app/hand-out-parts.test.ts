import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { handOutParts } from "../../src/app/programs/hand-out-parts.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";

interface Call {
  readonly method: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

let server: Server | undefined;

afterEach(() => new Promise<void>((resolve) => void (server?.close(() => resolve()) ?? resolve())));

/** A runtime as a worker sees it. It gives the answers of each method in order and then repeats the last one. */
async function runtime(answers: Readonly<Record<string, readonly unknown[]>>) {
  const folder = temporaryFolder();
  const calls: Call[] = [];
  const socket = join(folder, "worker.sock");
  server = createServer((connection) => {
    createInterface({ input: connection }).on("line", (line) => {
      const { call, method, parameters } = JSON.parse(line);
      const before = calls.filter((one) => one.method === method).length;
      calls.push({ method, parameters });
      const all = answers[method] ?? [];
      connection.write(`${JSON.stringify({ reply: call, result: all[before] ?? all.at(-1) ?? {} })}\n`);
    });
  });
  await new Promise<void>((resolve) => server?.listen(socket, resolve));
  const returnFile = join(folder, "return.json");
  const environment = { AMBIT_SOCKET: socket, AMBIT_TOKEN: "t", AMBIT_RETURN_FILE: returnFile };
  const readReturn = (): unknown => JSON.parse(readFileSync(returnFile, "utf8"));
  return { calls, environment, readReturn };
}

const PLAN = JSON.stringify({ tasks: [{ description: "One" }, { description: "Two" }] });

function worker(number: number, outcome: string | null) {
  const id = `S-1-DEL-00${number}`;
  return { delegation_id: id, title: `Part ${number}`, status: outcome ?? "running", outcome };
}

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
    await new Promise<void>((resolve) => void server?.close(() => resolve()));
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

describe("a story whose parts are proposed (R191)", () => {
  const SPLIT = JSON.stringify({ split: { story: "All of it", agent: "coder", maxParts: 3 } });
  const FILE = "ambit-split.json";
  const told = { tasks: [{ admitted: true }, { admitted: true }] };
  const before = process.cwd();
  afterEach(() => process.chdir(before));

  /** The tasks that the manager hands out when these workers have ended, in a folder with this proposal. */
  async function takeTurn(workers: readonly object[], proposal?: string) {
    process.chdir(temporaryFolder());
    if (proposal !== undefined) writeFileSync(FILE, proposal);
    const one = await runtime({ status: [{ workers }], delegate: [told] });
    expect(await handOutParts(SPLIT, one.environment)).toBe(0);
    return { ...one, tasks: one.calls.find(({ method }) => method === "delegate")?.parameters["tasks"] };
  }

  it("has one worker propose them first (R191)", async () => {
    const { tasks } = await takeTurn([]);
    expect(tasks).toMatchObject([{ description: "Propose parts of: All of it", agent: "coder" }]);
  });

  it("hands out the parts of the proposal, all to the story's own agent (R191)", async () => {
    const parts = [
      { name: "api", description: "Do the API", agent: "other" },
      { name: "page", description: "Do the page" },
    ];
    const { tasks } = await takeTurn([worker(1, "completed")], JSON.stringify({ parts }));
    expect(tasks).toMatchObject([
      { description: "Do the API", agent: "coder" },
      { description: "Do the page", agent: "coder" },
    ]);
  });

  it.each([
    ["was not written", undefined],
    ["is not usable", "{"],
    ["names no parts", '{"parts": []}'],
  ])("hands all of it to one worker if the proposal %s (R191)", async (_, proposal) => {
    const { tasks } = await takeTurn([worker(1, "completed")], proposal);
    expect(tasks).toMatchObject([{ description: "All of it", agent: "coder" }]);
    expect(tasks).toHaveLength(1);
  });

  it("reports the parts without the worker that proposed them, and removes the proposal (R191)", async () => {
    const parts = [{ name: "api", description: "Do the API" }];
    const ended = [worker(1, "completed"), worker(2, "completed")];
    const { readReturn, tasks } = await takeTurn(ended, JSON.stringify({ parts }));
    expect([tasks, existsSync(FILE)]).toEqual([undefined, false]);
    expect(readReturn()).toMatchObject({
      status: "completed",
      summary: "The one part is completed and merged. Nothing is left.",
    });
  });
});
