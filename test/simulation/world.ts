import { createRandom, type Random } from "../slow/random.ts";
import { quiet } from "./virtual-node.ts";
import { VirtualTime, type Owner } from "./virtual-time.ts";

export interface Violation {
  /** Which promise was broken. */
  readonly rule: string;
  readonly text: string;
  readonly step: number;
  readonly crash: number;
}

/** Does something for the runtime: takes a step of its own, may be the last thing the runtime ever asked for. */
export type Call = <Value>(label: string, effect: () => Value | Promise<Value>) => Promise<Value>;

interface Step {
  readonly label: string;
  readonly owner: Owner;
  /** Changes something outside the runtime, which then stays changed; otherwise it only tells the runtime. */
  readonly isEffect?: true;
  readonly run: () => void | Promise<void>;
}

export interface CrashPlan {
  /** How many there are to be in all. */
  readonly crashes: number;
  /** The chance of one at each step. */
  readonly rate: number;
  /** Steps around which crashes come often: a part of their label. */
  readonly focus: string;
  /** The chance that git or the system fails at what it is asked for. */
  readonly trouble: number;
}

const LATE_SHARE = 0.25;
const DIRECT_READ_SHARE = 0.5;
const EARLY_TIMER_SHARE = 0.01;
const FOCUS_RATE = 0.08;
const BURST_SHARE = 0.35;
const BURST_STEPS = 25;
/** Far above what any case needs: a run that gets here turns in a circle. */
const MAX_QUIET_STEPS = 60_000;

/**
 * One world: a clock, chance, and everything that wants to be done next. Picks one after the other at random, lets the
 * runtime die in between, and keeps no thread of its own, so that the same seed gives the same history.
 */
export class World {
  readonly random: Random;
  readonly time = new VirtualTime();
  readonly violations: Violation[] = [];
  readonly #plan: CrashPlan;
  readonly #trace: ((line: string) => void) | undefined;
  #steps: Step[] = [];
  #generation = 0;
  #isDying = false;
  #stepCount = 0;
  #crashCount = 0;
  #sinceCrash = 0;
  #burst: number | undefined;
  #mourners: (() => void)[] = [];
  #trouble: number;

  constructor(seed: number, plan: CrashPlan, trace?: (line: string) => void) {
    this.random = createRandom(seed);
    this.#plan = plan;
    this.#trouble = plan.trouble;
    this.#trace = trace;
  }

  get crashes(): number {
    return this.#crashCount;
  }

  get steps(): number {
    return this.#stepCount;
  }

  get generation(): number {
    return this.#generation;
  }

  note(line: () => string): void {
    if (this.#trace !== undefined) this.#trace(`${this.#crashCount}·${this.#stepCount} ${line()}`);
  }

  violate(rule: string, text: string): void {
    this.note(() => `VIOLATION ${rule}: ${text}`);
    this.violations.push({ rule, text, step: this.#stepCount, crash: this.#crashCount });
  }

  get isTroubled(): boolean {
    return this.#trouble > 0;
  }

  endTrouble(): void {
    this.#trouble = 0;
  }

  /** Whether this goes wrong. */
  fails(): boolean {
    return this.#trouble > 0 && this.random.chance(this.#trouble);
  }

  /** Called once, when the runtime that lives now has died. */
  onDeath(mourner: () => void): void {
    this.#mourners.push(mourner);
  }

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** For the runtime that lives now, and for no later one. */
  caller(): Call {
    const mine = this.#generation;
    return (label, effect) => {
      if (mine !== this.#generation) {
        this.violate("dead-runtime", `a runtime that had died asked for ${label}`);
        return new Promise(() => undefined);
      }
      if (label.startsWith("read ") && this.random.chance(DIRECT_READ_SHARE))
        return Promise.resolve().then(effect);
      return new Promise((resolve, reject) => {
        const run = async (): Promise<void> => {
          const answer = await attempt(effect);
          if (this.#isDying) return;
          const deliver = (): void => (answer.ok ? resolve(answer.value) : reject(answer.error));
          if (this.random.chance(LATE_SHARE))
            this.add({ label: `answer ${label}`, owner: "runtime", run: deliver });
          else deliver();
        };
        this.add({ label, owner: "runtime", isEffect: true, run });
      });
    };
  }

  /** Runs until nothing is left to do. `crash` is told after each death; `idle` may add something when all is still. */
  async run(hooks: {
    readonly afterStep: () => void | Promise<void>;
    readonly crash: () => void;
    /** Something is to be done by people although nothing else happens; false when there is nothing. */
    readonly idle: () => boolean;
  }): Promise<void> {
    while (this.violations.length === 0) {
      await quiet();
      await hooks.afterStep();
      if (this.#steps.length > 0 && !this.random.chance(EARLY_TIMER_SHARE)) await this.#takeStep(hooks.crash);
      else if (!this.time.fireNext(this.#steps.length > 0) && this.#steps.length === 0 && !hooks.idle())
        return;
      this.#sinceCrash += 1;
      if (this.#sinceCrash > MAX_QUIET_STEPS)
        this.violate("livelock", `${MAX_QUIET_STEPS} steps without a crash did not lead to an end`);
    }
  }

  /** What the runtime has asked for and not got: effects only, as reading changes nothing. */
  unfinished(): readonly string[] {
    const isEffect = ({ label, isEffect: is }: Step): boolean => is === true && !label.startsWith("read ");
    return this.#steps.filter(isEffect).map(({ label }) => label);
  }

  /** All the runtime had in mind is gone. */
  die(how: "crashed" | "shut down"): void {
    this.#generation += 1;
    if (how === "crashed") this.#crashCount += 1;
    this.#sinceCrash = 0;
    this.#steps = this.#steps.filter(({ owner }) => owner === "outside");
    this.time.clearRuntime();
    for (const mourner of this.#mourners.splice(0)) mourner();
    this.#burst = this.random.chance(BURST_SHARE) ? this.random.below(BURST_STEPS) : undefined;
  }

  async #takeStep(crash: () => void): Promise<void> {
    const [step] = this.#steps.splice(this.random.below(this.#steps.length), 1);
    if (step === undefined) return;
    this.#stepCount += 1;
    const isLast = step.owner === "runtime" && this.#isCrashDue(step.label);
    const isDone = !isLast || (step.isEffect === true && this.random.chance(0.5));
    this.note(() => `${step.label}${isLast ? (isDone ? " and DIES" : " DIES before") : ""}`);
    this.#isDying = isLast;
    if (isDone) await step.run();
    this.#isDying = false;
    if (!isLast) return;
    // What was delivered in the meantime had its consequences; nothing after this does.
    this.die("crashed");
    crash();
  }

  #isCrashDue(label: string): boolean {
    if (this.#crashCount >= this.#plan.crashes) return false;
    if (this.#burst !== undefined) {
      this.#burst -= 1;
      return this.#burst < 0;
    }
    const rate = label.includes(this.#plan.focus) ? FOCUS_RATE : this.#plan.rate;
    return this.random.chance(rate);
  }
}

type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: unknown };

async function attempt<Value>(effect: () => Value | Promise<Value>): Promise<Answer<Value>> {
  try {
    return { ok: true, value: await effect() };
  } catch (error) {
    return { ok: false, error };
  }
}
