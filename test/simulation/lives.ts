import { DelegationError, readErrorMessage } from "../../src/base/delegation-error.ts";
import type { Store } from "../../src/journal/store.ts";
import { Engine } from "../../src/orchestrator/engine.ts";
import { recoverOpenWork } from "../../src/orchestrator/recover.ts";
import type { RunTools } from "../../src/orchestrator/ports/run-tools.ts";
import type { CasePlan } from "./case-plan.ts";
import type { JournalAudit } from "./journal-audit.ts";
import { plantFault } from "./planted.ts";
import { makeTools, TROUBLE, type Stage } from "./tools.ts";
import type { Call, World } from "./world.ts";

const AGAIN_SHARE = 0.15;
const SHUTDOWN_MS = 4000;

/** Whoever calls while the runtime ends finds out from the journal whether it was heard. */
const callsOfPeople = [
  "openStory",
  "requestCancel",
  "record note-added",
  "record approval-answered",
] as const;

/** One runtime after the other, each on what the one before it left. */
export class Lives {
  readonly #plan: CasePlan;
  readonly #stage: Stage;
  readonly #world: World;
  readonly #journal: JournalAudit;
  #engine: Engine | undefined;

  constructor(plan: CasePlan, stage: Stage, journal: JournalAudit) {
    this.#plan = plan;
    this.#stage = stage;
    this.#world = stage.world;
    this.#journal = journal;
  }

  /** The one that listens now. */
  get engine(): Engine | undefined {
    return this.#engine;
  }

  /** A new runtime on what the dead one left. It may die at any point of this, too. */
  begin(): void {
    this.#engine = undefined;
    const call = this.#world.caller();
    const tools = this.#witness(plantFault(this.#plan.planted, makeTools(this.#stage, call)));
    const { planted, settings } = this.#plan;
    const maxConcurrent = planted === "slot-too-many" ? 64 : settings.limits.maxConcurrent;
    const boot = async (): Promise<void> => {
      await recoverOpenWork(tools);
      if (!this.#world.isTroubled && this.#world.random.chance(AGAIN_SHARE))
        await call("recover again", () => this.#recoverAgain());
      const engine = new Engine(tools, maxConcurrent);
      this.#engine = engine;
      await engine.resumeAll();
    };
    boot().catch((error: unknown) => {
      // Who cannot be started is started again, by the next command.
      if (this.#isTrouble(error))
        this.#world.add({ label: "start again", owner: "outside", run: () => this.restart() });
      else this.#world.violate("recovery", readErrorMessage(error));
    });
  }

  /** What was acknowledged is in the journal. */
  #witness(tools: RunTools): RunTools {
    const { store } = tools;
    const record: Store["record"] = async (event) => {
      const before = this.#journal.seq;
      const answer = await store.record(event);
      if (answer === "ok" && this.#journal.seq === before)
        this.#world.violate(
          "acknowledged",
          `${event.type} of ${event.delegation ?? ""} is not in the journal`,
        );
      return answer;
    };
    return { ...tools, store: { ...store, record } };
  }

  /** What has been recovered needs no recovery. */
  async #recoverAgain(): Promise<void> {
    const now: Call = async (_label, effect) => effect();
    const before = this.#picture();
    const recovered = await recoverOpenWork(plantFault(this.#plan.planted, makeTools(this.#stage, now)));
    if (recovered.length > 0 || this.#picture() !== before)
      this.#world.violate("recovery", `a second recovery changed something: ${JSON.stringify(recovered)}`);
  }

  #picture(): string {
    const { git, places, processes } = this.#stage;
    return JSON.stringify([
      this.#journal.seq,
      [...git.refs],
      [...places.places.keys()],
      processes.alive().length,
    ]);
  }

  /** The runtime ends by itself: soon, with nothing under way, and another one goes on later. */
  shutDown(): void {
    const engine = this.#engine;
    if (engine === undefined) return;
    this.#engine = undefined;
    const world = this.#world;
    const ownMs = (): number => world.time.monotonicMs() - world.time.hurriedMs();
    const deadlineMs = ownMs() + this.#plan.settings.limits.graceSeconds * 1000 + SHUTDOWN_MS;
    const mine = world.generation;
    const restart = (): void => {
      if (world.generation !== mine) return;
      const late = ownMs() - deadlineMs;
      if (late > 0) world.violate("shutdown", `it took ${late} ms longer than it may`);
      const left = world
        .unfinished()
        .filter((label) => !callsOfPeople.some((call) => label.startsWith(call)));
      for (const label of left) world.violate("shutdown", `it was over, and ${label} was under way`);
      this.restart();
    };
    const closed = engine
      .close()
      .then(() => world.add({ label: "shut down", owner: "outside", run: restart }));
    closed.catch((error: unknown) => world.violate("shutdown", readErrorMessage(error)));
  }

  #isTrouble(error: unknown): boolean {
    return error instanceof DelegationError && error.code === TROUBLE;
  }

  restart(): void {
    this.#world.die("shut down");
    this.whenDead();
  }

  whenDead(): void {
    this.#stage.processes.ownerDied();
    this.begin();
  }
}
