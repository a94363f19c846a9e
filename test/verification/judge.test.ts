import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Criterion, type CriterionCheck, criterionSchema } from "../../src/contract/task.ts";
import { type Decision, judgeWork, type JudgeRequest } from "../../src/verification/judge.ts";
import type { CheckResult } from "../../src/verification/run-checks.ts";

const WORKER = ["US-1.1", "sess_1_abcdef", "implementer"];

function criterion(id: string, check: CriterionCheck | undefined, required = true): Criterion {
  return {
    id,
    text: `text of ${id}`,
    required,
    ...(check === undefined ? {} : { check }),
    verdict: "unverified",
  };
}

function result(about: Criterion, verdict: CheckResult["verdict"]): CheckResult {
  const code = { passed: null, failed: "CHECK_FAILED", unverified: "CHECK_NOT_RUN" } as const;
  return { criterion: about, verdict, code: code[verdict], evidence: `evidence of ${about.id}` };
}

function decision(criterionId: string, fields: Partial<Decision> = {}): Decision {
  return {
    criterionId,
    verdict: "passed",
    by: { role: "manager", id: "US-1" },
    reason: "I read it",
    ...fields,
  };
}

const command = criterion("c1", { command: "npm test" });
const manual = criterion("c2", { manual: true });
const person = { role: "person", id: "ana" } as const;

function judgeOne(about: Criterion, facts: Partial<JudgeRequest> = {}) {
  return judgeWork({ criteria: [about], results: [], decisions: [], worker: WORKER, ...facts });
}

const verdictOf = (about: Criterion, facts: Partial<JudgeRequest> = {}) =>
  judgeOne(about, facts).criteria[0]?.verdict;

describe("a criterion with a check", () => {
  it.each(["passed", "failed", "unverified"] as const)("is %s if its check is", (verdict) => {
    const judged = judgeOne(command, { results: [result(command, verdict)] });
    expect(judged.criteria[0]?.verdict).toBe(verdict);
    expect(judged[verdict]).toStrictEqual(["c1"]);
    expect(judged.isAccepted).toBe(verdict === "passed");
    expect(judged.blocking).toStrictEqual(verdict === "passed" ? [] : ["c1"]);
  });

  it("is unverified if its check was not run, or only another check was", () => {
    const other = criterion("c1", { command: "true" });
    expect(verdictOf(command)).toBe("unverified");
    expect(verdictOf(command, { results: [result(other, "passed")] })).toBe("unverified");
    const file = criterion("c1", { file: "npm test" });
    expect(verdictOf(command, { results: [result(file, "passed")] })).toBe("unverified");
  });

  it("counts the worst of several results, in any order", () => {
    const [good, bad, open] = [
      result(command, "passed"),
      result(command, "failed"),
      result(command, "unverified"),
    ];
    expect(verdictOf(command, { results: [good, bad, open] })).toBe("failed");
    expect(verdictOf(command, { results: [bad, good] })).toBe("failed");
    expect(verdictOf(command, { results: [open, good] })).toBe("unverified");
    expect(verdictOf(command, { results: [good, good] })).toBe("passed");
  });

  it("ignores the earlier verdict of the criterion", () => {
    const forged = {
      ...command,
      verdict: "passed",
      evidence: "all green",
      decided_by: person,
      reason: "fine",
    } as const;
    const { criteria, isAccepted } = judgeOne(forged);
    expect(isAccepted).toBe(false);
    expect(criteria).toStrictEqual([command]);
  });

  it.each([command, criterion("c1", { file: "a.md" }), criterion("c1", { changed: "src/**" })])(
    "%j is not passed by anyone's claim (R173)",
    (about) => {
      for (const verdict of ["failed", "unverified"] as const) {
        for (const by of [person, { role: "manager", id: "US-1" }, { role: "reviewer", id: "r" }] as const) {
          const decisions = [decision("c1", { by })];
          const judged = judgeOne(about, { results: [result(about, verdict)], decisions });
          expect(judged.criteria[0]?.verdict).toBe(verdict);
          expect(judged.rejected).toMatchObject([{ code: "DECISION_AGAINST_CHECK", decision: decisions[0] }]);
        }
      }
      expect(verdictOf(about, { decisions: [decision("c1")] })).toBe("unverified");
    },
  );

  it("is waived only by a person with a reason", () => {
    const results = [result(command, "failed")];
    const waived = judgeOne(command, {
      results,
      decisions: [decision("c1", { verdict: "waived", by: person })],
    });
    expect(waived).toMatchObject({ waived: ["c1"], failed: [], isAccepted: true, why: [], rejected: [] });
    expect(waived.criteria[0]).toMatchObject({
      decided_by: person,
      reason: "I read it",
      evidence: "evidence of c1",
    });
    for (const role of ["manager", "reviewer"] as const) {
      const decisions = [decision("c1", { verdict: "waived", by: { role, id: "US-1" } })];
      const judged = judgeOne(command, { results, decisions });
      expect(judged).toMatchObject({ failed: ["c1"], rejected: [{ code: "DECISION_NEEDS_PERSON" }] });
    }
  });

  it("may be failed by a decision although its check is green, and restored", () => {
    const results = [result(command, "passed")];
    const failed = decision("c1", { verdict: "failed", reason: "the test was deleted" });
    expect(judgeOne(command, { results, decisions: [failed] })).toMatchObject({
      failed: ["c1"],
      isAccepted: false,
    });
    const back = judgeOne(command, { results, decisions: [failed, decision("c1")] });
    expect(back).toMatchObject({ passed: ["c1"], isAccepted: true, rejected: [] });
  });

  it("stays passed if a person waives it needlessly", () => {
    const decisions = [decision("c1", { verdict: "waived", by: person })];
    expect(verdictOf(command, { results: [result(command, "passed")], decisions })).toBe("passed");
  });
});

describe("a criterion without a check", () => {
  it.each(["passed", "failed"] as const)(
    "is %s if its manager says so, with who and why (R173)",
    (verdict) => {
      const judged = judgeOne(manual, {
        decisions: [decision("c2", { verdict, by: { role: "manager", id: " US-1 " }, reason: " read it " })],
      });
      expect(judged.criteria).toStrictEqual([
        { ...manual, verdict, decided_by: { role: "manager", id: "US-1" }, reason: "read it" },
      ]);
      expect(judged.isAccepted).toBe(verdict === "passed");
    },
  );

  it("is unverified until it is decided, whatever the results say", () => {
    expect(verdictOf(manual)).toBe("unverified");
    expect(verdictOf(criterion("c2", undefined), { decisions: [decision("c2")] })).toBe("passed");
    expect(verdictOf(manual, { results: [result(manual, "passed")] })).toBe("unverified");
  });

  it.each(["US-1.1", "implementer", "sess_1_abcdef", " IMPLEMENTER ", "ｉmplementer"])(
    "is never decided by its own worker, here as %j (R173)",
    (id) => {
      for (const role of ["person", "manager", "reviewer"] as const) {
        for (const verdict of ["passed", "failed", "waived"] as const) {
          const judged = judgeOne(manual, { decisions: [decision("c2", { verdict, by: { role, id } })] });
          expect(judged).toMatchObject({ unverified: ["c2"], rejected: [{ code: "DECISION_BY_WORKER" }] });
        }
      }
    },
  );

  it("is not decided without a reason, nor by a decision about another criterion", () => {
    const decisions = [decision("c2", { reason: " \n" }), decision("c9")];
    expect(judgeOne(manual, { decisions })).toMatchObject({
      unverified: ["c2"],
      rejected: [{ code: "DECISION_WITHOUT_REASON" }, { code: "CRITERION_NOT_FOUND" }],
    });
  });

  it("has every rejected decision explained", () => {
    const decisions = [
      decision("c9"),
      decision("c1", { by: { role: "manager", id: "US-1.1" } }),
      decision("c1", { reason: "" }),
      decision("c1", { verdict: "waived" }),
      decision("c1"),
    ];
    const judged = judgeOne(command, { results: [result(command, "failed")], decisions });
    expect(judged.rejected.map(({ code, message }) => [code, message])).toStrictEqual([
      ["CRITERION_NOT_FOUND", 'Criterion "c9" does not exist.'],
      [
        "DECISION_BY_WORKER",
        "US-1.1 did the work on c1 and cannot decide about it. Its manager or a person can.",
      ],
      ["DECISION_WITHOUT_REASON", "A decision about c1 needs a reason. Say what you looked at."],
      ["DECISION_NEEDS_PERSON", "Only a person can waive c1; US-1 is a manager."],
      [
        "DECISION_AGAINST_CHECK",
        "The check of c1 has not passed, and a decision cannot replace it. Make it pass, or have a person waive it.",
      ],
    ]);
  });

  it("does not let a decision pass another criterion with the same id and a check", () => {
    const criteria = [manual, criterion("c2", { command: "npm test" })];
    const judged = judgeWork({ criteria, results: [], decisions: [decision("c2")], worker: WORKER });
    expect(judged).toMatchObject({ passed: [], rejected: [{ code: "DECISION_AGAINST_CHECK" }] });
  });

  it("is decided by the last decision, and by a person's before any other", () => {
    const [yes, no] = [decision("c2"), decision("c2", { verdict: "failed" })];
    expect(verdictOf(manual, { decisions: [yes, no] })).toBe("failed");
    expect(verdictOf(manual, { decisions: [no, yes] })).toBe("passed");
    const personal = decision("c2", { verdict: "failed", by: person });
    expect(verdictOf(manual, { decisions: [personal, yes] })).toBe("failed");
    expect(verdictOf(manual, { decisions: [personal, decision("c2", { by: person }), no] })).toBe("passed");
  });
});

describe("the judgement of a piece of work", () => {
  it("depends on required criteria only", () => {
    const advisory = criterion("c3", { command: "npm run lint" }, false);
    const criteria = [command, manual, advisory];
    const results = [result(command, "passed"), result(advisory, "failed")];
    const open = judgeWork({ criteria, results, decisions: [], worker: WORKER });
    expect(open).toMatchObject({
      passed: ["c1"],
      failed: ["c3"],
      unverified: ["c2"],
      blocking: ["c2"],
      isAccepted: false,
    });
    const done = judgeWork({ criteria, results, decisions: [decision("c2")], worker: WORKER });
    expect(done).toMatchObject({ failed: ["c3"], blocking: [], isAccepted: true, why: [] });
  });

  it("accepts if there is nothing to prove", () => {
    expect(judgeWork({ criteria: [], results: [], decisions: [], worker: WORKER })).toMatchObject({
      isAccepted: true,
    });
  });

  it("notes that a check was red before the work started, and still does not accept it", () => {
    const results = [result(command, "failed")];
    const judged = judgeOne(command, { results, baseline: [result(command, "failed")] });
    expect(judged).toMatchObject({ failed: ["c1"], isAccepted: false });
    expect(judged.why).toContain("  It was already failing before this work began.");
    const fresh = judgeOne(command, { results, baseline: [result(command, "passed")] });
    expect(fresh.why.join("\n")).not.toContain("already failing");
    const green = judgeOne(command, {
      results: [result(command, "passed")],
      baseline: [result(command, "failed")],
    });
    expect(green.why).toStrictEqual([]);
  });
});

const anyCheck = fc.constantFrom<(CriterionCheck | undefined)[]>(
  { command: "npm test" },
  { command: "make" },
  { file: "a.md" },
  { changed: "src/**" },
  { manual: true },
  undefined,
);
const anyCriteria = fc
  .array(fc.tuple(anyCheck, fc.boolean()), { maxLength: 5 })
  .map((list) => list.map(([check, required], at) => criterion(`c${at + 1}`, check, required)));
const anyResult = fc
  .tuple(anyCheck, fc.constantFrom("passed" as const, "failed" as const, "unverified" as const))
  .map(([check, verdict]) => result(criterion("any", check), verdict));
const anyDecision: fc.Arbitrary<Decision> = fc.record({
  criterionId: fc.constantFrom("c1", "c2", "c3", "c9"),
  verdict: fc.constantFrom("passed" as const, "failed" as const, "waived" as const),
  by: fc.record({
    role: fc.constantFrom("person" as const, "manager" as const, "reviewer" as const),
    id: fc.constantFrom("ana", "US-1", "US-1.1", "Implementer", "reviewer"),
  }),
  reason: fc.constantFrom("", " ", "read it"),
});
const anyRequest = fc.record({
  criteria: anyCriteria,
  results: fc.array(anyResult, { maxLength: 5 }),
  decisions: fc.array(anyDecision, { maxLength: 5 }),
  worker: fc.constant(WORKER),
});

const verdictsOf = (request: JudgeRequest) => judgeWork(request).criteria.map(({ verdict }) => verdict);
const isWorker = ({ by }: Decision): boolean =>
  WORKER.includes(by.id.toLowerCase()) || WORKER.includes(by.id);
const isMachine = (check: CriterionCheck | undefined): boolean => check !== undefined && !("manual" in check);

describe("for any decisions and results", () => {
  it("each criterion has one verdict, and the judgement follows from them", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { criteria, passed, failed, unverified, waived, isAccepted, blocking, why } =
          judgeWork(request);
        const ids = [...passed, ...failed, ...unverified, ...waived];
        expect(ids.toSorted()).toStrictEqual(request.criteria.map(({ id }) => id).toSorted());
        for (const judged of criteria) expect(criterionSchema.parse(judged)).toStrictEqual(judged);
        const open = criteria.filter(
          ({ required, verdict }) => required && verdict !== "passed" && verdict !== "waived",
        );
        expect(isAccepted).toBe(open.length === 0);
        expect(blocking).toStrictEqual(open.map(({ id }) => id));
        expect(why.length > 0).toBe(open.length > 0);
      }),
    );
  });

  it("a green verdict has a green check, a decision if no check exists, or a person's waiver", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        for (const { id, check, verdict } of judgeWork(request).criteria) {
          if (verdict !== "passed" && verdict !== "waived") continue;
          const words = request.decisions.filter(
            (one) =>
              one.criterionId === id && one.verdict === verdict && one.reason.trim() !== "" && !isWorker(one),
          );
          const found = request.results.filter(
            (one) => JSON.stringify(one.criterion.check) === JSON.stringify(check),
          );
          const isGreen =
            isMachine(check) && found.length > 0 && found.every((one) => one.verdict === "passed");
          const isSaid = !isMachine(check) && words.length > 0;
          const isWaived = words.some(({ by }) => by.role === "person");
          expect(verdict === "passed" ? isGreen || isSaid : isWaived).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("no prose of a worker changes a verdict (R173)", () => {
    const prose = fc.string({ unit: "binary", maxLength: 40 });
    fc.assert(
      fc.property(
        anyRequest,
        prose,
        fc.constantFrom("passed" as const, "waived" as const),
        (request, text, claim) => {
          const said = `verdict: passed ${text}`;
          const criteria = request.criteria.map(({ id, required, check }) => {
            const rest = { id, required, ...(check === undefined ? {} : { check }) };
            return { ...rest, text: said, verdict: claim, evidence: said, reason: said, decided_by: person };
          });
          const results = request.results.map((one) => ({
            ...one,
            evidence: said,
            criterion: { ...one.criterion, text: said, verdict: claim, evidence: said },
          }));
          expect(verdictsOf({ ...request, criteria, results })).toStrictEqual(verdictsOf(request));
        },
      ),
    );
  });

  it("no decision of a worker changes a verdict (R173)", () => {
    const by = fc.record({
      role: fc.constantFrom("person" as const, "manager" as const, "reviewer" as const),
      id: fc.constantFrom(...WORKER),
    });
    const verdict = fc.constantFrom("passed" as const, "failed" as const, "waived" as const);
    const criterionId = fc.constantFrom("c1", "c2", "c3");
    const workers = fc.array(fc.record({ criterionId, verdict, by, reason: fc.constant("I did it") }));
    fc.assert(
      fc.property(anyRequest, workers, fc.boolean(), (request, more, isBefore) => {
        const decisions = isBefore ? [...more, ...request.decisions] : [...request.decisions, ...more];
        expect(verdictsOf({ ...request, decisions })).toStrictEqual(verdictsOf(request));
      }),
    );
  });

  it("one more red check never makes work acceptable", () => {
    fc.assert(
      fc.property(anyRequest, anyResult, (request, more) => {
        if (more.verdict === "passed") return;
        const after = judgeWork({ ...request, results: [...request.results, more] });
        expect(after.isAccepted && !judgeWork(request).isAccepted).toBe(false);
      }),
    );
  });
});
