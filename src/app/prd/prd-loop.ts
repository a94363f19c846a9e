import type { Prd, UserStory } from "../../contract/story.ts";
import { findWeakestProof, type WorkProof } from "../../contract/work-proof.ts";
import { workErrors } from "../../errors/work.ts";
import type { Repository } from "../../workspace/repository.ts";
import { loadConfig } from "../../config/load-config.ts";
import { parseDecimal } from "../../contract/lenient.ts";
import type { FollowedStory } from "../follow/story-ending.ts";
import type { AppContext } from "../project/app-context.ts";
import { openWorkspaces, readStore } from "../project/open-project.ts";
import { describePrediction } from "../run/prediction.ts";
import { startStory, type StartOptions } from "../run/start-story.ts";
import { buildStoryRequest, type StoryOptions } from "../run/story-input.ts";
import { configInput } from "../project/config-input.ts";
import { describeStory } from "./describe-story.ts";
import {
  findProvenTip,
  isDone,
  isProven,
  readKnownRuns,
  type KnownRuns,
  type ProvenTip,
} from "./known-runs.ts";
import { nameBranch } from "./name-branch.ts";
import { readRunResult, type StoryRow } from "./story-row.ts";
import { writePasses } from "./write-passes.ts";

export interface LoopInput {
  readonly file: string;
  readonly prd: Prd;
  readonly options: StoryOptions;
  readonly start: StartOptions;
}

/** The answer of a loop; without `project` a story failed, and the answer begins with how it ended. */
export type LoopAnswer = Partial<FollowedStory> & {
  readonly project?: string;
  readonly branch?: string | null;
  readonly branch_proof?: WorkProof | null;
  readonly merge?: string | null;
  readonly stories: StoryRow[];
};

/** One pass over the stories of a file. */
export class PrdLoop {
  readonly #context: AppContext;
  readonly #input: LoopInput;
  readonly #repository: Repository;
  readonly #rows: StoryRow[] = [];
  readonly #done = new Set<string>();
  /** Proven work of this file that is not merged, oldest first; the last one holds everything. */
  readonly #tips: ProvenTip[] = [];
  #failed: FollowedStory | undefined;

  private constructor(context: AppContext, input: LoopInput, repository: Repository) {
    this.#context = context;
    this.#input = input;
    this.#repository = repository;
  }

  static async open(context: AppContext, input: LoopInput): Promise<PrdLoop> {
    const { repository } = await openWorkspaces(context);
    const options = await limitDepth(context, input.prd, input.options);
    return new PrdLoop(context, { ...input, options }, repository);
  }

  /** Runs what can run. */
  async run(stories: readonly UserStory[]): Promise<LoopAnswer> {
    const todo = await this.#takeDone(stories);
    if (this.#input.start.detach === true && todo.length > 1)
      throw workErrors.cannotDetachFile(todo.length, this.#input.file);
    const watched = watchStops(this.#context);
    for (const story of todo) {
      const because = await this.#findObstacle(story);
      if (because !== undefined) {
        this.#rows.push({ id: story.id, outcome: "skipped", because });
        continue;
      }
      const isGoingOn = await this.#runStory(watched.context, story);
      if (!isGoingOn || watched.isStopped()) break;
    }
    return this.#describeEnd(stories);
  }

  /** Predicts every story, as if all before it passed. Starts and changes nothing. */
  async predict(stories: readonly UserStory[]): Promise<LoopAnswer> {
    const todo = await this.#takeDone(stories, { isDry: true });
    const { planStory } = await import("../run/plan-story.ts");
    let startsFrom = this.#tips.at(-1)?.run ?? null;
    for (const story of todo) {
      const because = await this.#findObstacle(story);
      if (because !== undefined) {
        this.#rows.push({ id: story.id, outcome: "skipped", because });
        continue;
      }
      const { freeId } = await this.#readRuns(story);
      const options = { template: this.#input.start.template, isPreview: true };
      const { prediction } = await planStory(this.#context, this.#buildRequest(story, freeId), options);
      const row = { run: freeId, starts_from: startsFrom, prediction: describePrediction(prediction) };
      this.#rows.push({ id: story.id, outcome: "planned", ...row });
      this.#done.add(story.id);
      startsFrom = freeId;
    }
    return { project: this.#input.prd.project, stories: this.#listRows(stories) };
  }

  /** Lists what is done already, takes its work in the order in which it was completed, and answers what is left. */
  async #takeDone(
    stories: readonly UserStory[],
    { isDry = false }: { readonly isDry?: boolean } = {},
  ): Promise<readonly UserStory[]> {
    const left: UserStory[] = [];
    const completed: { readonly id: string; readonly at: string }[] = [];
    for (const story of stories) {
      const { completed: run } = await this.#readRuns(story);
      if (run !== undefined) completed.push({ id: run.id, at: run.closedAt ?? "" });
      if (!story.passes && (run === undefined || !isDone(run, story))) {
        left.push(story);
        continue;
      }
      this.#done.add(story.id);
      const isPassed = story.passes || (run !== undefined && isProven(run));
      const known = run === undefined ? {} : { run: run.id, proof: run.proof };
      this.#rows.push({ id: story.id, outcome: isPassed ? "passes" : "completed", ...known });
      // Its process ended before it could write it.
      if (isPassed && !story.passes && !isDry) this.#tellProblem(writePasses(this.#input.file, story.id));
    }
    const runs = completed.toSorted((one, other) => (one.at < other.at ? -1 : 1)).map(({ id }) => id);
    for (const run of runs) await this.#takeTip(run, runs);
    return left;
  }

  async #takeTip(run: string, others: readonly string[] = []): Promise<void> {
    const tip = await readStore(this.#context, (reader) =>
      findProvenTip(this.#repository, reader, { run, others }),
    );
    if (tip === undefined) return;
    const before = this.#tips.at(-1)?.holdsSandboxedWork === true;
    this.#tips.push({ ...tip, holdsSandboxedWork: tip.holdsSandboxedWork || before });
  }

  /** Why a story cannot start. */
  async #findObstacle(story: UserStory): Promise<string | undefined> {
    const { userStories } = this.#input.prd;
    for (const id of story.dependencies) {
      if (this.#done.has(id)) continue;
      if (userStories.some((one) => one.id === id)) return `${id} has not passed`;
      const other = await readStore(this.#context, async (reader) => reader?.delegation(id));
      if (other?.outcome !== "completed") return `${id}, on which it depends, is not in this file`;
    }
    const { open } = await this.#readRuns(story);
    return open === undefined ? undefined : `${open.id} is ${open.state} (ambit attach ${open.id})`;
  }

  #readRuns(story: UserStory): Promise<KnownRuns> {
    return readStore(this.#context, (reader) => readKnownRuns(reader, story));
  }

  #buildRequest(story: UserStory, id: string) {
    const { prd, options } = this.#input;
    const described = describeStory(prd, story, options);
    for (const notice of described.notices) this.#context.warn(notice);
    const tip = this.#tips.at(-1);
    const base = tip === undefined ? {} : { base: tip.commit };
    const sandboxed = tip?.holdsSandboxedWork === true ? { holdsSandboxedWork: true } : {};
    return { ...buildStoryRequest({ ...described.story, id }, "S"), ...base, ...sandboxed };
  }

  /** Answers whether the loop goes on. */
  async #runStory(context: AppContext, story: UserStory): Promise<boolean> {
    const { freeId: run } = await this.#readRuns(story);
    const startsFrom = this.#tips.at(-1)?.run ?? null;
    const from = startsFrom === null ? "" : `, from the work of ${startsFrom}`;
    context.progress(`${story.id}: ${story.title}${run === story.id ? "" : ` (${run})`}${from}`);
    const ended = await startStory(context, this.#buildRequest(story, run), this.#input.start);
    const result = await readStore(this.#context, (reader) => readRunResult(reader, run));
    const row = { id: story.id, run, starts_from: startsFrom };
    if (ended.outcome === null) {
      this.#rows.push({ ...row, outcome: "running" });
      this.#failed ??= ended;
      return false;
    }
    this.#rows.push({ ...row, outcome: ended.outcome, ...result });
    if (ended.outcome === "completed") await this.#keepDone(story, run);
    else this.#failed ??= ended;
    return true;
  }

  async #keepDone(story: UserStory, run: string): Promise<void> {
    const { id } = story;
    this.#done.add(id);
    await this.#takeTip(run);
    const { completed } = await this.#readRuns(story);
    if (completed === undefined || isProven(completed)) this.#tellProblem(writePasses(this.#input.file, id));
    else
      this.#context.warn(
        `${id} has no check, so passes was not written. Add acceptanceCriteria and run again.`,
      );
    const { warning } = await nameBranch(this.#repository, this.#input.prd, this.#tips);
    if (warning !== undefined) this.#context.warn(warning);
  }

  #tellProblem(problem: string | undefined): void {
    if (problem !== undefined) this.#context.warn(`passes was not written: ${problem}`);
  }

  /** In the order of the loop; those that passed before are found first. */
  #listRows(stories: readonly UserStory[]): StoryRow[] {
    return stories.flatMap(({ id }) => this.#rows.filter((row) => row.id === id));
  }

  /** The branch is proven as well as the weakest work on it, that of earlier runs included. */
  #findProof(): WorkProof | null {
    const proofs = this.#tips.map(({ run }) => this.#rows.find((row) => row.run === run)?.proof ?? "proven");
    return proofs.length === 0 ? null : findWeakestProof(proofs);
  }

  async #describeEnd(stories: readonly UserStory[]): Promise<LoopAnswer> {
    const { branch } = await nameBranch(this.#repository, this.#input.prd, this.#tips);
    const merge = this.#tips.at(-1)?.run ?? null;
    const end = { branch, branch_proof: this.#findProof(), merge, stories: this.#listRows(stories) };
    const isWhole = this.#rows.every(({ outcome }) => outcome === "passes" || outcome === "completed");
    if (this.#failed !== undefined) return { ...this.#failed, ...end };
    return isWhole ? { project: this.#input.prd.project, ...end } : { ...skippedOnly(this.#rows), ...end };
  }
}

/** Nothing failed now, and yet stories wait for something. */
function skippedOnly(rows: readonly StoryRow[]): Partial<FollowedStory> {
  const first = rows.find(({ outcome }) => outcome === "skipped");
  return {
    story: first?.id ?? "",
    outcome: "blocked",
    summary: `${first?.id} was skipped: ${first?.because}.`,
  };
}

/**
 * A file that was delegated (`metadata.delegationDepth`, or DELEGATION_DEPTH in the shell) has used that many levels: its
 * stories may delegate only as deep as is left (R84).
 */
async function limitDepth(
  context: AppContext,
  { metadata }: Prd,
  options: StoryOptions,
): Promise<StoryOptions> {
  const told = parseDecimal(context.environment["DELEGATION_DEPTH"] ?? "") ?? 0;
  const used = Math.max(metadata?.delegationDepth ?? 0, Math.trunc(told));
  if (used <= 0) return options;
  const { values } = await loadConfig(configInput(context));
  const allowed = options.flags?.maxDepth ?? values.delegation.maxDepth;
  return { ...options, flags: { ...options.flags, maxDepth: Math.max(0, allowed - used) } };
}

/** A person who stops one story does not want the next one to start, even if the story was completed meanwhile. */
function watchStops(context: AppContext): {
  readonly context: AppContext;
  readonly isStopped: () => boolean;
} {
  const { followStory } = context;
  const stops: AbortSignal[] = [];
  if (followStory === undefined) return { context, isStopped: () => false };
  const watching = async (story: string) => {
    const follower = await followStory(story);
    stops.push(follower.stop);
    return follower;
  };
  return {
    context: { ...context, followStory: watching },
    isStopped: () => stops.some(({ aborted }) => aborted),
  };
}
