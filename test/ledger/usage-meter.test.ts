import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { usageSchema, type Tokens, type Usage, type UsageReport } from "../../src/contract/usage.ts";
import { UsageMeter, type PriceOf, type Spent } from "../../src/ledger/usage-meter.ts";

const nothing: Spent = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, microUsd: 0 };
/** Two micro-dollars a token, of known models. */
const priceOf: PriceOf = ({ model, tokens }) =>
  model === undefined || model === "unheard-of"
    ? undefined
    : (model === "free" ? 0 : 2) * (tokens.inputTokens + tokens.cachedTokens + tokens.outputTokens);

const tokensOf = (inputTokens: number, cachedTokens = 0, outputTokens = 0): Tokens => ({
  inputTokens,
  cachedTokens,
  outputTokens,
});

function report(
  scope: UsageReport["scope"],
  usage: Partial<Spent> & { model?: string },
  id?: string,
): UsageReport {
  return {
    scope,
    ...(id === undefined ? {} : { id }),
    usage: { ...nothing, microUsd: null, ...usage },
  };
}

function add(one: Spent, other: Spent): Spent {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    microUsd: one.microUsd + other.microUsd,
  };
}

const spentOf = ({ inputTokens, cachedTokens, outputTokens, microUsd }: Spent): Spent => ({
  inputTokens,
  cachedTokens,
  outputTokens,
  microUsd,
});

/** Takes each report and books what is due after it. */
function book(meter: UsageMeter, reports: readonly UsageReport[]): readonly Usage[] {
  return reports.flatMap((one) => {
    meter.take(one, priceOf);
    const due = meter.due();
    return due === undefined ? [] : [due];
  });
}

const total = (usages: readonly Spent[]): Spent => usages.reduce<Spent>((sum, one) => add(sum, one), nothing);

describe("usage reports", () => {
  it("book an agent's steps live and the rest with its total: input side first, output and dollars last", () => {
    const meter = new UsageMeter(nothing);
    const step = { inputTokens: 1000, cachedTokens: 200, outputTokens: 1, model: "m" };
    const usages = book(meter, [
      report("step", step, "msg_1"),
      report("step", step, "msg_1"),
      report("step", step, "msg_2"),
      report("session", { ...step, inputTokens: 2000, cachedTokens: 400, outputTokens: 100, microUsd: 7620 }),
    ]);
    expect(usages).toStrictEqual([
      { ...step, microUsd: 2402, source: "estimated" },
      { ...step, microUsd: 2402, source: "estimated" },
      { model: "m", inputTokens: 0, cachedTokens: 0, outputTokens: 98, microUsd: 2816, source: "reported" },
    ]);
    expect(meter.cost()).toStrictEqual({
      bookedMicroUsd: 7620,
      reportedMicroUsd: 7620,
      estimatedMicroUsd: 5000,
      unpricedTokens: 0,
    });
  });

  it("book only this attempt's part of a session's total", () => {
    const earlier = { inputTokens: 2000, cachedTokens: 400, outputTokens: 100, microUsd: 5000 };
    const meter = new UsageMeter(earlier, "m");
    const [usage] = book(meter, [
      report("session", { inputTokens: 3000, cachedTokens: 600, outputTokens: 150 }),
    ]);
    expect(usage).toStrictEqual({
      model: "m",
      ...tokensOf(1000, 200, 50),
      microUsd: 2500,
      source: "estimated",
    });
  });

  it("compare only this attempt's part of a session's total", () => {
    const priced = new UsageMeter({ ...tokensOf(2000), microUsd: 4000 }, "m");
    book(priced, [report("session", { inputTokens: 3000, microUsd: 7000 })]);
    expect(priced.cost()).toMatchObject({ reportedMicroUsd: 3000, estimatedMicroUsd: 2000 });
    const unpriced = new UsageMeter({ ...tokensOf(100, 10, 1), microUsd: 0 }, "unheard-of");
    book(unpriced, [report("session", { inputTokens: 150, cachedTokens: 10, outputTokens: 1 })]);
    expect(unpriced.cost()).toMatchObject({ estimatedMicroUsd: null, unpricedTokens: 50 });
  });

  it("accept dollars that come after the tokens of a step, and keep them if they are not repeated", () => {
    const meter = new UsageMeter(nothing, "m");
    const usages = book(meter, [
      report("step", { inputTokens: 10 }, "a"),
      report("step", { inputTokens: 10, microUsd: 300 }, "a"),
      report("step", { inputTokens: 20 }, "a"),
      report("step", { inputTokens: 20, microUsd: 250 }, "a"),
    ]);
    expect(usages.map(({ microUsd, source }) => [microUsd, source])).toStrictEqual([
      [20, "estimated"],
      [280, "reported"],
      [0, "reported"],
    ]);
  });

  it("distinguish a price of zero from no price", () => {
    const free = book(new UsageMeter(nothing), [report("step", { inputTokens: 10, model: "free" }, "a")]);
    expect(free).toStrictEqual([{ model: "free", ...tokensOf(10), microUsd: 0, source: "estimated" }]);
    const meter = new UsageMeter(nothing);
    book(meter, [report("step", { inputTokens: 10, model: "unheard-of" }, "a")]);
    expect(book(meter, [report("step", { inputTokens: 10, model: "free" }, "b")])).toMatchObject([
      { source: "estimated" },
    ]);
    expect(book(new UsageMeter(nothing), [report("step", { inputTokens: 10 })])).toStrictEqual([
      { ...tokensOf(10), microUsd: 0, source: "unpriced" },
    ]);
  });

  it("mark a sum as estimated if part of it comes from the price list", () => {
    const meter = new UsageMeter(nothing);
    meter.take(report("step", { inputTokens: 10, model: "unheard-of" }, "a"), priceOf);
    meter.take(report("step", { inputTokens: 10, model: "m" }, "b"), priceOf);
    expect(meter.due()).toMatchObject({ inputTokens: 20, microUsd: 20, source: "estimated" });
    expect(meter.cost()).toMatchObject({ estimatedMicroUsd: null, unpricedTokens: 10 });
  });

  it("treat dollars without tokens as the whole, without a list price", () => {
    const meter = new UsageMeter(nothing, "unheard-of");
    const usages = book(meter, [
      report("run", { microUsd: 40 }),
      report("step", { inputTokens: 10, cachedTokens: 10, outputTokens: 10 }, "a"),
    ]);
    expect(usages).toMatchObject([
      { microUsd: 40, source: "reported" },
      { microUsd: 0, source: "reported" },
    ]);
    expect(meter.cost()).toStrictEqual({
      bookedMicroUsd: 40,
      reportedMicroUsd: 40,
      estimatedMicroUsd: null,
      unpricedTokens: 0,
    });
  });

  it.each([["inputTokens"], ["cachedTokens"], ["outputTokens"]] as const)(
    "do not treat dollars as the whole if another report knows more %s",
    (kind) => {
      const meter = new UsageMeter(nothing, "m");
      const known = { ...tokensOf(10, 10, 10), microUsd: 5 };
      book(meter, [report("step", known, "a"), report("run", { ...tokensOf(10, 10, 10), [kind]: 11 })]);
      expect(meter.cost()).toMatchObject({ reportedMicroUsd: null, bookedMicroUsd: 62 });
    },
  );

  it("add up steps without ids, and totals of several models", () => {
    const steps = book(new UsageMeter(nothing), [
      report("step", { inputTokens: 5, microUsd: 10 }),
      report("step", { inputTokens: 5, microUsd: 10 }),
    ]);
    expect(total(steps)).toMatchObject({ inputTokens: 10, microUsd: 20 });
    const models = book(new UsageMeter(nothing), [
      report("run", { inputTokens: 5, model: "large" }, "large"),
      report("run", { inputTokens: 3, model: "small" }, "small"),
      report("run", { inputTokens: 9, model: "large" }, "large"),
    ]);
    expect(total(models)).toMatchObject({ inputTokens: 12, microUsd: 24 });
  });

  it("count metered requests as the same usage that the agent reports, not as more", () => {
    const meter = new UsageMeter(nothing, "m");
    const usages = book(meter, [
      report("request", { inputTokens: 100, outputTokens: 10 }, "request 1"),
      report("step", { inputTokens: 100 }, "msg_1"),
      report("request", { inputTokens: 50, outputTokens: 5 }, "request 2"),
      report("run", { inputTokens: 150, outputTokens: 15 }),
    ]);
    expect(usages.map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens])).toStrictEqual([
      [100, 10],
      [50, 5],
    ]);
    expect(total(usages).microUsd).toBe(330);
  });

  it("prefer the agent's dollars to a higher list price, and report both", () => {
    const meter = new UsageMeter(nothing);
    const usages = book(meter, [report("step", { inputTokens: 1000, microUsd: 500, model: "m" }, "a")]);
    expect(usages).toMatchObject([{ microUsd: 500, source: "reported" }]);
    expect(meter.cost()).toMatchObject({
      bookedMicroUsd: 500,
      reportedMicroUsd: 500,
      estimatedMicroUsd: 2000,
    });
  });

  it("invent no price for an unknown model: its tokens are booked and counted as unpriced", () => {
    const meter = new UsageMeter(nothing);
    const usages = book(meter, [report("run", { inputTokens: 70, outputTokens: 30, model: "unheard-of" })]);
    expect(usages).toMatchObject([{ inputTokens: 70, outputTokens: 30, microUsd: 0, source: "unpriced" }]);
    expect(meter.cost()).toStrictEqual({
      bookedMicroUsd: 0,
      reportedMicroUsd: null,
      estimatedMicroUsd: null,
      unpricedTokens: 100,
    });
  });

  it("count unpriced usage as paid once the agent reports its dollars", () => {
    const meter = new UsageMeter(nothing);
    const use = { inputTokens: 100, model: "unheard-of" };
    const usages = book(meter, [report("step", use, "a"), report("run", { ...use, microUsd: 300 })]);
    expect(usages.map(({ source, microUsd }) => [source, microUsd])).toStrictEqual([
      ["unpriced", 0],
      ["reported", 300],
    ]);
    expect(meter.cost()).toMatchObject({ reportedMicroUsd: 300, unpricedTokens: 0 });
  });

  it("keep dollars marked as simulated if the agent marks them so", () => {
    const meter = new UsageMeter(nothing);
    meter.take({ scope: "step", usage: { ...tokensOf(1), microUsd: 5, source: "simulated" } }, priceOf);
    expect(meter.due()).toMatchObject({ microUsd: 5, source: "simulated" });
    expect(meter.cost()).toMatchObject({ reportedMicroUsd: null });
    const other = new UsageMeter(nothing, "m");
    other.take({ scope: "step", usage: { ...tokensOf(1), microUsd: null, source: "simulated" } }, priceOf);
    expect(other.due()).toMatchObject({ microUsd: 2, source: "estimated" });
  });

  it("yield no usage and no cost before the first one arrives", () => {
    const meter = new UsageMeter(nothing);
    expect([meter.due(), meter.cost()]).toStrictEqual([undefined, undefined]);
  });

  it("never take usage back if a session's total misses an earlier attempt", () => {
    // The last attempt was killed before the agent wrote its own sum down.
    const meter = new UsageMeter({ ...tokensOf(5000), microUsd: 10_000 }, "m");
    const usages = book(meter, [
      report("step", { inputTokens: 1000 }, "a"),
      report("run", { inputTokens: 1000, outputTokens: 50 }),
      report("session", { inputTokens: 1000, outputTokens: 50, microUsd: 3000 }),
    ]);
    expect(total(usages)).toStrictEqual({ ...tokensOf(1000, 0, 50), microUsd: 2100 });
  });

  it("turn any report into amounts that the journal accepts", () => {
    const odd = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, Infinity, -Infinity, 1e308));
    const odds = fc.record({
      inputTokens: odd,
      cachedTokens: odd,
      outputTokens: odd,
      microUsd: fc.option(odd),
    });
    const any = fc.record({ scope: fc.constantFrom("step", "run", "session"), usage: odds });
    fc.assert(
      fc.property(fc.array(any), (reports) => {
        for (const usage of book(new UsageMeter(nothing, "m"), reports)) usageSchema.parse(usage);
      }),
    );
  });
});

interface Step extends Spent {
  readonly id: string;
}

const amount = fc.nat(1000);
const spending = fc.record({
  inputTokens: amount,
  cachedTokens: amount,
  outputTokens: amount,
  microUsd: amount,
});
const run = fc
  .array(spending, { minLength: 1, maxLength: 6 })
  .map((steps): readonly Step[] => steps.map((step, index) => ({ ...step, id: `step ${index}` })));

/** As it may be said while it is still going on. */
function partOf(whole: Spent, share: number): Spent {
  const part = (all: number): number => Math.floor(all * share);
  return {
    inputTokens: part(whole.inputTokens),
    cachedTokens: part(whole.cachedTokens),
    outputTokens: part(whole.outputTokens),
    microUsd: part(whole.microUsd),
  };
}

/** Every step so far and every running total, each of them perhaps said again. */
function reportsOf(steps: readonly Step[], before: Spent, share: number): readonly UsageReport[] {
  return steps.flatMap((step, index) => {
    const done = total(steps.slice(0, index + 1));
    return [
      report("step", partOf(step, share), step.id),
      report("step", spentOf(step), step.id),
      report("run", done),
      report("session", add(before, done)),
    ];
  });
}

describe("any interleaving of reports", () => {
  it("books exactly the usage, never a negative amount, and at no time more than was used", () => {
    const shuffled = run.chain((steps) =>
      fc.record({
        steps: fc.constant(steps),
        before: spending,
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        order: fc.array(fc.nat(), { minLength: steps.length * 4, maxLength: steps.length * 4 }),
        kept: fc.array(fc.boolean(), { minLength: steps.length * 4, maxLength: steps.length * 4 }),
        last: fc.constantFrom("steps", "run", "session"),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ steps, before, share, order, kept, last }) => {
        const truth = total(steps);
        const all = reportsOf(steps, before, share).filter((_, index) => kept[index]);
        const whole = {
          steps: steps.map((step) => report("step", spentOf(step), step.id)),
          run: [report("run", truth)],
          session: [report("session", add(before, truth))],
        };
        const mixed = [...all, ...whole[last]]
          .map((one, index) => ({ one, rank: order[index] ?? index }))
          .sort((left, right) => left.rank - right.rank)
          .map(({ one }) => one);
        const meter = new UsageMeter(before);
        let booked = nothing;
        for (const usage of book(meter, mixed)) {
          booked = add(booked, usage);
          for (const name of ["inputTokens", "cachedTokens", "outputTokens", "microUsd"] as const) {
            expect(usage[name]).toBeGreaterThanOrEqual(0);
            expect(booked[name]).toBeLessThanOrEqual(truth[name]);
          }
        }
        expect(booked).toStrictEqual(truth);
        expect(meter.due()).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

const attempts = fc.array(fc.record({ steps: run, heard: fc.nat() }), { minLength: 2, maxLength: 5 });

/** Each attempt is killed after some of its reports; the last one ends by itself. */
function bookAttempts(
  lives: readonly { readonly steps: readonly Step[]; readonly heard: number }[],
  earlierOf: (booked: Spent) => Spent,
): { readonly booked: Spent; readonly truth: Spent } {
  let booked = nothing;
  let truth = nothing;
  for (const [index, { steps, heard }] of lives.entries()) {
    const reports = reportsOf(steps, truth, 0.5);
    const isLast = index === lives.length - 1;
    const seen = isLast ? reports : reports.slice(0, heard % reports.length);
    truth = add(truth, total(steps));
    booked = add(booked, total(book(new UsageMeter(earlierOf(booked)), seen)));
  }
  return { booked, truth };
}

describe("resumption after a kill", () => {
  it("books the missed usage once, from the session's total", () => {
    fc.assert(
      fc.property(attempts, (lives) => {
        const { booked, truth } = bookAttempts(lives, (earlier) => earlier);
        expect(booked).toStrictEqual(truth);
      }),
      { numRuns: 300 },
    );
  });

  it("would book it twice if earlier bookings were forgotten (control)", () => {
    const steps = [{ id: "step 0", ...tokensOf(100, 10, 1), microUsd: 50 }];
    const lives = [
      { steps, heard: 3 },
      { steps, heard: 0 },
    ];
    const { booked, truth } = bookAttempts(lives, () => nothing);
    expect(booked.inputTokens).toBe(300);
    expect(truth.inputTokens).toBe(200);
  });
});
