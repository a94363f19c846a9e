import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { DelegationError, messageOf } from "../base/delegation-error.ts";
import type { Store } from "../journal/store.ts";
import { runStory, storyOf } from "../orchestrator/pipeline.ts";
import type { RunNotice, RunTools } from "../orchestrator/run-tools.ts";
import type { Client } from "./server.ts";
import { describeRun } from "./story-ending.ts";

interface ActiveRun {
  readonly id: string;
  readonly done: Promise<void>;
  readonly watchers: Set<Client>;
}

const INSIST_MS = 200;

const storyParameter = z.strictObject({ story: z.string() });
const stopParameter = z.strictObject({
  story: z.string(),
  reason: z.string().max(500),
  by: z.string().max(200),
});

/** The stories that run right now, and who watches them. */
export class ProjectRuns {
  readonly #active = new Map<string, ActiveRun>();
  #quiet: () => void = () => undefined;

  /** `action` runs whenever a run has ended. */
  onQuiet(action: () => void): void {
    this.#quiet = action;
  }

  running(): readonly string[] {
    return [...this.#active.keys()];
  }

  /** Begins a story; the client that asked watches it from the first moment. */
  start(tools: RunTools, parameters: unknown, client: Client): { story: string } {
    const id = storyOf(parameters);
    if (this.#active.has(id)) throw alreadyActive(id);
    const watchers = new Set<Client>();
    this.#watch(watchers, client);
    const done = runStory(tools, parameters).then(
      (run) => this.#end(id, describeRun(run)),
      (error: unknown) => this.#end(id, { error: describe(error) }),
    );
    this.#active.set(id, { id, done, watchers });
    return { story: id };
  }

  /** Watches a story that runs; one that has ended answers how. */
  async attach(
    store: Store,
    parameters: unknown,
    client: Client,
  ): Promise<{ running: boolean; outcome: string | null }> {
    const { story } = storyParameter.parse(parameters);
    const active = this.#active.get(story);
    if (active !== undefined) {
      this.#watch(active.watchers, client);
      return { running: true, outcome: null };
    }
    const delegation = await store.delegation(story);
    if (delegation === undefined) throw unknownStory(story);
    return { running: false, outcome: delegation.outcome };
  }

  async stop(store: Store, parameters: unknown): Promise<{ stopping: boolean }> {
    const { story, reason, by } = stopParameter.parse(parameters);
    if (!this.#active.has(story)) return { stopping: false };
    void this.#insist(store, story, { reason, by });
    return { stopping: true };
  }

  /** Leaving with work running: ask all to stop, keep their work, wait for it. */
  async stopAll(store: Store): Promise<void> {
    const why = { reason: "the supervisor is leaving", by: "supervisor" };
    await Promise.all(this.running().map((id) => this.#insist(store, id, why)));
  }

  /** A story that has only just been asked for is not in the store yet: ask until it has ended. */
  async #insist(store: Store, id: string, why: { reason: string; by: string }): Promise<void> {
    for (let run = this.#active.get(id); run !== undefined; run = this.#active.get(id)) {
      await store.requestCancel(id, why.reason, why.by);
      await Promise.race([run.done, delay(INSIST_MS)]);
    }
  }

  tell(notice: RunNotice): void {
    for (const client of this.#active.get(notice.delegation)?.watchers ?? [])
      client.notify(notice.kind, notice);
  }

  #watch(watchers: Set<Client>, client: Client): void {
    watchers.add(client);
    client.onClose(() => watchers.delete(client));
  }

  #end(id: string, result: object): void {
    for (const client of this.#active.get(id)?.watchers ?? [])
      client.notify("ended", { ...result, story: id });
    this.#active.delete(id);
    this.#quiet();
  }
}

function describe(error: unknown): object {
  if (!(error instanceof DelegationError))
    return {
      code: "INTERNAL",
      message: messageOf(error),
      recommendation: "Look at the supervisor's log.",
      recoverable: false,
    };
  const { code, message, recommendation, recoverable } = error;
  return { code, message, recommendation, recoverable };
}

function alreadyActive(id: string): DelegationError {
  return new DelegationError({
    code: "STORY_EXISTS",
    message: `The story ${id} is already running.`,
    recommendation: `Watch it with ambit attach ${id}.`,
  });
}

function unknownStory(id: string): DelegationError {
  return new DelegationError({
    code: "STORY_NOT_FOUND",
    message: `There is no story ${id} in this project.`,
    recommendation: "See what there is with ambit status.",
  });
}
