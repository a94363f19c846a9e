import type { Engine } from "../../src/orchestrator/engine.ts";
import type { BranchAudit } from "./branch-audit.ts";
import type { CasePlan } from "./case-plan.ts";
import { Hand } from "./hand.ts";
import type { JournalAudit } from "./journal-audit.ts";
import { live, makeMind, type Circumstances, type Mind } from "./minds.ts";
import type { ModelPlaces } from "./model-places.ts";
import type { StartAgent } from "./model-processes.ts";
import type { World } from "./world.ts";

export interface CastStage {
  readonly plan: CasePlan;
  readonly world: World;
  readonly places: ModelPlaces;
  readonly journal: JournalAudit;
  readonly branches: () => BranchAudit;
  readonly engine: () => Engine | undefined;
}

/** Every agent there is: one mind for each delegation, whatever the number of its attempts. */
export class Cast {
  readonly #stage: CastStage;
  readonly #minds = new Map<string, Mind>();
  #goals = 0;

  constructor(stage: CastStage) {
    this.#stage = stage;
  }

  /** Did what it was asked to, in the form it was asked for. */
  isFaithful(id: string): boolean {
    return this.#minds.get(id)?.isFaithful === true;
  }

  readonly start: StartAgent = (process, spec, exit) => {
    const { plan, world, places, journal, engine } = this.#stage;
    const { delegation: id } = process;
    const place = places.places.get(id);
    const known = journal.known.get(id);
    if (place === undefined || known === undefined) return world.violate("processes", `${id} has no place`);
    this.#stage.branches().began(id);
    const now: Circumstances = {
      random: world.random,
      depth: known.depth,
      isAdversarial: plan.isAdversarial,
      isCrowded: plan.checkMs > 0,
      nextGoal: () => (this.#goals += 1),
    };
    const mind = this.#minds.get(id) ?? makeMind(goalIn(spec.stdin ?? "") ?? now.nextGoal(), now);
    this.#minds.set(id, mind);
    const reported = journal.agentReported.bind(journal);
    const hand = new Hand({ process, spec, exit }, { world, place, engine, reported, isPlain: plan.isPlain });
    void live(hand, mind, now);
  };
}

function goalIn(prompt: string): number | undefined {
  const words = prompt.slice(0, prompt.indexOf("\n")).split("Make goal ");
  const goal = Number.parseInt(words[1] ?? "", 10);
  return Number.isNaN(goal) ? undefined : goal;
}
