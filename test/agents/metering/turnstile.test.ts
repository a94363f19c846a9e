import fc from "fast-check";
import { expect, it } from "vitest";
import { Turnstile } from "../../../src/agents/metering/turnstile.ts";

const never = new AbortController().signal;

it("gives a freed place to the next request that still waits", async () => {
  const turnstile = new Turnstile(1);
  const leave = await turnstile.enterTurnstile(never);
  const impatient = new AbortController();
  const second = turnstile.enterTurnstile(impatient.signal);
  const third = turnstile.enterTurnstile(never);
  impatient.abort();
  expect(await second).toBeUndefined();
  leave?.();
  expect(await third).toBeTypeOf("function");
});

it("does not admit a request whose client has left", async () => {
  expect(await new Turnstile(1).enterTurnstile(AbortSignal.abort())).toBeUndefined();
});

it("takes a place back once, however often it is returned", async () => {
  const turnstile = new Turnstile(1);
  const leave = await turnstile.enterTurnstile(never);
  leave?.();
  leave?.();
  await turnstile.enterTurnstile(never);
  const other = new AbortController();
  const waiting = turnstile.enterTurnstile(other.signal);
  other.abort();
  expect(await waiting).toBeUndefined();
});

it("never exceeds its capacity and never forgets a waiting request", async () => {
  const visits = fc.array(fc.record({ goesAway: fc.boolean() }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(visits, fc.integer({ min: 1, max: 4 }), async (people, atOnce) => {
      const turnstile = new Turnstile(atOnce);
      let inside = 0;
      let served = 0;
      const visit = async (goesAway: boolean): Promise<void> => {
        const patience = new AbortController();
        const entered = turnstile.enterTurnstile(patience.signal);
        if (goesAway) patience.abort();
        const leave = await entered;
        if (leave === undefined) return;
        inside += 1;
        expect(inside).toBeLessThanOrEqual(atOnce);
        await Promise.resolve();
        inside -= 1;
        served += 1;
        leave();
      };
      await Promise.all(people.map(({ goesAway }) => visit(goesAway)));
      expect(served).toBeGreaterThanOrEqual(people.filter(({ goesAway }) => !goesAway).length);
    }),
    { numRuns: 100 },
  );
});
