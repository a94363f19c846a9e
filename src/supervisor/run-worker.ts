import { setTimeout as delay } from "node:timers/promises";
import { randomBase36 } from "../base/ids.ts";
import { probeSandbox } from "../containment/probe-sandbox.ts";
import type { Offer, Dispatcher } from "../dispatch/open-dispatcher.ts";
import { clusterErrors } from "../errors/cluster.ts";
import { AttemptHost } from "../orchestrator/attempt-host.ts";
import { createRunTools, type OpenRunTools } from "../orchestrator/create-run-tools.ts";
import { MACHINE_PROTOCOL, nameMachineOwner } from "../contract/machine-owner.ts";
import { nameMachineQueue } from "../orchestrator/machine-queue.ts";
import { recoverMachine } from "../orchestrator/recover-machine.ts";
import { learnSecrets } from "../redaction/learn-secrets.ts";
import { readErrorMessage } from "../base/delegation-error.ts";
import { createWorkerHandlers } from "./handlers/worker-handlers.ts";
import { type MachineFigures, type MetricsPlace, MetricsServer } from "./machine/metrics-server.ts";
import { Registration } from "./machine/registration.ts";
import { asProjectOwner } from "./project-lock.ts";
import { SocketServer } from "./socket/socket-server.ts";
import { supervisorFiles } from "./supervisor-files.ts";

export interface WorkerOptions {
  readonly projectRoot: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workerProgram: readonly string[];
  readonly program: readonly string[];
  /** The name of this machine for other machines and people. */
  readonly name: string;
  /** The id of this clone in the cluster. */
  readonly machine: string;
  /** How many attempts it runs at once. */
  readonly slots: number;
  /** The kinds of work it takes. */
  readonly pools: readonly string[];
  /** The address where it answers Prometheus; undefined for none. */
  readonly metrics?: MetricsPlace | undefined;
  /** Whether agents may run without a sandbox. */
  readonly trustsAgents: boolean;
  /** How long attempts may continue after the first request to leave. */
  readonly drainMs: number;
  /** Whether it leaves after one attempt. */
  readonly isOnce: boolean;
  readonly log: (line: string) => void;
  /** See `LeaseParts`; for tests. */
  readonly neverFences?: boolean;
  /** Replaces some of the owners of effects; tests use it to remove a defence. */
  readonly adaptTools?: (tools: OpenRunTools) => OpenRunTools;
}

type Cluster = NonNullable<OpenRunTools["cluster"]>;

const ROOM_MS = 50;
const RETRY_MS = 1000;

/** Runs attempts for the project's coordinator until it is asked to leave. Returns how many it began. */
export async function runWorker(options: WorkerOptions): Promise<number> {
  learnSecrets(options.environment);
  if (!options.trustsAgents && (await probeSandbox()).tier === "none") throw clusterErrors.notIsolated();
  return asProjectOwner(options, () => serve(options));
}

async function serve(options: WorkerOptions): Promise<number> {
  const { name, trustsAgents } = options;
  const incarnation = randomBase36(8);
  const made = await createRunTools({
    ...options,
    owner: nameMachineOwner(name, incarnation),
    socket: supervisorFiles(options.projectRoot).workerSocket,
    watch: () => undefined,
    worker: { trustsAgents },
  });
  const tools = options.adaptTools?.(made) ?? made;
  try {
    const { cluster, sentOutput: output } = tools;
    if (cluster === undefined || output === undefined) throw clusterErrors.hubMissing();
    tools.git.requireRoom();
    await cluster.checkDispatch();
    return await new WorkerMachine(options, { tools, cluster, output, incarnation }).run();
  } finally {
    await tools.closePlaces().catch(() => undefined);
    await tools.close();
  }
}

interface MachineParts {
  readonly tools: OpenRunTools;
  readonly cluster: Cluster;
  readonly output: NonNullable<OpenRunTools["sentOutput"]>;
  readonly incarnation: string;
}

class WorkerMachine {
  readonly #options: WorkerOptions;
  readonly #parts: MachineParts;
  readonly #host: AttemptHost;
  readonly #registration: Registration;
  readonly #disk: DiskWatch;
  #begun = 0;
  #wishes = 0;
  #stopped: Promise<void> | undefined;

  constructor(options: WorkerOptions, parts: MachineParts) {
    const { tools, cluster, output, incarnation } = parts;
    const { name, machine, slots, pools, version, log, neverFences } = options;
    const { machines } = cluster;
    this.#options = options;
    this.#parts = parts;
    this.#disk = new DiskWatch(() => tools.git.requireRoom(), log);
    this.#host = new AttemptHost({
      tools,
      machines,
      refresh: async () => tools.store.refresh?.(),
      log,
      onChange: () => this.#registration.tellChange(),
      keepEveryMs: cluster.keepEveryMs,
      output,
      ...(neverFences === true ? { neverFences } : {}),
    });
    this.#registration = new Registration({
      machines,
      facts: { name, machine, incarnation, slots, version, protocol: MACHINE_PROTOCOL, pools },
      // A machine without room on its disk is full, however many slots it has.
      readUsed: () => (this.#disk.hasRoom() ? this.#host.used : slots),
      onReplaced: () => {
        log(`the name ${name} is closed, or another machine has it now; this one leaves`);
        this.#stopNow();
      },
      onDrain: () => {
        if (this.#wishes === 0) this.#leave();
      },
      onOutdated: () => {
        if (this.#wishes > 0) return;
        log(`ambit ${version} is too old for the coordinator of this project; update it on this machine`);
        this.#leave();
      },
    });
  }

  async run(): Promise<number> {
    const [options, parts] = [this.#options, this.#parts];
    const sockets = new SocketServer(createWorkerHandlers(this.#host, options));
    const metrics = options.metrics && new MetricsServer(options.metrics, () => this.#describe());
    const leave = (): void => this.#leave();
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, leave);
    try {
      await this.#registration.begin();
      for (const id of await recoverMachine(parts.tools, parts.cluster.machines, options.name))
        options.log(`${id}: given back after this machine was ended in the middle of it`);
      await sockets.listen(supervisorFiles(options.projectRoot).workerSocket);
      await metrics?.listen();
      options.log(`${options.name} is ready for ${options.slots} at once`);
      await this.#takeAll();
    } finally {
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, leave);
      await this.#stopped;
      await this.#registration.end();
      await this.#host.close();
      await sockets.close();
      await metrics?.close();
    }
    return this.#begun;
  }

  #describe(): MachineFigures {
    const { name, pools, slots, version } = this.#options;
    const isDraining = this.#wishes > 0;
    return {
      name,
      pool: pools.join(","),
      slots,
      version,
      used: this.#host.used,
      offers: this.#begun,
      isDraining,
    };
  }

  async #takeAll(): Promise<void> {
    const { slots, pools, name, isOnce } = this.#options;
    const loop = {
      hasRoom: () => this.#host.used < slots && this.#disk.hasRoom(),
      start: (offer: Offer) => {
        this.#begun += 1;
        this.#host.start(offer);
      },
      isOver: () => this.#wishes > 0 || (isOnce && this.#begun > 0),
    };
    const { dispatchers } = this.#parts.cluster;
    const queues = [...pools, nameMachineQueue(name)];
    await Promise.all(queues.map((queue) => takeOffers({ ...loop, dispatcher: dispatchers.of(queue) })));
    this.#registration.drain();
    const isLate = delay(this.#options.drainMs, "late", { ref: false });
    if ((await Promise.race([this.#host.whenIdle(), isLate])) === "late") this.#stopNow();
    await this.#stopped;
  }

  /** The first request lets attempts end by themselves, the second one ends them; their work is kept. */
  #leave(): void {
    this.#wishes += 1;
    const running = this.#host.listRunning();
    if (this.#wishes > 1) return this.#stopNow();
    this.#registration.drain();
    this.#options.log(
      running.length === 0 ? "leaving" : `leaving after ${running.join(", ")}; ask again to stop them now`,
    );
  }

  #stopNow(): void {
    this.#wishes += 2;
    this.#stopped ??= this.#host.stopAll();
  }
}

/** Watches whether the disk of this machine has room for another attempt, and reports when that changes. */
class DiskWatch {
  readonly #requireRoom: () => void;
  readonly #log: (line: string) => void;
  #hadRoom = true;

  /** `requireRoom` throws if there is no room. */
  constructor(requireRoom: () => void, log: (line: string) => void) {
    this.#requireRoom = requireRoom;
    this.#log = log;
  }

  hasRoom(): boolean {
    const trouble = this.#findTrouble();
    const hasRoom = trouble === undefined;
    if (this.#hadRoom !== hasRoom)
      this.#log(
        hasRoom
          ? "there is room on the disk again"
          : `no more attempts are taken until there is room: ${trouble}`,
      );
    this.#hadRoom = hasRoom;
    return hasRoom;
  }

  #findTrouble(): string | undefined {
    try {
      this.#requireRoom();
      return undefined;
    } catch (error) {
      return readErrorMessage(error);
    }
  }
}

interface OfferLoop {
  readonly dispatcher: Dispatcher;
  /** Whether one more attempt fits. */
  readonly hasRoom: () => boolean;
  readonly start: (offer: Offer) => void;
  readonly isOver: () => boolean;
}

/**
 * Takes offers while there is room for them, until it is stopped. A machine of several pools does so for each of them at
 * the same time.
 */
async function takeOffers({ dispatcher, hasRoom, start, isOver }: OfferLoop): Promise<void> {
  while (!isOver()) {
    if (!hasRoom()) {
      await delay(ROOM_MS);
      continue;
    }
    const offer = await takeNext(dispatcher);
    if (offer === undefined) continue;
    // The machine was asked to leave while it waited, or is full by now: the offer is taken later, or by others.
    if (isOver() || !hasRoom()) await dispatcher.offer(offer).catch(() => undefined);
    else start(offer);
  }
}

/** The carrier of offers may be unreachable for a while; every offer is made again. */
async function takeNext(dispatcher: Dispatcher): Promise<Offer | undefined> {
  try {
    return await dispatcher.take();
  } catch {
    await delay(RETRY_MS);
    return undefined;
  }
}
