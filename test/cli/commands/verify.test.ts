import { describe, expect, it } from "vitest";
import type { WorkSpec } from "../../../src/contract/work-spec.ts";
import { complete, end, start } from "../../reports/fill-store.ts";
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
import { keepWork, storyRepository, type StoryRepository } from "./story-repository.ts";

function work(criteria: WorkSpec["criteria"]): WorkSpec {
  return { adapter: "command", command: [], context: "", criteria, dependsOn: [] };
}

const tests = criterion("c1", { text: "All tests pass", check: { command: "npm test" } });
const tidy = criterion("c2", { text: "The code is tidy", check: { manual: true } });
const advice = criterion("c3", { text: "Good names", required: false });

describe("ambit verify", () => {
  it("shows criterion, check, verdict and evidence; exit 0 if every required criterion is met", async () => {
    const directory = await filledRepository(async (store) => {
      await openWork(store, "S-1", { work: work([tests, tidy, advice]) });
      await checked(store, "S-1", { id: "c1", verdict: "passed" });
      await checked(store, "S-1", { id: "kept-S-1-DEL-001-c1", verdict: "passed" });
      const approvalId = await ask(store, "S-1", { kind: "criterion" });
      const data = { approvalId, answer: "approved", by: "person", reason: "I read it" } as const;
      await store.record({ type: "approval-answered", story: "S-1", delegation: "S-1", attempt: 0, data });
      await complete(store, "S-1");
    });
    const { exitCode, stdout } = await run(directory, ["verify"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/✔ passed {6}c1 +All tests pass\n +check: `npm test` exits with code 0/);
    expect(stdout).toMatch(/✔ passed {6}c2 +The code is tidy/);
    expect(stdout).toContain("Good names (advice only)");
    expect(stdout).toContain("✔ S-1: 3 of 3 required criteria are met");
    expect(await json(directory, ["verify"])).toMatchObject({
      met: true,
      rerun: false,
      criteria: [
        { id: "c1", verdict: "passed", evidence: "found to be passed", by: "ambit", required: true },
        { id: "c2", verdict: "passed", evidence: "I read it", by: "person" },
        { id: "c3", required: false },
        { id: "kept-S-1-DEL-001-c1", required: true, verdict: "passed" },
      ],
    });
  });

  it("ends with 1 and the evidence if a required criterion failed or was not checked", async () => {
    const directory = await filledRepository(async (store) => {
      await openWork(store, "S-1", { work: work([tests, tidy]) });
      await checked(store, "S-1", {
        id: "c1",
        verdict: "failed",
        evidence: "exit code 1\nLog: x\n\u001b[31m3 tests failed",
      });
      await end(store, "S-1", { outcome: "partial", code: "CRITERION_FAILED", summary: "Red." });
    });
    const { exitCode, stdout } = await run(directory, ["verify", "S-1"]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/✖ failed {6}c1[^]*exit code 1\n +Log: x\n +3 tests failed\n\? unverified {2}c2/);
    expect(stdout).toContain("✖ S-1: 0 of 2 required criteria are met\n  next  ambit explain S-1");
  });

  it("does not apply findings or answers about an earlier attempt to the current work", async () => {
    const directory = await filledRepository(async (store) => {
      await openWork(store, "S-1", { work: work([tests, tidy]) });
      await checked(store, "S-1", { id: "c1", verdict: "passed" });
      const approvalId = await ask(store, "S-1", { kind: "criterion" });
      const answer = { approvalId, answer: "approved", by: "person", reason: "ok" } as const;
      await store.record({
        type: "approval-answered",
        story: "S-1",
        delegation: "S-1",
        attempt: 0,
        data: answer,
      });
      const retry = { reason: "again", kind: "retry" as const, afterMs: 0 };
      await store.record({
        type: "attempt-retried",
        story: "S-1",
        delegation: "S-1",
        attempt: 1,
        data: retry,
      });
      await store.begin("S-1", 2, { owner: "test", leaseMs: 1000, maxConcurrent: 1 });
    });
    expect(await json(directory, ["verify"])).toMatchObject({
      met: false,
      criteria: [
        { id: "c1", verdict: "unverified", evidence: "attempt 1 passed: found to be passed" },
        { id: "c2", verdict: "unverified" },
      ],
    });
  });

  it("keeps the results of an earlier attempt as long as no file has changed since", async () => {
    const later = (tip: string) =>
      filledRepository(async (store) => {
        const of = { story: "S-1", delegation: "S-1" };
        const keep = (attempt: number, kept: string) =>
          store.record({
            type: "work-kept",
            ...of,
            attempt,
            data: { tip: kept, base: "b", filesChanged: ["a"] },
          });
        await openWork(store, "S-1", { work: work([tests]) });
        await keep(1, "one");
        await checked(store, "S-1", { id: "c1", verdict: "passed" });
        const data = { reason: "again", kind: "retry" as const, afterMs: 0 };
        await store.record({ type: "attempt-retried", ...of, attempt: 1, data });
        await store.begin("S-1", 2, { owner: "test", leaseMs: 1000, maxConcurrent: 1 });
        await keep(2, tip);
      });
    const ask = async (directory: string) => (await json(directory, ["verify"]))["met"];
    expect(await ask(await later("one"))).toBe(true);
    expect(await ask(await later("two"))).toBe(false);
  });

  it("summarises a story's workers, which do not decide its verdict", async () => {
    const directory = await filledRepository(async (store) => {
      await openWork(store, "S-1");
      const { id } = await start(store, "S-1", { description: "part", work: work([tests]) });
      await checked(store, id, { id: "c1", verdict: "failed" });
      await end(store, id, { outcome: "partial", summary: "Red." });
      await complete(store, "S-1");
    });
    const { exitCode, stdout } = await run(directory, ["verify"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("1  partial  0 of 1 required criteria met");
    expect((await run(directory, ["verify", "1"])).exitCode).toBe(1);
  });
});

describe("ambit verify --rerun", () => {
  async function story(criteria: WorkSpec["criteria"], before?: "passed"): Promise<StoryRepository> {
    const repository = storyRepository();
    const base = repository.git("rev-parse", "main");
    const tip = repository.commitOn(base, { "new.txt": "new\n" });
    await repository.withStore(async (store) => {
      await openWork(store, "S-1", { work: work(criteria) });
      await keepWork(store, "S-1", { base, tip, files: ["new.txt"] });
      if (before !== undefined) await checked(store, "S-1", { id: "c1", verdict: before });
      await end(store, "S-1", { outcome: "partial", summary: "Half." });
    });
    return repository;
  }

  const criteria = [
    criterion("c1", { check: { command: "test -f new.txt && touch litter" } }),
    criterion("c2", { check: { file: "new.txt" } }),
    criterion("c3", { check: { changed: "*.txt" } }),
  ];

  it("checks the kept work again in its own checkout, records nothing and leaves nothing behind", async () => {
    const repository = await story(criteria);
    const before = await stateOf(repository.directory);
    const { exitCode, stdout } = await run(repository.directory, ["verify", "--rerun", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      met: true,
      rerun: true,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      criteria: [{ verdict: "passed" }, { verdict: "passed" }, { verdict: "passed", by: "ambit" }],
    });
    expect(exitCode).toBe(0);
    expect(headOf(await stateOf(repository.directory))).toStrictEqual(headOf(before));
    expect(repository.git("status", "--porcelain")).toBe("");
    expect(repository.git("worktree", "list").split("\n")).toHaveLength(1);
  });

  it("ends with 1 if a check does not pass, whatever was found before", async () => {
    const failing = criterion("c1", { check: { command: "echo broken; exit 3" } });
    const repository = await story([failing], "passed");
    expect((await run(repository.directory, ["verify"])).exitCode).toBe(0);
    const { exitCode, stdout } = await run(repository.directory, ["verify", "--rerun"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("ended with exit code 3");
    expect(stdout).toContain("broken");
  });

  it("says if there is no work to check", async () => {
    const repository = storyRepository();
    await repository.withStore((store) => openWork(store, "S-1"));
    const { exitCode, stderr } = await run(repository.directory, ["verify", "--rerun"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("S-1 has no work yet that could be checked.");
  });

  function headOf(state: unknown): unknown {
    return typeof state === "object" && state !== null && "head" in state ? state.head : undefined;
  }
});
