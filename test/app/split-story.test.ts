import { existsSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { handOutParts } from "../../src/app/programs/hand-out-parts.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";
import { closeRuntime, runtime, worker } from "./worker-runtime.ts";

afterEach(closeRuntime);

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
