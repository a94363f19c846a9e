import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readErrorMessage } from "../../src/base/delegation-error.ts";
import { openStore } from "../../src/journal/open-store.ts";
import type { Store } from "../../src/journal/store.ts";
import { verifyJournal } from "../../src/journal/verify-journal.ts";
import type { Engine } from "../../src/orchestrator/engine.ts";
import { BranchAudit } from "./branch-audit.ts";
import type { CasePlan } from "./case-plan.ts";
import { Cast } from "./cast.ts";
import { JournalAudit } from "./journal-audit.ts";
import { Lives } from "./lives.ts";
import { ModelGit } from "./model-git.ts";
import { ModelPlaces } from "./model-places.ts";
import { ModelProcesses } from "./model-processes.ts";
import { People } from "./people.ts";
import type { Stage } from "./tools.ts";
import { installVirtualNode } from "./virtual-node.ts";
import { World, type Violation } from "./world.ts";

export interface CaseResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly crashes: number;
  readonly steps: number;
  readonly events: number;
  readonly delegations: number;
  readonly managers: number;
  readonly merges: number;
  readonly groups: number;
  readonly refused: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Hash of the whole journal: the same for the same seed. */
  readonly head: string;
  /** The journal without any text a worker wrote. */
  readonly transitions: readonly string[];
}

/** Lives one case from its first story to the end of its last, in a folder of its own that is removed afterwards. */
export async function simulate(
  plan: CasePlan,
  folder: string,
  trace?: (line: string) => void,
): Promise<CaseResult> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "ambit.db");
  const world = new World(plan.seed, plan.crashPlan, trace);
  const restore = installVirtualNode({
    time: world.time,
    random: world.random,
    later: (run) => world.add({ label: "immediate", owner: "runtime", run }),
  });
  const complain = (error: unknown): void => world.violate("unhandled", readErrorMessage(error));
  process.on("unhandledRejection", complain);
  const store = openStore(file, world.time);
  try {
    const simulation = new Simulation(plan, world, { store, folder });
    await simulation.run();
    const { hash } = await store.head();
    await store.close();
    simulation.verify(verifyJournal(file));
    return simulation.result(hash);
  } finally {
    process.off("unhandledRejection", complain);
    restore();
    rmSync(folder, { recursive: true, force: true });
  }
}

const COMPARE_EVERY = 200;
const MAX_BEGINS = 8;
const USER_COMMIT_SHARE = 0.12;

class Simulation {
  readonly #plan: CasePlan;
  readonly #world: World;
  readonly #store: Store;
  readonly #journal: JournalAudit;
  readonly #branches: BranchAudit;
  readonly #stage: Stage;
  readonly #people: People;
  readonly #lives: Lives;
  readonly #cast: Cast;
  readonly #begins = new Map<string, number>();

  constructor(plan: CasePlan, world: World, made: { readonly store: Store; readonly folder: string }) {
    this.#plan = plan;
    this.#world = world;
    this.#store = made.store;
    const git = new ModelGit();
    const root = git.commit({
      tree: git.tree(new Map([["readme", "user's"]])),
      parents: [],
      message: "first",
    });
    git.refs.set("refs/heads/main", root);
    const places = new ModelPlaces(git);
    const complain = (rule: string, text: string): void => world.violate(rule, text);
    this.#journal = new JournalAudit(plan.settings.limits.maxConcurrent, complain);
    const processes = new ModelProcesses(world, {
      startAgent: (...started) => this.#cast.start(...started),
      ended: (process) => this.#branches.ended(process),
    });
    const isStrict = !world.isTroubled;
    this.#branches = new BranchAudit({ git, places, processes, journal: this.#journal, complain, isStrict });
    const candidates = new Map<string, string>();
    this.#stage = {
      world,
      store: made.store,
      git,
      places,
      processes,
      candidates,
      stateDirectory: made.folder,
      settings: (story) => plan.settingsOf(story),
      readFolder: (path) => {
        const tree = candidates.get(path) ?? "";
        return { tree, files: git.files(tree) };
      },
      checkMs: plan.checkMs,
      passed: (tree, check) => this.#branches.checkPassed(tree, check),
      judges: {
        beginning: (id) => this.#countBegin(id),
        launching: (id) => this.#branches.launching(id),
        beforeMove: (ref) => this.#userMayCommit(ref),
        moved: (move) => this.#branches.moved(move),
        overwriting: (place, how) => this.#branches.overwriting(place, how),
      },
    };
    this.#lives = new Lives(plan, this.#stage, this.#journal);
    const engine = (): Engine | undefined => this.#lives.engine;
    const branches = (): BranchAudit => this.#branches;
    this.#cast = new Cast({ plan, world, places, journal: this.#journal, branches, engine });
    const { store } = made;
    const stories = [...plan.stories];
    this.#people = new People({
      world,
      store,
      journal: this.#journal,
      stories,
      engine,
      shutDown: () => this.#lives.shutDown(),
    });
    store.onEvent((event) => {
      this.#journal.read(event);
      world.note(() => `  = ${JSON.stringify(event)}`);
      const known = this.#journal.known.get(event.delegation ?? "");
      if (event.type === "delegation-closed" && known !== undefined) this.#whenClosed(known.id);
    });
  }

  async run(): Promise<void> {
    this.#lives.begin();
    await this.#runOn();
    if (this.#world.violations.length > 0) return;
    if (this.#world.isTroubled) await this.#runOnWithoutTrouble();
    if (this.#world.violations.length > 0) return;
    for (const { id, state } of this.#journal.open())
      this.#world.violate("deadlock", `${id} is ${state} and nothing will happen any more`);
    await this.#compare();
    this.#journal.checkTotals();
    this.#branches.atEnd();
  }

  #runOn(): Promise<void> {
    return this.#world.run({
      afterStep: () => this.#afterStep(),
      crash: () => this.#lives.whenDead(),
      idle: () => this.#people.idle(),
    });
  }

  /** What trouble left undone is done by the next runtime. */
  async #runOnWithoutTrouble(): Promise<void> {
    this.#world.endTrouble();
    this.#lives.restart();
    await this.#runOn();
  }

  verify({ firstBad, differingProjections }: ReturnType<typeof verifyJournal>): void {
    if (firstBad !== undefined) this.#world.violate("chain", `event ${firstBad.seq}: ${firstBad.reason}`);
    for (const name of differingProjections)
      this.#world.violate("replay", `the table ${name} is not what the journal gives`);
  }

  result(head: string): CaseResult {
    const known = [...this.#journal.known.values()];
    const outcomes: Record<string, number> = {};
    for (const { outcome, code } of known) {
      const name = `${outcome ?? "open"}${code === null ? "" : ` ${code}`}`;
      outcomes[name] = (outcomes[name] ?? 0) + 1;
    }
    return {
      seed: this.#plan.seed,
      violations: this.#world.violations,
      crashes: this.#world.crashes,
      steps: this.#world.steps,
      events: this.#journal.seq,
      delegations: known.length,
      managers: this.#journal.managers(),
      merges: this.#branches.merges,
      groups: this.#branches.groups,
      refused: this.#journal.refused,
      outcomes,
      head,
      transitions: this.#journal.transitions,
    };
  }

  async #afterStep(): Promise<void> {
    this.#branches.afterStep();
    this.#people.maybeAct();
    if (this.#world.steps % COMPARE_EVERY === 0) await this.#compare();
  }

  async #compare(): Promise<void> {
    for (const id of await this.#store.storyIds({ prefix: "", limit: 100 }))
      this.#journal.compare(await this.#store.storyTree(id));
  }

  /** A story's branch is for people: somebody may add a commit to it at the worst moment. */
  #userMayCommit(ref: string): void {
    const { git } = this.#stage;
    const tip = git.refs.get(ref);
    if (tip === undefined || !ref.startsWith("refs/heads/") || !this.#world.random.chance(USER_COMMIT_SHARE))
      return;
    const files = new Map([...git.filesOf(tip), [`user/${this.#world.steps}`, "mine"]]);
    const to = git.commit({ tree: git.tree(files), parents: [tip], message: "by the user" });
    git.refs.set(ref, to);
    this.#branches.userCommitted(ref, to);
  }

  /** Whoever gets no slot waits for something to change; asking again and again at the same moment is no waiting. */
  #countBegin(id: string): void {
    const key = `${id} ${this.#world.time.monotonicMs()} ${this.#world.generation}`;
    const count = (this.#begins.get(key) ?? 0) + 1;
    this.#begins.set(key, count);
    if (count > MAX_BEGINS)
      this.#world.violate("spin", `${id} asked for its slot ${count} times in one moment`);
  }

  #whenClosed(id: string): void {
    const known = this.#journal.known.get(id);
    if (known === undefined) return;
    this.#branches.closed(known);
    if (this.#cast.isFaithful(id) && formCodes.has(known.code ?? ""))
      this.#world.violate("faithful", `${id} did as it was told and ended with ${known.code ?? ""}`);
  }
}

/** How returns that are none are called. */
const formCodes: ReadonlySet<string> = new Set(["NOT_JSON", "INTERRUPTED", "SESSION_MISMATCH", "TRUNCATED"]);
