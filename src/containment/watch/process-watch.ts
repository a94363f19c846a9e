import { redactFile } from "../../redaction/redact-file.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../base/clock.ts";
import type { ContainmentEvent, ExitFacts, ExitReason, LaunchSpec } from "../launcher/contained-process.ts";
import type { FactsFile } from "../launcher/facts-file.ts";
import type { Ending, RunProcess } from "../launcher/run-process.ts";
import type { ProcessTree } from "../processes/process-tree.ts";
import { buildExitFacts } from "./build-exit-facts.ts";
import { type DeadlineAction, type DeadlineState, lookAtDeadlines, startDeadlines } from "./deadlines.ts";
import { DiskWatch } from "./disk-watch.ts";
import { LineTimes } from "./line-times.ts";
import { type OutputFiles, outputStreams } from "./output-files.ts";
import { NestedWatch } from "./nested-watch.ts";
import { ResourceWatch } from "./resource-watch.ts";
import { createSleepClock, type SleepClock } from "./sleep-clock.ts";
import { FileTail, type ReadBudget } from "./tail-file.ts";

export interface WatchParts {
  readonly spec: LaunchSpec;
  readonly clock: Clock;
  readonly run: RunProcess;
  readonly tree: ProcessTree;
  readonly output: OutputFiles;
  readonly facts: FactsFile | null;
}

/** The share of reading in one turn: long enough to keep up, short enough not to be noticed. */
const TURN_BUDGET: ReadBudget = { maxBytes: 1024 * 1024, maxMs: 5 };
/** After a flood, output that is left after this time is not read. */
const FLOOD_DRAIN_MS = 250;
const LOOK_MS = 25;
const SHORTEST_LOOK_MS = 5;
/** About the rate at which one process can write into the page cache. */
const FASTEST_BYTES_PER_MS = 2 * 1024 * 1024;

/** Watches one running tree: output, deadlines, resources. Ends it when it must, and reports how it ended. */
export class ProcessWatch {
  readonly exited: Promise<ExitFacts>;
  readonly #parts: WatchParts;
  readonly #startedMs: number;
  readonly #sleepClock: SleepClock;
  readonly #resources: ResourceWatch;
  readonly #times: LineTimes[] = [];
  readonly #nested: NestedWatch;
  readonly #disk: DiskWatch;
  readonly #tails: readonly FileTail[];
  #deadlines: DeadlineState;
  #timer: NodeJS.Timeout | undefined;
  #reason: ExitReason | undefined;
  #killAtMs: number | undefined;
  #isKilled = false;
  #hasExited = false;
  #hasAskedToWindDown = false;
  #listenerError: unknown;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#startedMs = parts.clock.monotonicMs();
    this.#deadlines = startDeadlines(this.#startedMs);
    this.#sleepClock = createSleepClock(parts.clock);
    this.#resources = new ResourceWatch(parts.spec.limits);
    this.#nested = new NestedWatch(parts.spec.reported ?? []);
    this.#disk = new DiskWatch(parts.spec.limits);
    this.#tails = outputStreams.map((stream) => this.#openFileTail(stream));
    this.exited = new Promise((resolve, reject) => {
      parts.run.onceOver((ending) => {
        this.#finishWatch(ending).then(resolve, reject);
      });
    });
    // A waiting caller still sees the failure; a caller that does not wait must not be ended by it.
    this.exited.catch(() => undefined);
    this.#scheduleCheck();
  }

  windDown(cause: "time" | "caller"): void {
    if (this.#hasAskedToWindDown || this.#reason !== undefined) return;
    this.#hasAskedToWindDown = true;
    this.#emitEvent({ kind: "wind-down-asked", cause });
  }

  /** The first reason stays; a later call may only shorten the grace. */
  endTree(reason: ExitReason, graceMs: number, note = ""): void {
    if (this.#hasExited) return;
    const killAtMs = this.#parts.clock.monotonicMs() + graceMs;
    const isFirst = this.#reason === undefined;
    this.#reason ??= reason;
    this.#killAtMs = Math.min(this.#killAtMs ?? killAtMs, killAtMs);
    if (isFirst && graceMs > 0) {
      this.#emitEvent({ kind: "stop-started", reason, graceMs, note });
      this.#parts.tree.askToEnd();
    }
    if (graceMs === 0) this.#killTree();
  }

  #openFileTail(stream: "stdout" | "stderr"): FileTail {
    const path = this.#parts.output.getPath(stream);
    const times = new LineTimes(path, () => this.#parts.clock.wallMs());
    this.#times.push(times);
    return new FileTail({
      path,
      onLine: (line) => {
        times.noteLine();
        this.#emitEvent({ kind: "line-read", stream, ...line });
      },
      onShrink: () => {
        times.restart();
        this.#emitEvent({ kind: "output-shrunk", stream });
      },
    });
  }

  #scheduleCheck(): void {
    const left = this.#parts.spec.limits.outputMaxBytes - this.#parts.output.writtenBytes;
    const untilFullMs = left / FASTEST_BYTES_PER_MS;
    this.#timer = setTimeout(
      () => this.#checkOnce(),
      Math.min(LOOK_MS, Math.max(SHORTEST_LOOK_MS, untilFullMs)),
    );
  }

  #checkOnce(): void {
    try {
      this.#lookAtOutput();
    } catch (error) {
      this.#giveUpTree(error);
    }
    this.#lookAtResources().catch((error: unknown) => this.#giveUpTree(error));
    void this.#lookForPrograms().catch(() => undefined);
    this.#lookAtDisk().catch((error: unknown) => this.#giveUpTree(error));
    this.#scheduleCheck();
  }

  /** If anything fails in here, the tree is ended, because it would run unwatched. */
  #giveUpTree(error: unknown): void {
    this.#listenerError ??= error;
    this.endTree("stopped", 0, "the watch failed");
  }

  #lookAtOutput(): void {
    const { output, spec, clock } = this.#parts;
    const isActive = this.#resources.takeActivity();
    const hasGrown = output.measureGrowth() || isActive;
    if (output.writtenBytes > spec.limits.outputMaxBytes) this.endTree("output-limit", 0);
    const nowMs = clock.monotonicMs();
    const look = { nowMs, sleptMs: this.#sleepClock(), hasGrown };
    const { state, actions } = lookAtDeadlines(this.#deadlines, look, spec.limits);
    this.#deadlines = state;
    for (const action of actions) this.#actOnDeadline(action);
    if (this.#killAtMs !== undefined && nowMs >= this.#killAtMs) this.#killTree();
    for (const tail of this.#tails) tail.read(TURN_BUDGET);
  }

  #actOnDeadline(action: DeadlineAction): void {
    switch (action.kind) {
      case "gap":
        this.#emitEvent({ kind: "gap-noticed", gapMs: action.gapMs, extendedMs: action.extendedMs });
        return;
      case "warn":
        this.#emitEvent({ kind: "idle-warned", idleMs: action.idleMs });
        return;
      case "wind-down":
        this.windDown("time");
        return;
      case "stop":
        this.endTree(action.reason, this.#parts.spec.limits.graceMs);
    }
  }

  async #lookAtResources(): Promise<void> {
    const excess = await this.#resources.checkLimits(
      this.#parts.tree,
      this.#parts.clock.monotonicMs() - this.#startedMs,
    );
    if (excess === undefined || this.#isKilled || this.#hasExited) return;
    this.#emitEvent({ kind: "limit-exceeded", ...excess });
    this.endTree("resource-limit", 0);
  }

  /** A check that fails reports nothing; the limits do not depend on it. */
  async #lookForPrograms(): Promise<void> {
    const ageMs = this.#parts.clock.monotonicMs() - this.#startedMs;
    for (const command of await this.#nested.findNew(this.#parts.tree, ageMs))
      if (!this.#hasExited) this.#emitEvent({ kind: "program-seen", command });
  }

  /** The tree is asked to finish near the limit, and ended at once above it, because it would write on. */
  async #lookAtDisk(): Promise<void> {
    const { tree, clock } = this.#parts;
    const look = await this.#disk.checkLimit(tree, clock.monotonicMs() - this.#startedMs);
    if (look === undefined || this.#isKilled || this.#hasExited) return;
    if (look.isNear) this.windDown("caller");
    if (look.excess === undefined) return;
    this.#emitEvent({ kind: "limit-exceeded", ...look.excess });
    this.endTree("disk-limit", 0);
  }

  #killTree(): void {
    if (this.#isKilled) return;
    this.#isKilled = true;
    this.#emitEvent({ kind: "kill-started", reason: this.#reason ?? "stopped" });
    this.#parts.tree.killTree();
  }

  async #finishWatch(ending: Ending): Promise<ExitFacts> {
    this.#hasExited = true;
    clearTimeout(this.#timer);
    const { output, tree, facts, spec, clock } = this.#parts;
    const durationMs = clock.monotonicMs() - this.#startedMs;
    const survivors = await tree.settleTree();
    output.measureGrowth();
    if (output.writtenBytes > spec.limits.outputMaxBytes) {
      this.#reason ??= "output-limit";
      await output.truncateTo(spec.limits.outputMaxBytes);
    }
    await this.#drainOutput();
    const launcherFacts = facts?.read();
    facts?.close();
    output.close();
    // Output that was read live was redacted where it was passed on; the files on disk are redacted here
    // (R121).
    for (const stream of outputStreams) await redactFile(output.getPath(stream));
    return buildExitFacts({
      ending,
      launcherFacts,
      limits: spec.limits,
      reason: this.#reason,
      durationMs,
      outputBytes: output.writtenBytes,
      survivors,
      resources: this.#resources,
      listenerError: this.#listenerError,
    });
  }

  /** Delivers all output before it reports the end, except the rest of a flood. */
  async #drainOutput(): Promise<void> {
    const until =
      this.#reason === "output-limit" ? performance.now() + FLOOD_DRAIN_MS : Number.POSITIVE_INFINITY;
    for (const [index, tail] of this.#tails.entries()) {
      let hasMore = true;
      while (hasMore && performance.now() < until) {
        hasMore = tail.read(TURN_BUDGET);
        await nextTurn();
      }
      const stream = outputStreams[index] ?? "stdout";
      if (hasMore) this.#emitEvent({ kind: "output-skipped", stream, bytes: tail.remainingBytes });
      else tail.finish();
      tail.close();
    }
    for (const times of this.#times) times.close();
  }

  #emitEvent(event: ContainmentEvent): void {
    try {
      this.#parts.spec.onEvent(event);
    } catch (error) {
      // A failing listener must not cost us the tree; the exit facts report it.
      this.#listenerError ??= error;
    }
  }
}
