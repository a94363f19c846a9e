import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../src/contract/error-code.ts";
import type { Criterion } from "../../src/contract/task.ts";
import { workSpecSchema } from "../../src/contract/work-spec.ts";
import { chooseNextStep, type Situation } from "../../src/orchestrator/running/judge/next-step.ts";
import type { AttemptFacts } from "../../src/orchestrator/running/judge/validate-return.ts";
import { makeDelegation } from "../reports/make-delegation.ts";

type Turn = ReturnType<typeof makeDelegation>["turn"];

const withTurn = (turn: Partial<Turn>) => {
  const one = makeDelegation("S-1");
  return { ...one, turn: { ...one.turn, ...turn } };
};

const work = { base: "b", tip: "t", filesChanged: ["a.ts", "b.ts"] };
const unchanged = { ...work, filesChanged: [] };
const rejected: AttemptFacts["verdict"] = {
  valid: false,
  codes: ["NOT_JSON"],
  problems: [{ code: "NOT_JSON", message: "There is no object" }],
  warnings: [],
};
const interrupted = { ...rejected, codes: ["INTERRUPTED"] };

const returned = (
  status: "completed" | "failed" | "partial",
  recoverable = true,
): AttemptFacts["verdict"] => ({
  valid: true,
  codes: [],
  warnings: [],
  value: {
    status,
    reported_status: status,
    summary: "It is done.",
    artifacts: [{ type: "implementation", path: "a.ts" }],
    metadata: { session_id: "sess" },
    errors:
      status === "completed"
        ? []
        : [
            {
              type: "execution",
              code: "BROKEN_TOOL",
              message: "The tool broke",
              recoverable,
              recommendation: "Repair it",
            },
          ],
    next_steps: "  Read it.  ",
  },
});

/** It exited well and left no return. */
const attempt = (more: Partial<AttemptFacts> = {}): AttemptFacts => ({
  delegation: makeDelegation("S-1"),
  exit: { reason: "exited", errorCode: null, code: 0, signal: null },
  end: { ok: true, finalText: "", reason: "exited with 0" },
  stopped: undefined,
  endedInLoop: false,
  work,
  verdict: rejected,
  ...more,
});

const settings = {
  retry: { enabled: true, maxAttempts: 3, backoffMultiplier: 2 },
  reassignSilent: 1,
  reassignLate: 2,
};

const choose = (facts: Partial<AttemptFacts>, more: Partial<Omit<Situation, "attempt">> = {}) =>
  chooseNextStep({
    attempt: attempt(facts),
    delegation: makeDelegation("S-1"),
    open: [],
    refusals: [],
    canRepair: true,
    handover: "Its notes.",
    settings,
    ...more,
  });

const troubled = (code: ErrorCode, reason = "said no"): Partial<AttemptFacts> => ({
  end: { ok: false, finalText: "", reason, code },
});

const at = (reason: AttemptFacts["exit"]["reason"], errorCode: ErrorCode | null): Partial<AttemptFacts> => ({
  exit: { reason, errorCode, code: null, signal: "SIGKILL" },
});

describe("an attempt that was stopped", () => {
  it.each(["replaced", "fenced"] as const)("changes nothing if another one took its place: %s", (stopped) => {
    const delegation = { ...makeDelegation("S-1"), cancelRequested: true };
    expect(choose({ stopped, verdict: returned("completed") }, { delegation })).toEqual({ kind: "nothing" });
  });

  it("is cancelled on request, whatever it returned, and keeps its work", () => {
    const settlement = {
      outcome: "cancelled",
      summary: "Stopped on request. 2 files kept on delegation/S-1.",
      filesChanged: ["a.ts", "b.ts"],
    };
    expect(choose({ stopped: "cancelled" })).toEqual({ kind: "close", settlement });
    const delegation = { ...makeDelegation("S-1"), cancelRequested: true };
    const step = choose({ verdict: returned("completed") }, { delegation });
    expect(step).toEqual({ kind: "close", settlement });
  });

  it.each([
    ["budget", "COST_LIMIT_EXCEEDED", "Stopped at its budget. Nothing was changed."],
    [
      "unmetered",
      "BUDGET_UNMETERED",
      "Stopped because no price is known for its model, so its budget cannot be held. Nothing was changed. Give a budget in tokens (--tokens), or --allow-unmetered.",
    ],
    [
      "own-agents",
      "AGENT_STARTED_AGENTS",
      "Stopped because it began to start agents of its own, which no limit applies to. Nothing was changed. Switch that off in its settings, or let it delegate with Ambit's tools.",
    ],
    [
      "turns",
      "AGENT_TURN_LIMIT",
      "Stopped at its maximum of tool calls (delegation.maxTurns). Nothing was changed.",
    ],
    [
      "loop",
      "AGENT_LOOPED",
      "Stopped because it repeated the same tool calls. Nothing was changed. Describe the task more precisely, then ambit retry.",
    ],
  ] as const)("at a limit ends with the reason and advice: %s", (stopped, code, summary) => {
    const settlement = { outcome: "partial", code, summary, filesChanged: [] };
    expect(choose({ stopped, work: unchanged })).toEqual({ kind: "close", settlement });
  });

  it("says that it had begun if it left the first form of its return", () => {
    expect(choose({ stopped: "budget", verdict: interrupted, work: unchanged })).toMatchObject({
      settlement: { summary: "Stopped at its budget. It had started work. Nothing was changed." },
    });
    const one = { ...work, filesChanged: ["a.ts"] };
    expect(choose({ stopped: "budget", work: one })).toMatchObject({
      settlement: { summary: "Stopped at its budget. 1 file kept on delegation/S-1." },
    });
  });
});

describe("a silent or late attempt", () => {
  it.each([
    ["stalled", "It fell silent and was stopped; you take its place. Its notes.", 1],
    ["timeout", "Its time ran out; you take its place. Its notes.", 2],
  ] as const)("is replaced as often as the project allows: %s (R126, R188)", (how, reason, allowed) => {
    const facts = at(how, how === "stalled" ? "STALLED" : "TIMEOUT");
    const step = { kind: "again", turn: "handover", reason, afterMs: 0 };
    const before = withTurn({ counts: { handover: allowed - 1 } });
    const after = withTurn({ counts: { handover: allowed } });
    expect(choose(facts, { delegation: before })).toEqual(step);
    expect(choose(facts, { delegation: after })).toMatchObject({
      kind: "close",
      settlement: {
        outcome: "timed_out",
        code: how === "stalled" ? "STALLED" : "TIMEOUT",
        summary: `${how === "stalled" ? "Stopped because it wrote nothing for delegation.idle.stopSeconds" : "Stopped at its time limit of 30m00s"}. 2 files kept on delegation/S-1.`,
      },
    });
  });

  it("is replaced by the agent that the project names for it, and never more than three times", () => {
    const fallback = { agent: "careful", adapter: "claude", command: [] };
    expect(choose(at("stalled", "STALLED"), { fallback })).toMatchObject({ handedTo: fallback });
    expect(choose(at("stalled", "STALLED"))).not.toHaveProperty("handedTo");
    const often = { ...settings, reassignSilent: 99 };
    const delegation = withTurn({ counts: { handover: 3 } });
    expect(choose(at("stalled", "STALLED"), { delegation, settings: often })).toMatchObject({
      kind: "close",
    });
  });

  it("is not replaced if the runtime stopped it, and other limits replace no one", () => {
    expect(choose({ ...at("stalled", "STALLED"), stopped: "budget" })).toMatchObject({
      settlement: { code: "COST_LIMIT_EXCEEDED" },
    });
    expect(choose(at("output-limit", "OUTPUT_LIMIT_EXCEEDED"))).toMatchObject({
      kind: "close",
      settlement: { outcome: "partial", code: "OUTPUT_LIMIT_EXCEEDED" },
    });
  });
});

describe("an agent that ran out of context", () => {
  const exhausted = { end: { ok: true, finalText: "", reason: "ran out", exhausted: true } };

  it("hands over, even with a valid return and open workers, three times at most", () => {
    const step = { kind: "again", turn: "handover", reason: "Its notes.", afterMs: 0 };
    expect(choose(exhausted)).toEqual(step);
    expect(choose({ ...exhausted, verdict: returned("partial") }, { open: ["S-1-DEL-001"] })).toEqual(step);
    const delegation = withTurn({ counts: { handover: 3 } });
    expect(choose(exhausted, { delegation })).toEqual({
      kind: "close",
      settlement: {
        outcome: "partial",
        code: "CONTEXT_BUDGET_EXCEEDED",
        summary: "Ran out of context again after 3 hand-overs. 2 files kept on delegation/S-1.",
        filesChanged: ["a.ts", "b.ts"],
      },
    });
    expect(choose({ ...exhausted, verdict: returned("completed") }, { delegation })).toMatchObject({
      kind: "returned",
    });
  });
});

describe("an attempt with open workers or questions", () => {
  it("waits for them and remembers what was refused", () => {
    const more = { open: ["S-1-DEL-001", "q-1"], refusals: ["Refused: one", "Refused: two"] };
    expect(choose({ verdict: returned("completed") }, more)).toEqual({
      kind: "park",
      waitingFor: ["S-1-DEL-001", "q-1"],
      note: "Refused: one\nRefused: two",
    });
  });
});

describe("refused requests of a last message", () => {
  const refusals = ["Refused: one", "Refused: two"];
  const told = refusals.join("\n");

  it("are told to the agent once", () => {
    expect(choose({}, { refusals })).toEqual({ kind: "again", turn: "results", reason: told, afterMs: 0 });
    const repeated = withTurn({ note: told });
    expect(choose({}, { refusals, delegation: repeated })).toMatchObject({ turn: "repair" });
    const often = withTurn({ counts: { results: 50 } });
    expect(choose({}, { refusals, delegation: often })).toMatchObject({ turn: "repair" });
    const oftenEnough = withTurn({ counts: { results: 49 } });
    expect(choose({}, { refusals, delegation: oftenEnough })).toMatchObject({ turn: "results" });
  });

  it("are not told if it returned or could not work", () => {
    expect(choose({ verdict: returned("completed") }, { refusals })).toMatchObject({ kind: "returned" });
    expect(choose(troubled("AGENT_NEEDS_PERMISSION"), { refusals })).toMatchObject({ kind: "close" });
  });
});

describe("a valid return", () => {
  it("counts, also after a failed exit, and its texts are kept", () => {
    const kept = {
      status: "completed",
      summary: "It is done.",
      artifacts: ["a.ts"],
      nextSteps: "Read it.",
    };
    expect(choose({ verdict: returned("completed") })).toEqual({ kind: "returned", kept });
    const step = choose({ verdict: returned("completed"), ...troubled("PROVIDER_FAILED") });
    expect(step).toEqual({ kind: "returned", kept });
    expect(choose({ verdict: returned("completed"), endedInLoop: true })).toEqual({ kind: "returned", kept });
  });

  it("that failed is tried again if an error is recoverable and the project allows it", () => {
    expect(choose({ verdict: returned("failed") })).toMatchObject({
      kind: "again",
      turn: "retry",
      reason: "- The tool broke (Repair it)",
    });
    const errors = [{ code: "BROKEN_TOOL", message: "The tool broke", recommendation: "Repair it" }];
    const final = { kind: "returned", kept: { status: "failed", errors } };
    expect(choose({ verdict: returned("failed", false) })).toMatchObject(final);
    const used = withTurn({ counts: { retry: 2 } });
    expect(choose({ verdict: returned("failed") }, { delegation: used })).toMatchObject(final);
    const off = { ...settings, retry: { ...settings.retry, enabled: false } };
    expect(choose({ verdict: returned("failed") }, { settings: off })).toMatchObject(final);
    expect(choose({ verdict: returned("partial") })).toMatchObject({ kind: "returned" });
  });

  it("is tried again after a pause that grows up to a minute", () => {
    const pause = (retry: number, maxAttempts = 99): number => {
      const step = choose(
        { verdict: returned("failed") },
        {
          delegation: withTurn({ counts: { retry } }),
          settings: { ...settings, retry: { ...settings.retry, maxAttempts } },
        },
      );
      return step.kind === "again" ? step.afterMs : -1;
    };
    for (const [retry, fullMs] of [
      [0, 1000],
      [1, 2000],
      [4, 16_000],
      [20, 60_000],
    ] as const) {
      expect(pause(retry)).toBeGreaterThanOrEqual(fullMs / 2);
      expect(pause(retry)).toBeLessThanOrEqual(fullMs);
    }
    expect(pause(2, 3)).toBe(-1);
  });
});

describe("an agent that could not work", () => {
  it.each([
    ["AGENT_NOT_INSTALLED", "failed", "Its program is not installed"],
    ["AGENT_NOT_LOGGED_IN", "failed", "Its program is not logged in"],
    ["AGENT_NEEDS_PERMISSION", "blocked", "It asked for a permission that Ambit could not give"],
    ["AGENT_TURN_LIMIT", "failed", "It used up the turns its program allows"],
  ] as const)("ends at once with the reason and advice: %s", (code, outcome, what) => {
    expect(choose({ ...troubled(code), work: unchanged })).toMatchObject({
      kind: "close",
      settlement: { outcome, code },
    });
    const step = choose({ ...troubled(code), work: unchanged });
    const summary = step.kind === "close" ? step.settlement.summary : "";
    expect(summary).toMatch(new RegExp(String.raw`^${what} \(said no\)\. Nothing was changed\. .*ambit`));
  });

  it.each(["RATE_LIMITED", "PROVIDER_FAILED"] as const)("is tried again later: %s", (code) => {
    const reason = "said no";
    expect(choose(troubled(code))).toMatchObject({ kind: "again", turn: "retry", reason });
    const delegation = withTurn({ counts: { retry: 2 } });
    expect(choose(troubled(code), { delegation })).toMatchObject({
      kind: "close",
      settlement: { outcome: "partial", code, filesChanged: ["a.ts", "b.ts"] },
    });
  });

  it("waits for its provider without using up a retry", () => {
    const hold = { provider: "anthropic", afterMs: 5, untilWallMs: Date.parse("2026-01-20T10:31:00Z") };
    const step = choose({ ...troubled("RATE_LIMITED"), hold });
    expect(step).toMatchObject({ kind: "held", provider: "anthropic", afterMs: 5 });
    const delegation = withTurn({ held: 20 });
    expect(choose({ ...troubled("RATE_LIMITED"), hold }, { delegation })).toMatchObject({ turn: "retry" });
  });

  it("quotes its program in a few printable words", () => {
    const reason = `\u001b[31m${"x".repeat(500)}`;
    const step = choose(troubled("AGENT_TURN_LIMIT", reason));
    const summary = step.kind === "close" ? step.settlement.summary : "";
    expect(summary).not.toContain("\u001b");
    expect(summary).toMatch(/^It used up the turns its program allows \([^)]{300}\)\. 2 files kept/);
  });
});

describe("an interrupted attempt", () => {
  const killed = { exit: { reason: "exited", errorCode: null, code: null, signal: "SIGKILL" } } as const;
  const coded = (code: number): Partial<AttemptFacts> => ({
    exit: { reason: "exited", errorCode: null, code, signal: null },
  });

  it("is continued twice, without its return being asked for (R201)", () => {
    const step = { kind: "lost", reason: "its program exited with 0" };
    expect(choose(killed)).toEqual(step);
    expect(choose(killed, { delegation: withTurn({ lost: 1 }) })).toEqual(step);
    expect(choose(killed, { delegation: withTurn({ lost: 2 }) })).toMatchObject({
      kind: "close",
      settlement: { outcome: "partial", code: "NOT_JSON" },
    });
  });

  it.each([
    [128, "again"],
    [129, "lost"],
    [143, "lost"],
    [159, "lost"],
    [160, "again"],
    [1, "again"],
  ])("is known by its exit code %i: %s", (code, kind) => {
    expect(choose(coded(code)).kind).toBe(kind);
  });

  it("is one whose stream broke off, and no other failure of its program", () => {
    expect(choose(troubled("AGENT_STREAM_BROKEN"))).toEqual({
      kind: "lost",
      reason: "its program said no",
    });
    expect(choose({ ...killed, ...troubled("AGENT_LOOPED") })).toMatchObject({ turn: "repair" });
    const delegation = withTurn({ lost: 2, counts: { retry: 2 } });
    expect(choose(troubled("AGENT_STREAM_BROKEN"), { delegation })).toMatchObject({
      settlement: { code: "AGENT_STREAM_BROKEN" },
    });
  });

  it("of a program that cannot continue ends", () => {
    expect(choose(killed, { canRepair: false })).toMatchObject({ kind: "close" });
  });
});

describe("an attempt without a usable return", () => {
  it("is asked for it twice, with what was wrong", () => {
    const named = { delegation: { ...makeDelegation("S-1"), agent: "careful" } };
    const step = choose(named);
    expect(step).toMatchObject({ kind: "again", turn: "repair", afterMs: 0 });
    const reason = step.kind === "again" ? step.reason : "";
    expect(reason).toContain("Subagent: careful\nSession: sess_1768905000_a1b2c3");
    expect(reason).toContain("- There is no object");
    expect(choose({})).toMatchObject({ reason: expect.stringContaining("Subagent: S-1\n") });
    expect(choose({}, { delegation: withTurn({ counts: { repair: 1 } }) })).toMatchObject({ turn: "repair" });
    expect(choose({}, { delegation: withTurn({ counts: { repair: 2 } }) })).toMatchObject({ kind: "close" });
  });

  it("ends if it cannot be asked, as failed or partial work", () => {
    expect(choose({ work: unchanged }, { canRepair: false })).toEqual({
      kind: "close",
      settlement: {
        outcome: "failed",
        code: "NOT_JSON",
        summary:
          "No usable return (NOT_JSON); the program exited with 0. Nothing was changed. No check could tell whether it is done: name one with --check, or write a return (ambit help contract).",
        filesChanged: [],
      },
    });
    expect(choose({}, { canRepair: false })).toMatchObject({ settlement: { outcome: "partial" } });
    const unknown = { ...rejected, codes: [] };
    expect(choose({ verdict: unknown }, { canRepair: false })).toMatchObject({
      settlement: { code: "NOT_JSON" },
    });
    const two = { ...rejected, codes: ["TOO_LARGE", "NOT_JSON"] };
    expect(choose({ verdict: two }, { canRepair: false })).toMatchObject({
      settlement: {
        code: "TOO_LARGE",
        summary: expect.stringContaining("No usable return (TOO_LARGE, NOT_JSON);"),
      },
    });
  });

  it("is not asked for it in the middle of a loop", () => {
    expect(choose({ endedInLoop: true })).toMatchObject({
      kind: "close",
      settlement: { outcome: "partial", code: "AGENT_LOOPED" },
    });
  });
});

describe("work of a program that left no return", () => {
  const check = (parts: Partial<Criterion>): Criterion => ({
    id: "c-1",
    text: "It works",
    required: true,
    verdict: "unverified",
    ...parts,
  });
  const command = { check: { command: "npm test" } };
  const judged = (criteria: readonly Criterion[], facts: Partial<AttemptFacts> = {}) => {
    const spec = workSpecSchema.parse({ adapter: "command", criteria: [...criteria] });
    const delegation = { ...makeDelegation("S-1"), work: spec };
    return choose({ delegation, ...facts }, { canRepair: false });
  };

  it("is left to its required checks, and the summary says so", () => {
    const summary =
      "The program exited successfully and changed 2 files. It left no return, so Ambit wrote this summary.";
    const kept = { status: "completed", summary, artifacts: [] };
    expect(judged([check({}), check(command)])).toEqual({ kind: "returned", kept });
    expect(judged([check(command)], { work: unchanged })).toMatchObject({
      kept: { summary: expect.stringContaining("successfully and changed nothing.") },
    });
    expect(judged([check(command)], { verdict: interrupted })).toMatchObject({ kind: "returned" });
  });

  it.each([
    ["no criterion", [], {}],
    ["no check", [check({})], {}],
    ["only a person's", [check({ check: { manual: true } })], {}],
    ["only an optional one", [check({ ...command, required: false })], {}],
    ["a failed exit", [check(command)], { end: { ok: false, finalText: "", reason: "exited with 1" } }],
    ["a return that was refused", [check(command)], { verdict: { ...rejected, codes: ["TOO_LARGE"] } }],
  ])("is not proven with %s", (_, criteria, facts) => {
    expect(judged(criteria, facts)).toMatchObject({ kind: "close" });
  });
});
