import { DelegationError, readErrorMessage } from "../../src/base/delegation-error.ts";
import type { Approval, Store } from "../../src/journal/store.ts";
import type { Engine } from "../../src/orchestrator/engine.ts";
import { continueDelegation } from "../../src/orchestrator/follow-up.ts";
import type { JournalAudit } from "./journal-audit.ts";
import type { World } from "./world.ts";

export interface PeopleStage {
  readonly world: World;
  readonly store: Store;
  readonly journal: JournalAudit;
  readonly engine: () => Engine | undefined;
  readonly shutDown: () => void;
  /** What is to be asked for in the course of time. */
  readonly stories: object[];
}

const ACT_SHARE = 0.02;
const MAX_DELEGATIONS = 40;
const HOUR_MS = 3_600_000;

/** Those who ask for stories, answer questions, stop things, and a clock that somebody sets. */
export class People {
  readonly #stage: PeopleStage;

  constructor(stage: PeopleStage) {
    this.#stage = stage;
  }

  maybeAct(): void {
    const { world } = this.#stage;
    if (!world.random.chance(ACT_SHARE)) return;
    const act = this.#choose();
    if (act !== undefined) world.add({ label: "person", owner: "outside", run: act });
  }

  /** All is still: somebody asks for the next story, if there is one. */
  idle(): boolean {
    return this.#open();
  }

  #choose(): (() => void | Promise<void>) | undefined {
    const { random } = this.#stage.world;
    const dice = random.next();
    if (dice < 0.4) return () => void this.#open();
    if (dice < 0.8) return () => this.#answer();
    if (dice < 0.86) return () => this.#stop();
    if (dice < 0.9) return () => this.#haunt();
    if (dice < 0.92) return () => this.#followUp();
    if (dice < 0.95) return () => this.#stage.shutDown();
    return () => this.#stage.world.time.jumpWall((random.below(3) - 1) * HOUR_MS);
  }

  #open(): boolean {
    const { stories } = this.#stage;
    const engine = this.#stage.engine();
    const [next] = stories;
    if (engine === undefined || next === undefined) return false;
    stories.shift();
    // Whoever asked and got no answer asks again.
    const again = (): void => void stories.unshift(next);
    let isAnswered = false;
    this.#stage.world.onDeath(() => {
      if (!isAnswered) again();
    });
    this.#expect(engine.openStory(next).finally(() => (isAnswered = true)));
    return true;
  }

  async #answer(): Promise<void> {
    const { store, world } = this.#stage;
    const engine = this.#stage.engine();
    const open = await store.openApprovals(100);
    if (engine === undefined || open.length === 0) return;
    const approval = world.random.pick(open);
    const answer = this.#decide(approval);
    this.#expect(engine.answer(approval.id, { answer, by: "person", reason: "because" }));
  }

  #decide({ kind }: Approval): "approved" | "rejected" | "replied" {
    if (kind === "clarification") return "replied";
    return this.#stage.world.random.chance(0.75) ? "approved" : "rejected";
  }

  #stop(): void {
    const { journal, world } = this.#stage;
    const engine = this.#stage.engine();
    const open = journal.open();
    if (engine === undefined || open.length === 0) return;
    this.#expect(engine.stop(world.random.pick(open).id, { reason: "enough", by: "person" }));
  }

  /** Goes on with something that has ended. */
  #followUp(): void {
    const { journal, world } = this.#stage;
    const engine = this.#stage.engine();
    const ended = [...journal.known.values()].filter(({ state }) => state === "closed");
    if (engine === undefined || ended.length === 0 || journal.known.size > MAX_DELEGATIONS) return;
    const { id } = world.random.pick(ended);
    const from = world.random.pick(["work", "base"] as const);
    this.#expect(continueDelegation(engine, { id, from, note: "go on" }));
  }

  /** A program of a replaced attempt, on another machine perhaps, that thinks its result still counts. */
  async #haunt(): Promise<void> {
    const { journal, store, world } = this.#stage;
    const old = [...journal.known.values()].filter(({ attempt }) => attempt > 1);
    if (old.length === 0) return;
    const { id, attempt } = world.random.pick(old);
    const usage = {
      inputTokens: 1,
      cachedTokens: 0,
      outputTokens: 1,
      microUsd: 1,
      source: "simulated",
    } as const;
    const settled = await store.settle(id, attempt - 1, { outcome: "completed", summary: "late" });
    const booked = await store.spend(id, attempt - 1, usage);
    if (settled !== "stale" || booked.kind !== "stale")
      world.violate("late", `attempt ${attempt - 1} of ${id} was heard although ${attempt} had begun`);
  }

  /** A refusal is an answer; anything else that is thrown is not. */
  #expect(asked: Promise<unknown>): void {
    asked.catch((error: unknown) => {
      if (!(error instanceof DelegationError))
        this.#stage.world.violate("broken-call", readErrorMessage(error));
    });
  }
}
