import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { planCase, type CaseWish } from "./case-plan.ts";
import { plantedFaults, type Planted } from "./planted.ts";
import { replayLine, runCases, seedOfCase, type Tally } from "./run-cases.ts";
import { simulate } from "./simulation.ts";

const SEED = 4;
const unlimited = Number.MAX_SAFE_INTEGER;
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "ambit-simulation-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the pipeline in a world of crashes", () => {
  it("keeps every promise over 300 crashes at any step, even during recovery (R196, R201)", async () => {
    const tally = await run({}, { crashes: 300 });
    expect(tally.faults.map((fault) => `${fault.rule}: ${fault.text}\n${replayLine(fault)}`)).toEqual([]);
    expect(tally.crashes).toBeGreaterThanOrEqual(300);
    expect(tally.merges).toBeGreaterThan(50);
  });

  it("keeps every promise over 200 crashes where work waits in line and is checked together (R196, R201)", async () => {
    const wish = { isCrowded: true };
    const tally = await run(wish, { crashes: 200 });
    expect(tally.faults.map((fault) => `${fault.rule}: ${fault.text}\n${replayLine(fault, wish)}`)).toEqual(
      [],
    );
    expect(tally.groups).toBeGreaterThan(10);
  });

  it("never lets an adversarial manager overrun a limit, read from the journal at every instant (R201)", async () => {
    const wish = { isAdversarial: true, crashes: 3 };
    const tally = await run(wish, { managers: 25 });
    expect(tally.faults.map((fault) => `${fault.rule}: ${fault.text}\n${replayLine(fault, wish)}`)).toEqual(
      [],
    );
    expect(tally.refused).toBeGreaterThan(300);
  });

  it("gives the same journal for the same seed, byte for byte, and a different one for another seed", async () => {
    const live = (number: number) => simulate(planCase(seedOfCase(SEED, number)), folder);
    const [first, again, other] = [await live(1), await live(1), await live(2)];
    expect(again.head).toBe(first.head);
    expect(again.steps).toBe(first.steps);
    expect(other.head).not.toBe(first.head);
  });

  it("behaves the same for any free text in a return", async () => {
    for (let number = 0; number < 8; number += 1) {
      const seed = seedOfCase(SEED, number);
      const spoken = await simulate(planCase(seed), folder);
      const silent = await simulate(planCase(seed, { isPlain: true }), folder);
      expect(silent.transitions).toEqual(spoken.transitions);
    }
  });

  it("reproduces a fault from the seed and case it names", async () => {
    const wish = { planted: "checks-not-run" } as const;
    const { faults } = await run(wish, { crashes: 500, most: 1 });
    const [fault] = faults;
    const again = await simulate(planCase(seedOfCase(SEED, fault?.case ?? 0), wish), folder);
    expect(again.violations[0]).toMatchObject({ rule: fault?.rule, text: fault?.text, crash: fault?.crash });
  });
});

describe("the judges of the simulation", () => {
  // Where to look, so that few crashes are enough; the long run finds all of them without.
  const wishes: Readonly<Partial<Record<Planted, CaseWish>>> = {
    "move-without-compare": { focus: "delegation-verified" },
    "move-twice": { focus: "moveBranch" },
  };
  it.each(plantedFaults)("notice the planted fault %s", async (planted) => {
    const tally = await run({ ...wishes[planted], planted }, { crashes: 3000, most: 1 });
    expect(tally.faults).toHaveLength(1);
  });
});

function run(
  wish: CaseWish,
  goal: { readonly crashes?: number; readonly managers?: number; readonly most?: number },
): Promise<Tally> {
  const share = { seed: SEED, firstCase: 0, every: 1, crashes: unlimited, managers: unlimited };
  return runCases({ ...share, wish, ...goal }, folder);
}
