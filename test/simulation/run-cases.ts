import { planCase, type CaseWish } from "./case-plan.ts";
import { simulate, type CaseResult } from "./simulation.ts";

export interface Share {
  /** Seed of the whole run; with a case's number it gives the case. */
  readonly seed: number;
  readonly firstCase: number;
  /** Cases are dealt out to several processes. */
  readonly every: number;
  readonly wish: CaseWish;
  /** Stops when it has had as many, whichever comes first. */
  readonly crashes: number;
  readonly managers: number;
  /** Faults after which it stops as well. */
  readonly most?: number;
}

export interface Tally {
  cases: number;
  crashes: number;
  steps: number;
  events: number;
  delegations: number;
  managers: number;
  merges: number;
  groups: number;
  refused: number;
  seconds: number;
  outcomes: Record<string, number>;
  faults: Fault[];
}

export interface Fault {
  readonly seed: number;
  readonly case: number;
  readonly crash: number;
  readonly rule: string;
  readonly text: string;
}

const CASES_PER_SEED = 10_000_000;
/** Enough to see what is wrong; the rest would be the same. */
const MAX_FAULTS = 20;

export function seedOfCase(seed: number, number: number): number {
  return (seed * CASES_PER_SEED + number) >>> 0;
}

/** Lives case after case until the share is done; every fault names the case it can be seen in again. */
export async function runCases(share: Share, folder: string): Promise<Tally> {
  const began = performance.now();
  const tally = emptyTally();
  for (let number = share.firstCase; !isDone(tally, share); number += share.every) {
    const result = await simulate(planCase(seedOfCase(share.seed, number), share.wish), folder);
    add(tally, result);
    const [first] = result.violations;
    if (first !== undefined) tally.faults.push({ seed: share.seed, case: number, ...first });
  }
  tally.seconds = (performance.now() - began) / 1000;
  return tally;
}

function isDone(tally: Tally, { crashes, managers, most = MAX_FAULTS }: Share): boolean {
  return tally.crashes >= crashes || tally.managers >= managers || tally.faults.length >= most;
}

function emptyTally(): Tally {
  return {
    cases: 0,
    crashes: 0,
    steps: 0,
    events: 0,
    delegations: 0,
    managers: 0,
    merges: 0,
    groups: 0,
    refused: 0,
    seconds: 0,
    outcomes: {},
    faults: [],
  };
}

const summed = [
  "crashes",
  "steps",
  "events",
  "delegations",
  "managers",
  "merges",
  "groups",
  "refused",
] as const;

function add(tally: Tally, result: CaseResult): void {
  tally.cases += 1;
  for (const name of summed) tally[name] += result[name];
  addOutcomes(tally, result.outcomes);
}

export function join(tallies: readonly Tally[]): Tally {
  const all = emptyTally();
  for (const tally of tallies) {
    all.cases += tally.cases;
    for (const name of summed) all[name] += tally[name];
    all.seconds = Math.max(all.seconds, tally.seconds);
    all.faults.push(...tally.faults);
    addOutcomes(all, tally.outcomes);
  }
  return all;
}

function addOutcomes(tally: Tally, outcomes: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(outcomes))
    tally.outcomes[name] = (tally.outcomes[name] ?? 0) + count;
}

/** The line that shows a fault again, with all that led to it. */
export function replayLine(fault: Fault, wish: CaseWish = {}): string {
  const from = Math.max(0, fault.crash - 1);
  const adversarial = wish.isAdversarial === true ? " --adversarial" : "";
  const crowded = wish.isCrowded === true ? " --crowded" : "";
  const planted = wish.planted === undefined ? "" : ` --plant ${wish.planted}`;
  return `npm run test:simulate -- --seed ${fault.seed} --case ${fault.case} --from-crash ${from}${adversarial}${crowded}${planted}`;
}
