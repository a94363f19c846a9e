import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Criterion } from "../../src/contract/task.ts";
import { judgeWork, type JudgeRequest } from "../../src/verification/judge.ts";
import type { CheckResult } from "../../src/verification/run-checks.ts";

function criterion(id: string, check: Criterion["check"], required = true): Criterion {
  return {
    id,
    text: `text of ${id}`,
    required,
    ...(check === undefined ? {} : { check }),
    verdict: "unverified",
  };
}

const tests = criterion("c1", { command: "npm test" });
const docs = criterion("c2", { manual: true });

function red(about: Criterion, output: string): CheckResult {
  return {
    criterion: about,
    verdict: "failed",
    code: "CHECK_FAILED",
    evidence: `\`npm test\` ended with exit code 1 after 12 s.\nLog: x\nLast output:\n${output}`,
    proof: {
      kind: "command",
      command: "npm test",
      exit_code: 1,
      signal: null,
      duration_ms: 12_000,
      output,
      log: "x",
    },
  };
}

function explain(request: Partial<JudgeRequest>): readonly string[] {
  return judgeWork({ criteria: [], results: [], decisions: [], worker: ["US-1.1"], ...request }).why;
}

describe("the explanation of a judgement", () => {
  it("says what else may explain a failed command, before its output", () => {
    const found = red(tests, "1 failing");
    const evidence = found.evidence.replace("\nLog:", "\nPort 3000 is in use.\nLog:");
    expect(explain({ criteria: [tests], results: [{ ...found, evidence }] }).slice(0, 3)).toStrictEqual([
      'c1 "text of c1": failed. `npm test` ended with exit code 1 after 12 s.',
      "  Port 3000 is in use.",
      "  Last output:",
    ]);
  });

  it("asks for another check, not for other work, if a check passed that had to fail before", () => {
    const found = red(tests, "");
    const proof = found.proof?.kind === "command" ? { proof: { ...found.proof, exit_code: 0 } } : {};
    const lines = explain({ criteria: [tests], results: [{ ...found, ...proof }] });
    expect(lines.find((line) => line.startsWith("  Next: "))).toBe(
      "  Next: name a check that fails without the work.",
    );
  });

  it("says once that a check was red before, and keeps the new failures", () => {
    const before = [red(tests, "")];
    const say = (line: string) => {
      const found = red(tests, "1 failing");
      const evidence = found.evidence.replace("\nLog:", `\n${line}\nLog:`);
      const results = [{ ...found, evidence }];
      return explain({ criteria: [tests], results, baseline: before }).slice(1, -3);
    };
    const said = "  It was already failing before this work began.";
    expect(say("It failed before the work, too.")).toStrictEqual([said]);
    const more = "It failed before the work, too. New failures: b.";
    expect(say(more)).toStrictEqual([said, "  New failures: b."]);
  });

  it("names each unmet criterion with its evidence, its output and the next step", () => {
    const lines = explain({
      criteria: [
        tests,
        docs,
        criterion("c3", { file: "a.md" }),
        criterion("c4", { command: "make" }),
        criterion("c5", { command: "lint" }, false),
      ],
      results: [
        red(tests, "1 failing\n\n  at parser.ts:3\n"),
        {
          criterion: criterion("x", { file: "a.md" }),
          verdict: "passed",
          code: null,
          evidence: "a.md exists, 5 bytes.",
        },
        {
          criterion: criterion("x", { command: "make" }),
          verdict: "unverified",
          code: "TIMEOUT",
          evidence: "Not run: the 60 s for all checks were used up before this one.",
        },
      ],
      baseline: [red(tests, "")],
    });
    expect(lines).toStrictEqual([
      'c1 "text of c1": failed. `npm test` ended with exit code 1 after 12 s.',
      "  It was already failing before this work began.",
      "  Last output:",
      "    1 failing",
      "    at parser.ts:3",
      "  Next: correct the work until it passes, or repair first what made it fail before.",
      'c2 "text of c2": unverified.',
      "  Next: its manager decides it with a reason (`verify`), or a person does (`ambit approve`).",
      'c4 "text of c4": unverified. Not run: the 60 s for all checks were used up before this one.',
      "  Next: run the checks again (`ambit verify --rerun`).",
    ]);
  });

  it("says who decided and why", () => {
    const lines = explain({
      criteria: [tests, docs],
      results: [red(tests, "")],
      decisions: [
        { criterionId: "c1", verdict: "waived", by: { role: "person", id: "ana" }, reason: "flaky here" },
        { criterionId: "c2", verdict: "failed", by: { role: "manager", id: "US-1" }, reason: "no example" },
        { criterionId: "c2", verdict: "passed", by: { role: "manager", id: "us-1.1" }, reason: "I did it" },
      ],
    });
    expect(lines).toStrictEqual([
      'c2 "text of c2": failed. Decided by US-1 (manager): no example',
      "  Next: do what the decision asks for, then ask again.",
    ]);
  });

  it("asks for a correction if the failure was not known before", () => {
    expect(explain({ criteria: [tests], results: [red(tests, "")] })).toContain(
      "  Next: correct the work until it passes.",
    );
  });

  it("is empty if every required criterion is met, or none was named", () => {
    expect(explain({})).toStrictEqual([]);
    const results = [{ ...red(tests, ""), verdict: "passed" as const, code: null, evidence: "ok" }];
    expect(explain({ criteria: [tests], results })).toStrictEqual([]);
  });

  it("cuts long lines and leaves out blank ones", () => {
    const exact = "y".repeat(200);
    const lines = explain({
      criteria: [tests],
      results: [
        red(
          tests,
          `${Array.from({ length: 12 }, (_, at) => `line ${at}`).join("\n \n")}\n${exact}z\n${exact}`,
        ),
      ],
    });
    expect(lines.slice(1, -1)).toStrictEqual([
      "  Last output:",
      ...[6, 7, 8, 9, 10, 11].map((at) => `    line ${at}`),
      `    ${exact}…`,
      `    ${exact}`,
    ]);
  });

  it("shows the frames of the project, and none of Node itself", () => {
    const frames = [
      "    at add (/p/sum.js:1:7)",
      "    at Module._compile (node:internal/modules/cjs/loader:1521:14)",
      "    at node:internal/main/run_main_module:28:49",
    ];
    const output = ["Error: 1 + 2 is not 3", ...frames, "", "Node.js v20.19.0"].join("\n");
    expect(explain({ criteria: [tests], results: [red(tests, output)] }).slice(1, -1)).toStrictEqual([
      "  Failure:",
      "    Error: 1 + 2 is not 3",
      "    at add (/p/sum.js:1:7)",
    ]);
  });

  it("shows no more than a screen of output, and nothing a terminal would obey", () => {
    const text = fc.string({ unit: "binary", maxLength: 300 });
    fc.assert(
      fc.property(text, text, text, (said, output, reason) => {
        const lines = explain({
          criteria: [{ ...tests, text: `x${said}` }, docs],
          results: [red(tests, output.repeat(20))],
          decisions: [
            { criterionId: "c2", verdict: "passed", by: { role: "person", id: `a${said}` }, reason },
          ],
        });
        expect(lines.length).toBeLessThan(20);
        for (const line of lines) {
          expect(line.length).toBeLessThan(1000);
          expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2028]/u);
        }
      }),
    );
  });
});
