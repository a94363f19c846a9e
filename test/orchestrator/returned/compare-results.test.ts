import { describe, expect, it } from "vitest";
import type { Criterion, CriterionCheck } from "../../../src/contract/task.ts";
import type { ArtifactState } from "../../../src/contract/validate-return.ts";
import { workSpecSchema } from "../../../src/contract/work-spec.ts";
import type { Delegation } from "../../../src/journal/store.ts";
import { compareResults, type CheckedWork } from "../../../src/orchestrator/returned/compare-results.ts";
import type { BaseChecks } from "../../../src/orchestrator/ports/base-checks.ts";
import type { CheckResult } from "../../../src/verification/run-checks.ts";
import { makeDelegation } from "../../reports/make-delegation.ts";

const criterion = (id: string, check?: CriterionCheck, more: Partial<Criterion> = {}): Criterion => ({
  id,
  text: id,
  required: true,
  verdict: "unverified",
  ...(check === undefined ? {} : { check }),
  ...more,
});
const result = (one: Criterion, verdict: CheckResult["verdict"]): CheckResult => ({
  criterion: one,
  verdict,
  code: verdict === "passed" ? null : "CHECK_FAILED",
  evidence: "It ended.",
});
const tests = criterion("tests", { command: "npm test" });
const page = criterion("page", { file: " docs//page.md " });

interface World {
  /** Results on the base. */
  readonly base?: readonly CheckResult[];
  readonly files?: Readonly<Record<string, ArtifactState>>;
  readonly story?: Delegation;
  readonly isOff?: boolean;
  /** Trees by commit. */
  readonly trees?: Readonly<Record<string, string>>;
}

const worker = makeDelegation("S-1-DEL-001", { base: "c-base", timeoutSeconds: 900 });

/** The project around a comparison, and what was asked of it. */
function project({ base = [], files = {}, story, isOff = false, trees = {} }: World = {}) {
  const asked: string[] = [];
  const baseChecks: BaseChecks = {
    begin: async () => undefined,
    wait: async ({ id }, maxMs) => void asked.push(`wait ${id} ${maxMs}`),
    results: async (_, { commit, criteria }) => {
      asked.push(`results ${commit} ${criteria.map(({ id }) => id).join(" ")}`);
      return base;
    },
    keep: async ({ id }, { commit, results }) => void asked.push(`keep ${id} ${commit} ${results.length}`),
    stop: () => undefined,
    stopAll: async () => undefined,
  };
  const tools = {
    baseChecks,
    settings: async () => ({ checks: { base: !isOff } }),
    store: { delegation: async (id: string) => (id === story?.id ? story : undefined) },
    git: {
      treeOf: async (commit: string) => trees[commit] ?? commit,
      probeFiles: async (commit: string, paths: readonly string[]) => {
        asked.push(`probe ${commit} ${paths.join(" ")}`);
        return new Map(Object.entries(files));
      },
    },
  };
  const compare = (work: Partial<CheckedWork>) =>
    compareResults(tools, {
      delegation: worker,
      commit: "c-work",
      results: [],
      changedFiles: ["a.ts"],
      accepted: [],
      ...work,
    });
  return { asked, tools, compare };
}

const storyWith = (more: object, parts: Partial<Delegation> = {}): Delegation =>
  makeDelegation("S-1", {
    base: "c-base",
    work: workSpecSchema.parse({ adapter: "claude", ...more }),
    ...parts,
  });

describe("results of checks, compared with the tree that the work started from", () => {
  it("say what they mean, and are kept for those who start from this work", async () => {
    const { asked, compare } = project({ base: [result(tests, "failed")] });
    const compared = await compare({ results: [result(tests, "passed")] });
    expect(compared).toMatchObject([{ criterion: tests, verdict: "passed", meaning: "proves" }]);
    expect(asked).toEqual(["wait S-1-DEL-001 60000", "results c-base tests", "keep S-1-DEL-001 c-work 1"]);
  });

  it.each([
    ["file", "no-regression"],
    ["empty", "proves"],
    ["missing", "proves"],
  ] as const)("of a file need no run: it was %s", async (state, meaning) => {
    const { asked, compare } = project({ files: { "docs/page.md": state } });
    expect(await compare({ results: [result(page, "passed")] })).toMatchObject([{ meaning }]);
    expect(asked).toContain("probe c-base docs/page.md");
  });

  it("stay as they are if no base is checked, or no check can be compared", async () => {
    const results = [result(tests, "passed")];
    const off = project({ isOff: true });
    expect(await off.compare({ results })).toBe(results);
    expect(off.asked).toEqual([]);
    const { tools } = project();
    const { baseChecks: _, ...none } = tools;
    const work = { delegation: worker, commit: "c-work", results, changedFiles: [], accepted: [] };
    expect(await compareResults(none, work)).toBe(results);
    const others = [
      result(criterion("said"), "unverified"),
      result(criterion("seen", { manual: true }), "unverified"),
      result(criterion("edited", { changed: "src/**" }), "passed"),
    ];
    const { asked, compare } = project();
    expect(await compare({ results: others })).toBe(others);
    expect(asked).toEqual([]);
    expect(await compare({ results: [...others, result(page, "passed")] })).not.toBe(others);
  });

  it("stay as they are without a base", async () => {
    const results = [result(tests, "passed")];
    const { asked, compare } = project();
    expect(await compare({ results, delegation: { ...worker, base: null } })).toEqual(results);
    expect(asked).not.toContain("results c-base tests");
  });
});

describe("work that changed nothing itself", () => {
  const results = [result(tests, "passed")];
  const base = [result(tests, "failed")];

  it("proves nothing as a worker's", async () => {
    const { compare } = project({ base });
    expect(await compare({ results, changedFiles: [] })).toMatchObject([{ meaning: "proves-nothing" }]);
  });

  it("is a story's if its workers changed the tree", async () => {
    const delegation = storyWith({});
    const merged = project({ base, story: delegation });
    expect(await merged.compare({ results, delegation, changedFiles: [] })).toMatchObject([
      { meaning: "proves" },
    ]);
    const trees = { "c-base": "same", "c-work": "same" };
    const same = project({ base, story: delegation, trees });
    expect(await same.compare({ results, delegation, changedFiles: [] })).toMatchObject([
      { meaning: "proves-nothing" },
    ]);
    const without = { ...delegation, base: null };
    expect(await merged.compare({ results, delegation: without, changedFiles: [] })).toEqual(results);
  });
});

describe("checks for which other work was accepted meanwhile", () => {
  const check = { command: "npm test" };
  const owners = [{ from: "S-1-DEL-002", criterionId: "theirs", text: "Their tests pass" }];
  const accepted = [{ check, owners }];
  const results = [result(tests, "passed")];
  const base = [result(tests, "failed")];

  it("were green before this worker, whatever the base says", async () => {
    const { compare } = project({ base, story: storyWith({}) });
    expect(await compare({ results, accepted })).toMatchObject([{ meaning: "no-regression" }]);
    const ownerless = [{ check, owners: [] }];
    expect(await compare({ results, accepted: ownerless })).toMatchObject([{ meaning: "no-regression" }]);
  });

  it("are the story's own work, and prove nothing where red work is accepted", async () => {
    const delegation = storyWith({});
    const { compare } = project({ base, story: delegation });
    expect(await compare({ results, accepted, delegation })).toMatchObject([{ meaning: "proves" }]);
    const tolerant = project({ base, story: storyWith({ allowRedBase: true }) });
    expect(await tolerant.compare({ results, accepted })).toMatchObject([{ meaning: "proves" }]);
  });
});

describe("the rules of a story", () => {
  const proof = { kind: "command", command: "npm test", exit_code: 1, signal: null, duration_ms: 1 } as const;
  const red: CheckResult = {
    ...result(tests, "failed"),
    proof: { ...proof, output: "", log: null, failing: ["old"] },
  };

  it("let its workers keep the tests red that were red, and wait for the whole base", async () => {
    const { asked, compare } = project({ base: [red], story: storyWith({ allowRedBase: true }) });
    expect(await compare({ results: [red] })).toMatchObject([{ verdict: "passed", meaning: "red-before" }]);
    expect(asked[0]).toBe("wait S-1-DEL-001 900000");
    const strict = project({ base: [red], story: storyWith({}) });
    expect(await strict.compare({ results: [red] })).toMatchObject([{ verdict: "failed" }]);
  });

  const mine = { ...worker, work: workSpecSchema.parse({ adapter: "claude", criteria: [tests] }) };
  const byWorker = criterion("tests", { command: "npm test" }, { origin: "worker" });
  const green = (one: Criterion) => ({ base: [result(one, "passed")], results: [result(one, "passed")] });

  it.each([
    ["a criterion of its own", storyWith({ proveRed: true }), mine, tests, "failed"],
    ["one that a manager's worker wrote", storyWith({ proveRed: true }), mine, byWorker, "passed"],
    [
      "one of a person's own agent",
      storyWith({ adapter: "outside", proveRed: true }),
      mine,
      byWorker,
      "failed",
    ],
    ["a check of earlier work", storyWith({ proveRed: true }), worker, tests, "passed"],
    ["no rule", storyWith({}), mine, tests, "passed"],
  ] as const)("let a worker prove that it was red: %s", async (_, story, delegation, one, verdict) => {
    const { base, results } = green(one);
    const { asked, compare } = project({ base, story });
    expect(await compare({ delegation, results })).toMatchObject([{ verdict }]);
    expect(asked[0]).toBe(`wait S-1-DEL-001 ${story.work?.proveRed === true ? 900_000 : 60_000}`);
  });

  it("are those of the story itself, and none where it is not known", async () => {
    const { base, results } = green(tests);
    const delegation = storyWith({ proveRed: true, criteria: [tests] });
    expect(await project({ base }).compare({ delegation, results })).toMatchObject([{ verdict: "failed" }]);
    expect(await project({ base }).compare({ delegation: mine, results })).toMatchObject([
      { verdict: "passed" },
    ]);
  });
});
