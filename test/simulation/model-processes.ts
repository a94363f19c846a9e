import type {
  ContainedProcess,
  ExitFacts,
  ExitReason,
  LaunchSpec,
  ProcessRecord,
} from "../../src/containment/contained-process.ts";
import { exitReasonCodes } from "../../src/containment/contained-process.ts";
import type { World } from "./world.ts";

export interface ModelProcess {
  readonly number: number;
  readonly kind: "agent" | "check";
  readonly runId: string;
  readonly delegation: string;
  readonly attempt: number;
  /** The runtime that started it. */
  readonly generation: number;
  isAlive: boolean;
  /** Asked to end, and still there. */
  isStopping: boolean;
}

/** Starts what an agent does; what it awaits never comes once its process is dead. */
export type StartAgent = (process: ModelProcess, spec: LaunchSpec, exit: (code: number) => void) => void;

const ORPHAN_SHARE = 0.3;
const OBEYS_SHARE = 0.6;

/** Every process there is, those that outlived the runtime that started them included. */
export class ModelProcesses {
  readonly all: ModelProcess[] = [];
  readonly #world: World;
  readonly #startAgent: StartAgent;
  readonly #ended: (process: ModelProcess) => void;

  constructor(
    world: World,
    hooks: { readonly startAgent: StartAgent; readonly ended: (process: ModelProcess) => void },
  ) {
    this.#world = world;
    this.#startAgent = hooks.startAgent;
    this.#ended = hooks.ended;
  }

  alive(): readonly ModelProcess[] {
    return this.all.filter(({ isAlive }) => isAlive);
  }

  aliveOf(delegation: string): readonly ModelProcess[] {
    return this.alive().filter((one) => one.delegation === delegation);
  }

  start(made: Pick<ModelProcess, "kind" | "runId" | "delegation" | "attempt">): ModelProcess {
    const { generation } = this.#world;
    const process = { ...made, number: this.all.length + 1, generation, isAlive: true, isStopping: false };
    this.all.push(process);
    return process;
  }

  launch(spec: LaunchSpec, delegation: string): ContainedProcess {
    const attempt = Number(spec.environment["AMBIT_ATTEMPT"]);
    const process = this.start({ kind: "agent", runId: spec.runId, delegation, attempt });
    return new Containment(this.#world, { process, spec, end: (one) => this.end(one) }).open(
      this.#startAgent,
    );
  }

  end(process: ModelProcess): void {
    if (!process.isAlive) return;
    process.isAlive = false;
    this.#world.note(() => `${process.kind} of ${process.delegation} attempt ${process.attempt} has ended`);
    this.#ended(process);
  }

  reap(runId: string): number {
    const found = this.alive().filter((process) => process.runId === runId);
    for (const process of found) this.end(process);
    return found.length;
  }

  /** Most processes die with their owner; some live on until somebody ends them. */
  ownerDied(): void {
    for (const process of this.alive()) if (!this.#world.random.chance(ORPHAN_SHARE)) this.end(process);
  }
}

interface Contained {
  readonly process: ModelProcess;
  readonly spec: LaunchSpec;
  readonly end: (process: ModelProcess) => void;
}

/** One process with its deadlines. They live in the runtime: an orphan has none. */
class Containment {
  readonly #world: World;
  readonly #made: Contained;
  readonly #startedMs: number;
  readonly #timers: number[] = [];
  readonly #exited: Promise<ExitFacts>;
  #tell: (facts: ExitFacts) => void = () => undefined;

  constructor(world: World, made: Contained) {
    this.#world = world;
    this.#made = made;
    this.#startedMs = world.time.monotonicMs();
    this.#exited = new Promise((resolve) => (this.#tell = resolve));
  }

  open(startAgent: StartAgent): ContainedProcess {
    const { process, spec } = this.#made;
    this.#after(spec.limits.timeoutMs, () => this.#kill("timeout"));
    startAgent(process, spec, (code) => this.#exit("exited", code));
    const identity = { bootId: "boot", pid: 1000 + process.number, startTime: process.number };
    const record: ProcessRecord = {
      runId: spec.runId,
      tier: "pid-namespace",
      uid: 0,
      identity,
      cgroup: null,
    };
    return {
      pid: identity.pid,
      identity,
      tier: record.tier,
      record,
      windDown: () => undefined,
      stop: (reason) => this.#stop(reason),
      writeInput: () => false,
      endInput: () => undefined,
      exited: this.#exited,
    };
  }

  #stop(reason: string): Promise<ExitFacts> {
    const { process, spec } = this.#made;
    this.#world.note(() => `stop ${process.delegation}: ${reason}`);
    if (process.isStopping || !process.isAlive) return this.#exited;
    process.isStopping = true;
    if (this.#world.random.chance(OBEYS_SHARE)) this.#soon(() => this.#kill("stopped"));
    else this.#after(spec.limits.graceMs, () => this.#kill("stopped"));
    return this.#exited;
  }

  #kill(reason: ExitReason): void {
    this.#exit(reason, null);
  }

  #exit(reason: ExitReason, code: number | null): void {
    const { process, end } = this.#made;
    if (!process.isAlive) return;
    end(process);
    for (const timer of this.#timers) this.#world.time.clear(timer);
    const facts: ExitFacts = {
      code,
      signal: code === null ? "SIGKILL" : null,
      reason: process.isStopping ? "stopped" : reason,
      errorCode: process.isStopping ? null : exitReasonCodes[reason],
      durationMs: this.#world.time.monotonicMs() - this.#startedMs,
      outputBytes: 0,
      survivors: 0,
    };
    // The runtime that waits for it may be gone.
    if (process.generation === this.#world.generation) this.#soon(() => this.#tell(facts));
  }

  #after(delayMs: number, action: () => void): void {
    this.#timers.push(this.#world.time.set({ owner: "runtime", delayMs, action }));
  }

  #soon(run: () => void): void {
    this.#world.add({ label: `exit of ${this.#made.process.delegation}`, owner: "runtime", run });
  }
}
