import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLimits, type Limits } from "../../src/contract/limits.ts";
import { judgeAgentPath } from "../../src/guards/agent-path.ts";
import { contextBudgetGuard } from "../../src/guards/context-budget.ts";
import { costGuard } from "../../src/guards/cost.ts";
import { countGuard } from "../../src/guards/count.ts";
import { closesCycle, cycleGuard } from "../../src/guards/cycle.ts";
import { depthGuard, depthOfPath } from "../../src/guards/depth.ts";
import { descriptionGuard, judgeDescription } from "../../src/guards/description.ts";
import { runGuards } from "../../src/guards/run-guards.ts";
import {
  explainFailure,
  type GuardFacts,
  type GuardRequest,
  type Verdict,
} from "../../src/guards/verdict.ts";

const request: GuardRequest = { description: "Write the parser", contextTokens: 0 };
const facts: GuardFacts = {
  callerDepth: 0,
  agentPath: ["ambit", "claude"],
  idPath: ["US-007"],
  storyDelegations: 0,
  callerWorkers: 0,
  batchSize: 1,
  callerContextTokens: 0,
  availableMicroUsd: null,
};
const text = (verdict: Verdict): string => (verdict.ok ? "" : explainFailure(verdict));
const code = (verdict: Verdict): string | undefined => (verdict.ok ? undefined : verdict.code);

describe("depth guard", () => {
  it("refuses exactly when the caller's depth reaches the maximum (R10, C2)", () => {
    fc.assert(
      fc.property(fc.nat(5), fc.nat(3), (callerDepth, maxDepth) => {
        const verdict = depthGuard(request, { ...facts, callerDepth }, { ...defaultLimits, maxDepth });
        expect(verdict.ok).toBe(callerDepth < maxDepth);
        expect(verdict).toMatchObject(verdict.ok ? { check: "depth_ok" } : { code: "MAX_DEPTH_EXCEEDED" });
      }),
    );
  });

  it("says what happened, the numbers and what to do (R61, R69)", () => {
    const attempt = { ...request, description: "Implement advanced caching layer" };
    expect(text(depthGuard(attempt, { ...facts, callerDepth: 2 }, defaultLimits))).toBe(
      [
        "ERROR: Delegation depth limit (2) reached. Cannot delegate further.",
        "",
        "Current depth: 2",
        "Attempted delegation: Implement advanced caching layer",
        "Suggestion: Complete this task at current level or simplify.",
      ].join("\n"),
    );
  });

  it("prints a description only up to its maximum length", () => {
    const verdict = depthGuard(
      { ...request, description: "x".repeat(9999) },
      { ...facts, callerDepth: 2 },
      defaultLimits,
    );
    expect(text(verdict).length).toBeLessThan(800);
  });

  it("counts depth from the agent path without root and command (R17, R18, C3)", () => {
    expect(depthOfPath(["orchestrator"])).toBe(0);
    expect(depthOfPath(["orchestrator", "implement"])).toBe(0);
    expect(depthOfPath(["orchestrator", "implement", "task-executor"])).toBe(1);
    expect(depthOfPath(["orchestrator", "implement", "task-executor", "implementer", "git"])).toBe(3);
  });
});

describe("cycle guard", () => {
  it("refuses an agent already on the path and allows it in a sibling line (R14, C4, C5)", () => {
    expect(code(cycleGuard({ ...request, agent: "claude" }, facts, defaultLimits))).toBe("CYCLE_DETECTED");
    expect(cycleGuard({ ...request, agent: "codex" }, facts, defaultLimits)).toEqual({
      ok: true,
      check: "no_cycle",
    });
    expect(cycleGuard(request, facts, defaultLimits).ok).toBe(true);
  });

  it("refuses a target that waits for the caller, and shows the path (R13, R63)", () => {
    const line = { ...facts, idPath: ["US-007", "US-007-DEL-001"] };
    expect(text(cycleGuard({ ...request, targetId: "US-007" }, line, defaultLimits))).toBe(
      [
        "ERROR: Delegation cycle detected. Cannot delegate to avoid infinite loop.",
        "",
        "Cycle path: US-007 → US-007-DEL-001 → US-007 (attempted)",
        "",
        "This would create an infinite delegation loop.",
        "Suggestion: Leave agent out for a worker like yourself, name an agent or task that is not on this path, or do the work here.",
      ].join("\n"),
    );
    expect(cycleGuard({ ...request, targetId: "US-008" }, line, defaultLimits).ok).toBe(true);
  });

  it("finds a closing edge in any graph exactly if a forward search does (R13)", () => {
    const node = fc.constantFrom("A", "B", "C", "D", "E");
    const edge = fc.tuple(node, node);
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 12 }), edge, (edges, added) => {
        expect(closesCycle(edges, added)).toBe(reaches(edges, added[1], added[0]));
      }),
      { numRuns: 1000 },
    );
  });

  it("handles A→B→A, self-references, and one node with 100,000 edges (R13, R125)", () => {
    expect(closesCycle([["A", "B"]], ["B", "A"])).toBe(true);
    expect(closesCycle([["A", "B"]], ["C", "A"])).toBe(false);
    expect(closesCycle([], ["A", "A"])).toBe(true);
    const star = Array.from({ length: 100_000 }, (_, index) => ["A", `n${index}`] as const);
    expect(closesCycle(star, ["n99999", "A"])).toBe(true);
  });
});

describe("agent path", () => {
  const path = ["orchestrator", "implement", "task-executor", "implementer", "git-workflow-manager"];

  it("reports the cycle before the depth when both fail (C6, R65)", () => {
    expect(judgeAgentPath(path, "task-executor", 3)).toEqual({
      allowed: false,
      childDepth: 4,
      failures: [
        {
          code: "CYCLE_DETECTED",
          message:
            "Cycle detected: orchestrator → implement → task-executor → implementer → git-workflow-manager → task-executor",
        },
        {
          code: "MAX_DEPTH_EXCEEDED",
          message:
            "Max delegation depth (3) exceeded: orchestrator → implement → task-executor → implementer → git-workflow-manager → task-executor",
        },
      ],
    });
  });

  it("allows the deepest valid chain and blocks one more (R17, C2)", () => {
    expect(judgeAgentPath(path.slice(0, 4), "git-workflow-manager", 3)).toEqual({
      allowed: true,
      childDepth: 3,
      failures: [],
    });
    expect(judgeAgentPath(path, "helper", 3).failures.map((failure) => failure.code)).toEqual([
      "MAX_DEPTH_EXCEEDED",
    ]);
    expect(judgeAgentPath(["orchestrator"], "implement", 3)).toEqual({
      allowed: true,
      childDepth: 0,
      failures: [],
    });
  });
});

describe("count guard", () => {
  it("refuses when existing and requested together exceed the story's maximum (R12, R15, C28)", () => {
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(20),
        (existing, batchSize, maxDelegations) => {
          const limits: Limits = { ...defaultLimits, maxDelegations, fanOut: [100, 100, 100] };
          const verdict = countGuard(request, { ...facts, storyDelegations: existing, batchSize }, limits);
          expect(verdict.ok).toBe(existing + batchSize <= maxDelegations);
        },
      ),
    );
  });

  it("says what happened, the numbers and what to do (R64)", () => {
    expect(text(countGuard(request, { ...facts, batchSize: 12 }, defaultLimits))).toBe(
      [
        "ERROR: Too many delegations (12). Maximum: 10",
        "",
        "Attempted delegations: 12",
        "Maximum allowed: 10",
        "Limit: delegations per story",
        "",
        "Suggestion: Group related subtasks or reduce delegation count.",
      ].join("\n"),
    );
  });

  it("limits the fan-out by the manager's depth: 10, 5, 3, none (R19, C31)", () => {
    const limits: Limits = { ...defaultLimits, maxDelegations: 100, maxDepth: 3 };
    for (const [callerDepth, most] of [10, 5, 3, 0].entries()) {
      const at = (batchSize: number): Verdict =>
        countGuard(request, { ...facts, callerDepth, batchSize }, limits);
      if (most > 0) expect(at(most)).toEqual({ ok: true, check: "count_ok" });
      expect(code(at(most + 1))).toBe("TOO_MANY_DELEGATIONS");
    }
    const rest = countGuard(request, { ...facts, callerDepth: 1, callerWorkers: 4, batchSize: 2 }, limits);
    expect(text(rest)).toContain("Too many delegations (6). Maximum: 5");
    expect(text(rest)).toContain("Limit: workers of one manager at depth 1");
  });
});

describe("context guard", () => {
  it("allows exactly the maximum and refuses one more (C29)", () => {
    fc.assert(
      fc.property(fc.nat(200_000), fc.nat(200_000), (callerContextTokens, contextTokens) => {
        const verdict = contextBudgetGuard(
          { ...request, contextTokens },
          { ...facts, callerContextTokens },
          defaultLimits,
        );
        expect(verdict.ok).toBe(callerContextTokens + contextTokens <= 100_000);
      }),
    );
    const at = (tokens: number): Verdict =>
      contextBudgetGuard(
        { ...request, contextTokens: tokens },
        { ...facts, callerContextTokens: 60_000 },
        defaultLimits,
      );
    expect(at(40_000)).toEqual({ ok: true, check: "context_ok" });
    expect(code(at(40_001))).toBe("CONTEXT_BUDGET_EXCEEDED");
  });

  it("says what happened, the numbers and what to do (R62)", () => {
    const verdict = contextBudgetGuard(
      { ...request, contextTokens: 35_000 },
      { ...facts, callerContextTokens: 85_000 },
      defaultLimits,
    );
    expect(text(verdict)).toBe(
      [
        "ERROR: Agent context budget (100k tokens) exceeded. Simplify subtask.",
        "",
        "Current context: 85,000 tokens",
        "Subtask estimate: 35,000 tokens",
        "Total would be: 120,000 tokens",
        "Maximum allowed: 100,000 tokens",
        "",
        "Suggestion: Break subtask into smaller pieces or reduce parent context.",
      ].join("\n"),
    );
  });

  it.each([
    [800, "800"],
    [999, "999"],
    [1000, "1k"],
    [1500, "1.5k"],
    [128_000, "128k"],
  ])("writes a budget of %i tokens as %s", (maxContextTokens, shown) => {
    const verdict = contextBudgetGuard({ ...request, contextTokens: 999_999 }, facts, {
      ...defaultLimits,
      maxContextTokens,
    });
    expect(text(verdict)).toContain(`(${shown} tokens)`);
  });
});

describe("cost guard", () => {
  const ask = (
    microUsd: number | undefined,
    change: Partial<GuardFacts> = {},
    limits: Partial<Limits> = {},
  ): Verdict =>
    costGuard(
      { ...request, ...(microUsd === undefined ? {} : { microUsd }) },
      { ...facts, ...change },
      { ...defaultLimits, ...limits },
    );

  it("lends the available amount and not a micro-dollar more", () => {
    expect(ask(5_000_000, { availableMicroUsd: 5_000_000 })).toEqual({ ok: true, check: "cost_ok" });
    expect(code(ask(5_000_001, { availableMicroUsd: 5_000_000 }))).toBe("COST_LIMIT_EXCEEDED");
    expect(ask(undefined, { availableMicroUsd: 1 }).ok).toBe(true);
    expect(code(ask(undefined, { availableMicroUsd: 0 }))).toBe("COST_LIMIT_EXCEEDED");
    expect(code(ask(undefined, { availableMicroUsd: -5 }))).toBe("COST_LIMIT_EXCEEDED");
    expect(ask(10 ** 12).ok).toBe(true);
  });

  it("enforces the limit per delegation", () => {
    expect(ask(500_000, {}, { delegationMicroUsd: 500_000 }).ok).toBe(true);
    expect(text(ask(1_500_000, {}, { delegationMicroUsd: 500_000 }))).toBe(
      [
        "ERROR: Cost limit exceeded: $1.50 asked, $0.50 left for one delegation.",
        "",
        "Requested budget: $1.50",
        "Available: $0.50",
        "",
        "Suggestion: Ask for a smaller budget, finish running work first, or raise the limit with --budget.",
      ].join("\n"),
    );
    expect(text(ask(2, { availableMicroUsd: 1 }))).toContain(
      "$0.000002 asked, $0.000001 left for this manager's remaining budget",
    );
  });
});

describe("description guard", () => {
  const judge = (description: string, limits: Partial<Limits> = {}): Verdict =>
    descriptionGuard({ ...request, description }, facts, {
      ...defaultLimits,
      descriptionPolicy: "refuse",
      ...limits,
    });
  const neutralise = (description: string, isDirective = false): Verdict =>
    descriptionGuard({ ...request, description, isDirective }, facts, defaultLimits);

  it.each(["a $HOME", "run `x`", "a && b", "a || b", "a; b"])("refuses %s (R116)", (description) => {
    expect(text(judge(description))).toContain("ERROR: Suspicious characters in delegation description");
    expect(code(judge(description))).toBe("SUSPICIOUS_CHARACTERS");
  });

  it.each(["read ../secrets", "edit /etc/passwd", "look into /root/ please"])(
    "refuses %s (R118)",
    (description) => {
      expect(text(judge(description))).toContain("ERROR: Suspicious file paths in delegation");
      expect(code(judge(description))).toBe("SUSPICIOUS_PATH");
    },
  );

  it("refuses 501 characters, not 500, however they are encoded (R117)", () => {
    expect(judge("x".repeat(500))).toEqual({ ok: true, check: "description_safe" });
    expect(judge("😀".repeat(500)).ok).toBe(true);
    expect(text(judge("x".repeat(501)))).toContain("ERROR: Delegation description too long (max 500 chars)");
    expect(text(judge("x".repeat(501)))).toContain("Length: 501");
    expect(code(judge("x".repeat(200_000)))).toBe("DESCRIPTION_TOO_LONG");
  });

  it("refuses an empty description", () => {
    expect(code(judge(""))).toBe("EMPTY_DESCRIPTION");
    expect(code(judge(" \n "))).toBe("EMPTY_DESCRIPTION");
  });

  it("says what happened, what was found and what to do (R69)", () => {
    expect(text(judge(""))).toBe(
      [
        "ERROR: Delegation description is empty",
        "",
        "Suggestion: Say in one sentence what the worker should achieve.",
      ].join("\n"),
    );
    expect(text(judge("x".repeat(501)))).toBe(
      [
        "ERROR: Delegation description too long (max 500 chars)",
        "",
        "Length: 501",
        "Maximum allowed: 500",
        "Suggestion: Keep the description short and put background into the context field.",
      ].join("\n"),
    );
    expect(text(judge("a && b; c"))).toBe(
      [
        "ERROR: Suspicious characters in delegation description",
        "",
        "Found: && ;",
        "Suggestion: Write it in plain words, or set delegation.description.policy to neutralise.",
      ].join("\n"),
    );
  });

  it("accepts ordinary text: single & and |, a path inside the project, a colon", () => {
    expect(judge("Fix a & b | c in src/parser.ts: see docs/etc.md and root/x").ok).toBe(true);
  });

  it("lists every problem, length first", () => {
    const all = judgeDescription(`${"x".repeat(600)} $(cat ../x)`, defaultLimits);
    expect(all.map((problem) => problem.code)).toEqual([
      "DESCRIPTION_TOO_LONG",
      "SUSPICIOUS_CHARACTERS",
      "SUSPICIOUS_PATH",
    ]);
    expect(all[1]?.details).toEqual(["Found: $"]);
  });

  it("passes suspicious text with a warning in warn mode, but refuses empty and too long text (C40)", () => {
    const warn = { descriptionPolicy: "warn" } as const;
    expect(judge("a; b", warn)).toEqual({
      ok: true,
      check: "description_safe",
      warning: "Suspicious characters in delegation description",
    });
    expect(judge("../x", warn)).toMatchObject({ ok: true, warning: "Suspicious file paths in delegation" });
    expect(code(judge("x".repeat(501), warn))).toBe("DESCRIPTION_TOO_LONG");
    expect(code(judge("", warn))).toBe("EMPTY_DESCRIPTION");
  });

  it.each(["Refactor the `parse` function", "Fix the login; add tests", "Price is $5", "Fix ../lib import"])(
    "accepts %s in a structured request and refuses it in a directive by default (C40)",
    (description) => {
      expect(neutralise(description)).toEqual({ ok: true, check: "description_safe" });
      const spoken = neutralise(description, true);
      expect(code(spoken)).toMatch(/^SUSPICIOUS_/);
      expect(text(spoken)).toContain("use the delegate tool or ambit delegate, which take such text.");
    },
  );

  it("refuses empty and too long text in both forms by default (R117)", () => {
    for (const isDirective of [false, true]) {
      expect(code(neutralise(" ", isDirective))).toBe("EMPTY_DESCRIPTION");
      expect(code(neutralise(`${"x".repeat(500)};`, isDirective))).toBe("DESCRIPTION_TOO_LONG");
    }
  });

  it("applies the policies refuse and warn to both forms (C40)", () => {
    for (const isDirective of [false, true]) {
      const asked = { ...request, description: "a; b", isDirective };
      const by = (descriptionPolicy: Limits["descriptionPolicy"]) =>
        descriptionGuard(asked, facts, { ...defaultLimits, descriptionPolicy });
      expect(code(by("refuse"))).toBe("SUSPICIOUS_CHARACTERS");
      expect(by("warn")).toMatchObject({ ok: true, warning: expect.any(String) });
    }
  });
});

describe("all guards together", () => {
  it("records every check that passed (R15, R16)", () => {
    expect(runGuards(request, facts, defaultLimits)).toEqual({
      checks: ["no_cycle", "depth_ok", "count_ok", "context_ok", "cost_ok", "description_safe"],
      warnings: [],
      failures: [],
    });
  });

  it("reports every failure, the primary one first: cycle, depth, count, context, cost, description (C6)", () => {
    const worst = runGuards(
      { description: "", agent: "claude", contextTokens: 999_999, microUsd: 5 },
      { ...facts, callerDepth: 3, batchSize: 50, availableMicroUsd: 0 },
      defaultLimits,
    );
    expect(worst.failures.map((failure) => failure.code)).toEqual([
      "CYCLE_DETECTED",
      "MAX_DEPTH_EXCEEDED",
      "TOO_MANY_DELEGATIONS",
      "CONTEXT_BUDGET_EXCEEDED",
      "COST_LIMIT_EXCEEDED",
      "EMPTY_DESCRIPTION",
    ]);
    expect(worst.checks).toEqual([]);
  });

  it("passes on the warnings of guards that allow a request", () => {
    const report = runGuards({ ...request, description: "a; b" }, facts, {
      ...defaultLimits,
      descriptionPolicy: "warn",
    });
    expect(report).toMatchObject({
      failures: [],
      warnings: ["Suspicious characters in delegation description"],
    });
  });
});

type Edge = readonly [string, string];

/** The textbook answer, by following every edge. */
function reaches(edges: readonly Edge[], from: string, to: string): boolean {
  if (from === to) return true;
  const rest = edges.filter(([source]) => source !== from);
  return edges.some(([source, target]) => source === from && reaches(rest, target, to));
}
