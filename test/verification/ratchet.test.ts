import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Criterion, CriterionCheck } from "../../src/contract/task.ts";
import { judgeWork } from "../../src/verification/judge.ts";
import { listKeptChecks, type Ratchet, extendRatchet } from "../../src/verification/ratchet.ts";

function criterion(id: string, check: CriterionCheck, fields: Partial<Criterion> = {}): Criterion {
  return { id, text: `text of ${id}`, required: true, check, verdict: "passed", ...fields };
}

const test = criterion("c1", { command: "npm test" });
const file = criterion("c2", { file: "docs/x.md" });

describe("the ratchet", () => {
  it("keeps the commands and files of accepted work, with their owner", () => {
    expect(extendRatchet([], { from: "US-1.1", criteria: [test, file] })).toStrictEqual([
      { check: { command: "npm test" }, owners: [{ from: "US-1.1", criterionId: "c1", text: "text of c1" }] },
      { check: { file: "docs/x.md" }, owners: [{ from: "US-1.1", criterionId: "c2", text: "text of c2" }] },
    ]);
  });

  it("keeps no criterion that was waived, failed or advisory, nor one that later work cannot break", () => {
    const criteria = [
      criterion("c1", { command: "a" }, { verdict: "waived" }),
      criterion("c2", { command: "b" }, { verdict: "failed" }),
      criterion("c3", { command: "c" }, { required: false }),
      criterion("c4", { changed: "src/**" }),
      criterion("c5", { manual: true }),
    ];
    expect(extendRatchet([], { from: "US-1.1", criteria })).toStrictEqual([]);
  });

  it("uses the criteria of accepted work as they were written before it started", () => {
    const written = criterion("c1", { command: "npm test" }, { verdict: "unverified" });
    expect(extendRatchet([], { from: "US-1.1", criteria: [written] })).toHaveLength(1);
  });

  it("has each check once, with all its owners", () => {
    const first = extendRatchet([], { from: "US-1.1", criteria: [test, file] });
    const same = [criterion("c7", { command: " npm test " }), criterion("c8", { file: "./docs//x.md" })];
    const second = extendRatchet(first, { from: "US-1.2", criteria: same });
    expect(second.map(({ owners }) => owners.map(({ from }) => from))).toStrictEqual([
      ["US-1.1", "US-1.2"],
      ["US-1.1", "US-1.2"],
    ]);
  });

  const accepted = fc.array(
    fc.record({
      from: fc.constantFrom("US-1.1", "US-1.2", "US-1.3"),
      criteria: fc.array(
        fc
          .tuple(
            fc.constantFrom("c1", "c2"),
            fc.constantFrom<CriterionCheck[]>(
              { command: "a" },
              { command: "b" },
              { file: "a" },
              { manual: true },
            ),
            fc.boolean(),
          )
          .map(([id, check, required]) => criterion(id, check, { required })),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 5 },
  );
  const fold = (list: readonly Parameters<typeof extendRatchet>[1][]) =>
    list.reduce<Ratchet>(extendRatchet, []);

  it("only grows, and applying the same again changes nothing", () => {
    fc.assert(
      fc.property(accepted, (list) => {
        let before: Ratchet = [];
        for (const one of list) {
          const after = extendRatchet(before, one);
          expect(after.slice(0, before.length).map(({ check }) => check)).toStrictEqual(
            before.map(({ check }) => check),
          );
          expect(extendRatchet(after, one)).toStrictEqual(after);
          before = after;
        }
        expect(fold([...list, ...list])).toStrictEqual(fold(list));
        const keys = before.map(({ check }) => JSON.stringify(check));
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});

describe("the checks to keep green", () => {
  const makeRatchet = () => extendRatchet([], { from: "US-1.1", criteria: [test, file] });

  it("are required criteria that name their owner", () => {
    expect(listKeptChecks(makeRatchet(), []).map((one) => one.criterion)).toStrictEqual([
      {
        id: "kept-US-1.1-c1",
        text: "text of c1 [accepted for US-1.1 (c1)]",
        required: true,
        check: { command: "npm test" },
        verdict: "unverified",
      },
      {
        id: "kept-US-1.1-c2",
        text: "text of c2 [accepted for US-1.1 (c2)]",
        required: true,
        check: { file: "docs/x.md" },
        verdict: "unverified",
      },
    ]);
  });

  it("are not repeated if the work itself requires them, but are if it only lists them as advisory", () => {
    const own = criterion("c1", { command: "npm test " });
    expect(listKeptChecks(makeRatchet(), [own]).map((one) => one.criterion.id)).toStrictEqual([
      "kept-US-1.1-c2",
    ]);
    const wish = { ...own, required: false };
    expect(listKeptChecks(makeRatchet(), [wish]).map((one) => one.criterion.id)).toStrictEqual([
      "kept-US-1.1-c1",
      "kept-US-1.1-c2",
    ]);
  });

  it("are empty for an entry without an owner", () => {
    expect(listKeptChecks([{ check: { command: "npm test" }, owners: [] }], [])).toStrictEqual([]);
  });

  it("name three owners and count the others", () => {
    const many = ["a", "b", "c", "d", "e"].reduce<Ratchet>(
      (before, from) => extendRatchet(before, { from, criteria: [test] }),
      [],
    );
    expect(listKeptChecks(many, [])[0]?.criterion.text).toBe(
      "text of c1 [accepted for a (c1), b (c1), c (c1) and 2 more]",
    );
  });

  it("block a later merge if one is red, and say whose criterion it breaks", () => {
    const own = criterion("c1", { command: "make" });
    const kept = listKeptChecks(makeRatchet(), [own]).map((one) => one.criterion);
    const criteria = [own, ...kept];
    const results = criteria.map((about) => ({
      criterion: about,
      verdict: about.id === "kept-US-1.1-c1" ? ("failed" as const) : ("passed" as const),
      code: about.id === "kept-US-1.1-c1" ? ("CHECK_FAILED" as const) : null,
      evidence: "`npm test` ended with exit code 1 after 2.0 s.",
    }));
    const judged = judgeWork({ criteria, results, decisions: [], worker: ["US-1.2"] });
    expect(judged).toMatchObject({ isAccepted: false, failed: ["kept-US-1.1-c1"] });
    expect(judged.why[0]).toBe(
      'kept-US-1.1-c1 "text of c1 [accepted for US-1.1 (c1)]": failed. `npm test` ended with exit code 1 after 2.0 s.',
    );
  });
});
