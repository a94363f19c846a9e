import { describe, expect, it } from "vitest";
import { errorCodes } from "../../../src/contract/error-code.ts";
import { end, fillSeedStory, start } from "../../reports/fill-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import {
  ask,
  checked,
  criterion,
  filledRepository,
  json,
  openWork,
  run,
  stateOf,
} from "./filled-repository.ts";

describe("ambit explain <CODE>", () => {
  it.each(Object.entries(errorCodes))("%s has a meaning, exit status %i and advice", async (code, exit) => {
    expect(await json(temporaryFolder(), ["explain", code])).toStrictEqual({
      schema: "ambit/v1",
      code,
      means: expect.stringMatching(/^[A-Z].+\.$/),
      exit_status: exit,
      exit_status_means: expect.stringMatching(/\S/),
      next: expect.stringMatching(/^\S.+\S$/),
    });
  });

  it("explains a code with the name of a field, such as MISSING_FIELD:summary", async () => {
    const { stdout } = await run(temporaryFolder(), ["explain", "MISSING_FIELD:summary"]);
    expect(stdout).toMatch(/^code {3}MISSING_FIELD:summary\nmeans {2}A field .+\nexit {3}1: .+\nnext {3}\S/);
  });

  it("says that a story which keeps a part of the work exits 3, and so does help exit-codes", async () => {
    const { stdout } = await run(temporaryFolder(), ["explain", "CRITERION_FAILED"]);
    expect(stdout).toMatch(/^exit {3}1: .+; 3 if a story keeps a part of the work$/m);
    expect((await run(temporaryFolder(), ["explain", "TIMEOUT"])).stdout).not.toContain("; 3 if");
    expect((await run(temporaryFolder(), ["help", "exit-codes"])).stdout).toContain("is partial: exit 3");
  });

  it("refuses an unknown code and names similar ones", async () => {
    const { exitCode, stderr } = await run(temporaryFolder(), ["explain", "MAX_DEPTH_REACHED"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("there is no code MAX_DEPTH_REACHED");
    expect(stderr).toContain("Did you mean MAX_DEPTH_EXCEEDED");
  });

  it("explains the story if a story has the name of a code", async () => {
    const directory = await filledRepository((store) => openWork(store, "TIMEOUT"));
    expect(await json(directory, ["explain", "TIMEOUT"])).toMatchObject({
      story: "TIMEOUT",
      state: "running",
    });
    expect(await json(directory, ["explain", "STALLED"])).toMatchObject({ code: "STALLED" });
  });
});

describe("ambit explain", () => {
  it("names the agent and why it was chosen, the guards it passed and the cost (R16, R104)", async () => {
    const directory = await filledRepository(fillSeedStory);
    const { stdout } = await run(directory, ["explain", "US-007-DEL-001"]);
    expect(stdout).toContain(
      [
        "Who does it",
        "  implementer",
        "  attempt 1 of US-007 asked for it; implementer does it",
        "  passed before it began: no_cycle, depth_ok, count_ok, context_ok, cost_ok, description_safe",
        "",
        "Spent",
        "  $0.45, $0.60 with its workers, 12,500 tokens in, 3,200 out",
        "  attempt 1: no time known, $0.45, not ended",
      ].join("\n"),
    );
    expect(await json(directory, ["explain", "US-007-DEL-001"])).toMatchObject({
      route: { asked_by: "US-007", agent: "implementer" },
      guards: { passed: expect.arrayContaining(["no_cycle"]) },
      spent: { with_workers_usd: 0.6 },
    });
  });

  it("says what a parked manager waits for, which requests were refused and why, and changes nothing", async () => {
    const directory = await filledRepository(async (store) => {
      await openWork(store, "S-1");
      const worker = await start(store, "S-1", { description: "ids" });
      const requests = [{ description: "run; this", isDirective: true }];
      await store.admit({ parent: "S-1", parentAttempt: 1, requests });
      const data = { waitingFor: [worker.id] };
      await store.record({ type: "delegation-parked", story: "S-1", delegation: "S-1", attempt: 1, data });
    });
    const before = await stateOf(directory);
    const { exitCode, stdout } = await run(directory, ["explain"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("S-1: Work S-1  [parked]\n  It waits for S-1-DEL-001: running (ids).");
    expect(stdout).toContain("No supervisor is running, so nothing continues by itself.");
    expect(stdout).toMatch(/S-1 asked for "run; this"\n {4}SUSPICIOUS_CHARACTERS {2}\S/);
    expect(stdout).toContain("Next\n  ambit resume S-1");
    expect(await stateOf(directory)).toStrictEqual(before);
  });

  it("names the pending question and the command that answers it", async () => {
    const directory = await filledRepository(async (store) => {
      await openWork(store, "S-1");
      const { id } = await start(store, "S-1", { description: "ids" });
      await ask(store, id, { kind: "clarification", question: "uuid or bigint?" });
    });
    expect(await json(directory, ["explain", "1"])).toMatchObject({
      id: "S-1-DEL-001",
      why: expect.arrayContaining(["It waits for you: uuid or bigint?"]),
      next: ['ambit reply S-1-DEL-001 "…"', "ambit resume S-1", "ambit logs S-1-DEL-001 -f"],
    });
  });

  it("says how work ended, what its code means, what went wrong before and what to do", async () => {
    const directory = await filledRepository(async (store) => {
      const criteria = [criterion("c1", { check: { command: "npm test" } })];
      await openWork(store, "S-1", {
        work: { adapter: "command", command: [], context: "", criteria, dependsOn: [] },
      });
      const about = { story: "S-1", delegation: "S-1", attempt: 1 } as const;
      const ended = { reason: "exited", exitCode: 3, code: null, durationMs: 5 };
      await store.record({ ...about, type: "attempt-ended", data: ended });
      const codes = ["NOT_JSON", "SUMMARY_EMPTY"];
      await store.record({ ...about, type: "return-rejected", data: { codes, repair: 0 } });
      await checked(store, "S-1", { id: "c1", verdict: "failed" });
      const settlement = {
        code: "CRITERION_FAILED",
        summary: "Tests are \u001b[31mred.\n  Failure:\n    not ok 1\nIts work is kept.",
        filesChanged: ["a", "b"],
      };
      await end(store, "S-1", { outcome: "partial", ...settlement });
    });
    const { stdout } = await run(directory, ["explain"]);
    expect(stdout).toContain(
      "[partial]\n  It ended partial (CRITERION_FAILED): Tests are red.\n    Failure:\n",
    );
    expect(stdout).toContain("\n      not ok 1\n  Its work is kept.\n");
    expect(stdout).toContain("2 changed files are kept on the branch delegation/S-1.");
    expect(stdout).toContain("CRITERION_FAILED means: A required criterion was checked and is not met.");
    expect(stdout).toContain("✖ failed      Text of c1");
    expect(stdout).toContain("attempt 1: the agent's process ended: exited with exit code 3");
    expect(stdout).toContain("attempt 1: NOT_JSON  its return violates the contract (also SUMMARY_EMPTY)");
    expect(stdout).toContain("Next\n  ambit resume S-1\n  ambit diff S-1\n  ambit retry S-1");
  });

  it("shows each limit with its usage and its source", async () => {
    const directory = await filledRepository(fillSeedStory, {
      "ambit.yaml": "delegation:\n  parallel:\n    maxConcurrent: 64\n",
    });
    const document = await json(directory, ["explain", "US-007-DEL-001"]);
    expect(document["limits"]).toStrictEqual(
      expect.arrayContaining([
        { limit: "depth", used: "1", allowed: "2", origin: "default" },
        { limit: "delegations of the story", used: "4", allowed: "100", origin: "set when the story began" },
        {
          limit: "workers at once",
          used: null,
          allowed: "64",
          origin: expect.stringContaining("ambit.yaml:3"),
        },
        { limit: "cost", used: "$0.60", allowed: "none", origin: "default" },
        { limit: "context tokens", used: null, allowed: "100,000", origin: "default" },
      ]),
    );
  });

  it("shows the settings recorded with a worker if the current ones cannot be read", async () => {
    const directory = await filledRepository((store) => openWork(store, "S-1"), {
      "ambit.yaml": "delegation: 7\n",
    });
    const { exitCode, stdout } = await run(directory, ["explain"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("settings of that time");
  });
});
