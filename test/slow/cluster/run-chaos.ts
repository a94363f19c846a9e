import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism, freemem, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { escapeLiteral } from "pg";
import { findBrokenLink } from "../../../src/journal/cluster.ts";
import { journalEventSchema, type JournalEvent } from "../../../src/contract/journal-event.ts";
import { type PgRows, PgSession } from "../../../src/journal/postgres/pg-session.ts";
import { storeFile } from "../../../src/journal/store-file.ts";
import { runCli, trustEverything } from "../../e2e/run-cli.ts";
import { addressOf } from "../../journal/postgres/cluster-fixture.ts";
import { type OwnPostgres, startOwnPostgres, startPostgres, startRedis } from "../../services.ts";
import { percentilesOf } from "../percentiles.ts";
import { createRandom } from "../random.ts";
import type { Defence } from "./defences.ts";
import { judgeRun } from "./judge.ts";
import { listLosses } from "./judge-losses.ts";
import { ChaosMachine, findProcesses, signalTree } from "./machine.ts";
import { type ChaosPlan, makeChaosProject, PARTS } from "./make-project.ts";
import { listFullTimes, measureRepeats, type RoomSample, type Trouble } from "./repeats.ts";
import type { Disturbance } from "./run-facts.ts";
import { measureStages } from "./stages.ts";
import { UsedCpu } from "./used-cpu.ts";

export interface ChaosOptions extends ChaosPlan {
  readonly killEveryMs: number;
  readonly runMs: number;
  /** How long the last delegations may take after the run. */
  readonly drainMs: number;
  readonly freezes: boolean;
  /** 0: never. */
  readonly killCoordinatorMs: number;
  /** The database is stopped three times, and the hub is away once. */
  readonly hasOutages: boolean;
  readonly seed: number;
  readonly without: Defence | undefined;
}

export interface ChaosResult {
  readonly faults: readonly string[];
  readonly figures: readonly string[];
}

const QUEUE_LOSSES = 3;
const LOSS_MS = 4000;
const DATABASE_OUTAGES = 3;
const DATABASE_AWAY_MS = 10_000;
const HUB_AWAY_MS = 30_000;
/** After a trouble is over: an offer is made again, and machines have connected again. */
const RECOVERY_MS = 10_000;
const SAMPLE_MS = 500;
/** A row of a machine that is there is newer. */
const SEEN_MS = 4000;
/** Beyond the lease, for the loss to be seen, the offer and the start. */
const PROMPT_MS = 5000;
const START_MS = 120_000;
const LOSS_PAUSE_MS = 3;
/** For all events of a run. */
const ANSWER_MS = 60_000;

export async function runChaos(folder: string, options: ChaosOptions): Promise<ChaosResult> {
  const own = options.hasOutages ? await startOwnPostgres() : undefined;
  const [postgres, redis] = await Promise.all([
    own ?? startPostgres(),
    options.dispatch === "redis" ? startRedis() : undefined,
  ]);
  const run = new ChaosRun(folder, options, { database: postgres.url, redis: redis?.url, own });
  try {
    return await run.run();
  } finally {
    await run.stop();
    await Promise.all([postgres.stop(), redis?.stop()]);
  }
}

interface Urls {
  readonly database: string;
  readonly redis: string | undefined;
  /** A database that may be stopped. */
  readonly own: OwnPostgres | undefined;
}

class ChaosRun {
  readonly #options: ChaosOptions;
  readonly #urls: Urls;
  readonly #folder: string;
  readonly #root: string;
  readonly #hub: string;
  readonly #log: string;
  readonly #environment: Record<string, string>;
  readonly #machines: ChaosMachine[] = [];
  /** The database may be away. */
  readonly #session: PgSession;
  readonly #disturbances: Disturbance[] = [];
  readonly #troubles: Trouble[] = [];
  readonly #room: RoomSample[] = [];
  readonly #cpu = { coordinator: new UsedCpu(), machines: new UsedCpu(), harness: new UsedCpu() };
  #peak = { load: 0, usedGiB: 0 };
  readonly #thaws: Disturbance[] = [];
  /** Machines that come back later. */
  readonly #returns: Promise<void>[] = [];
  readonly #over = new AbortController();
  #coordinator: ChildProcess | undefined;
  #coordinatorKills = 0;
  #losses = 0;
  #outages = 0;
  #project = "";
  #isStopped = false;

  constructor(folder: string, options: ChaosOptions, urls: Urls) {
    this.#folder = folder;
    this.#options = options;
    this.#urls = urls;
    this.#root = join(folder, "project");
    this.#hub = join(folder, "hub.git");
    this.#log = join(folder, "said");
    this.#session = new PgSession(addressOf(urls.database), { answerMs: ANSWER_MS });
    this.#environment = {
      AMBIT_CLUSTER_URL: urls.database,
      ...(urls.redis === undefined ? {} : { AMBIT_CLUSTER_REDIS_URL: urls.redis }),
    };
  }

  async run(): Promise<ChaosResult> {
    await this.#prepare();
    const began = Date.now();
    const until = began + this.#options.runMs;
    const ended = this.#keepCoordinating(until);
    await Promise.all(this.#machines.map((machine) => machine.start()));
    await this.#whenWorking();
    const sampling = this.#sampleRoom();
    await this.#disturb(Math.max(until, Date.now() + this.#options.runMs));
    const late = delay(this.#options.drainMs, "late" as const, { ref: false });
    const isLate = (await Promise.race([ended, late])) === "late";
    const faults = isLate ? ["the last delegations did not end in time"] : [];
    this.#isStopped = true;
    await sampling;
    if (isLate && this.#coordinator?.pid !== undefined) signalTree(this.#coordinator.pid, "SIGKILL");
    await Promise.all(
      this.#machines.map((machine) =>
        isLate ? machine.kill().then(() => machine.leave()) : machine.leave(),
      ),
    );
    return this.#judge(faults, Date.now() - began);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#coordinator?.pid !== undefined) signalTree(this.#coordinator.pid, "SIGKILL");
    for (const machine of this.#machines) await machine.kill().then(() => machine.leave());
    await this.#session.close();
  }

  async #prepare(): Promise<void> {
    mkdirSync(this.#root, { recursive: true });
    mkdirSync(join(this.#folder, "home"), { recursive: true });
    execFileSync("git", ["init", "--quiet", "--bare", this.#hub]);
    writeFileSync(this.#log, "");
    makeChaosProject(this.#root, this.#hub, this.#log, this.#options);
    const made = await runCli(["cluster", "init", "--json"], {
      directory: this.#root,
      home: join(this.#folder, "home"),
      environment: { ...trustEverything, ...this.#environment },
    });
    this.#project = String(JSON.parse(made.stdout).project);
    const { slots, without, nodes } = this.#options;
    const environment = { ...this.#environment, CHAOS_PROJECT: this.#project };
    for (let index = 1; index <= nodes; index += 1)
      this.#machines.push(
        new ChaosMachine(`w${index}`, {
          folder: this.#folder,
          source: this.#root,
          slots,
          without,
          databaseUrl: this.#urls.database,
          environment,
        }),
      );
  }

  /** Starts the coordinator again until it has brought everything to an end. */
  async #keepCoordinating(untilMs: number): Promise<void> {
    const { atOnce, without } = this.#options;
    const stories = Math.max(1, Math.round(atOnce / PARTS));
    const order = { root: this.#root, project: this.#project, stories, untilMs, without };
    for (;;) {
      const words = ["--enable-source-maps", process.argv[1] ?? "", "--coordinator", JSON.stringify(order)];
      const child = spawn(process.execPath, words, {
        env: {
          PATH: process.env["PATH"],
          HOME: join(this.#folder, "home"),
          LC_ALL: "C",
          ...trustEverything,
          ...this.#environment,
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const log = createWriteStream(join(this.#folder, "coordinator.log"), { flags: "a" });
      for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
      this.#coordinator = child;
      const [status] = await once(child, "exit");
      this.#coordinator = undefined;
      if (status === 0 || this.#isStopped) return;
    }
  }

  /** Processes take their time to start on a busy machine. */
  async #whenWorking(): Promise<void> {
    const sql = `SELECT 1 FROM ambit.events WHERE project = ${this.#quoted} AND body LIKE '%"delegation-admitted"%' LIMIT 1`;
    for (const end = Date.now() + START_MS; Date.now() < end; await delay(200))
      if ((await this.#ask(sql)).length > 0) return;
  }

  async #disturb(untilMs: number): Promise<void> {
    const { killEveryMs, killCoordinatorMs, freezes, runMs } = this.#options;
    const isOver = (): boolean => Date.now() >= untilMs;
    const every = async (ms: number, act: () => Promise<void>): Promise<void> => {
      if (ms <= 0) return;
      for (await delay(ms); !isOver(); await delay(ms)) await act();
    };
    const random = createRandom(this.#options.seed);
    const disturb = (): Promise<void> => {
      const free = this.#machines.filter(({ isFree }) => isFree);
      if (free.length === 0) return Promise.resolve();
      const machine = random.pick(free);
      if (!freezes) return this.#kill(machine, random.next());
      this.#returns.push(this.#hold(machine, random.chance(0.5)));
      return Promise.resolve();
    };
    const { own } = this.#urls;
    await Promise.all([
      every(killEveryMs, disturb),
      every(killCoordinatorMs, () => this.#killCoordinator()),
      every(runMs / (QUEUE_LOSSES + 1), () => this.#loseQueue()),
      ...(own === undefined
        ? []
        : [
            every(runMs / (DATABASE_OUTAGES + 1.5), () => this.#stopDatabase(own)),
            every(runMs * 0.6, () => this.#hideHub()),
          ]),
    ]);
    this.#over.abort();
    await Promise.all(this.#returns);
    for (const machine of this.#machines) if (!machine.isUp) await machine.start();
  }

  /** It comes back before or after its lease is over. */
  async #kill(machine: ChaosMachine, chance: number): Promise<void> {
    this.#disturbances.push({ name: machine.name, at: Date.now() });
    await machine.kill();
    const pauseMs = chance * 2 * this.#options.leaseSeconds * 1000;
    this.#returns.push(
      delay(pauseMs, undefined, { signal: this.#over.signal }).then(
        () => machine.start(),
        () => undefined,
      ),
    );
  }

  /** Frozen as a whole, or alive without the database, for longer than its lease. */
  async #hold(machine: ChaosMachine, isFrozen: boolean): Promise<void> {
    this.#disturbances.push({ name: machine.name, at: Date.now() });
    if (isFrozen) machine.freeze();
    else machine.cutOff();
    await delay((2 * this.#options.leaseSeconds + 7) * 1000);
    if (isFrozen) this.#thaws.push({ name: machine.name, at: Date.now() });
    if (isFrozen) machine.thaw();
    else machine.reconnect();
  }

  async #killCoordinator(): Promise<void> {
    const child = this.#coordinator;
    if (child?.pid === undefined) return;
    this.#coordinatorKills += 1;
    signalTree(child.pid, "SIGKILL");
    this.#troubles.push({ from: Date.now(), to: Date.now() + RECOVERY_MS });
  }

  async #stopDatabase(own: OwnPostgres): Promise<void> {
    this.#outages += 1;
    const from = Date.now();
    await own.crash();
    await delay(DATABASE_AWAY_MS);
    await own.resume();
    // Leases are judged again after a whole one.
    const leaseMs = this.#options.leaseSeconds * 1000;
    this.#troubles.push({ from, to: Date.now() + leaseMs + RECOVERY_MS });
    // Machines that could not confirm their leases have ended their attempts, as when they are cut off.
    for (const { name } of this.#machines) this.#disturbances.push({ name, at: from });
  }

  async #hideHub(): Promise<void> {
    const from = Date.now();
    renameSync(this.#hub, `${this.#hub}.away`);
    await delay(HUB_AWAY_MS);
    renameSync(`${this.#hub}.away`, this.#hub);
    this.#troubles.push({ from, to: Date.now() + RECOVERY_MS });
  }

  get #quoted(): string {
    return escapeLiteral(this.#project);
  }

  async #ask(sql: string): Promise<PgRows> {
    return (await this.#session.run(sql))[0] ?? [];
  }

  /** What the machines could take, and what this one bears. */
  async #sampleRoom(): Promise<void> {
    const sql = `SELECT name, slots - used AS free FROM ambit.nodes
      WHERE project = ${this.#quoted} AND NOT draining AND ambit.now_ms() - seen_ms < ${SEEN_MS}`;
    for (; !this.#isStopped; await delay(SAMPLE_MS)) {
      const up = new Set(this.#machines.filter(({ isFree }) => isFree).map(({ name }) => name));
      const rows = await this.#ask(sql).catch(() => []);
      const listFree = rows.map((row) =>
        up.has(String(row["name"])) ? Math.max(0, Number(row["free"])) : 0,
      );
      this.#room.push({ at: Date.now(), free: listFree.reduce((sum, free) => sum + free, 0) });
      this.#cpu.coordinator.look(this.#coordinator?.pid);
      this.#cpu.harness.look(process.pid);
      for (const { pid } of this.#machines) this.#cpu.machines.look(pid);
      const usedGiB = (totalmem() - freemem()) / 2 ** 30;
      const [load = 0] = loadavg();
      this.#peak = { load: Math.max(this.#peak.load, load), usedGiB: Math.max(this.#peak.usedGiB, usedGiB) };
    }
  }

  /** What carries offers forgets them all, for some seconds: an offer waits only for a moment. */
  async #loseQueue(): Promise<void> {
    this.#losses += 1;
    const began = Date.now();
    const { redis } = this.#urls;
    const client = redis === undefined ? undefined : new Redis(redis);
    const empty = async (): Promise<unknown> => client?.flushall() ?? this.#ask("DELETE FROM bullmq.job");
    for (const end = Date.now() + LOSS_MS; Date.now() < end; await delay(LOSS_PAUSE_MS))
      // The database may be stopped meanwhile.
      await empty().catch(() => undefined);
    client?.disconnect();
    this.#troubles.push({ from: began, to: Date.now() + RECOVERY_MS });
  }

  async #judge(early: readonly string[], ms: number): Promise<ChaosResult> {
    const wish = {
      file: storeFile(this.#root),
      project: this.#project,
      environment: { AMBIT_CLUSTER_URL: this.#urls.database },
    };
    const broken = await findBrokenLink(wish);
    const { events, hashes } = await this.#readEvents();
    const { limit, leaseSeconds, freezes } = this.#options;
    const disturbances = this.#disturbances;
    const verdict = await judgeRun({
      events,
      hashes,
      limit,
      disturbances,
      root: this.#root,
      clones: this.#machines.map(({ root }) => root),
      hub: this.#hub,
      log: this.#log,
      thaws: this.#thaws,
    });
    const losses = listLosses({ events, disturbances });
    const times = { events, limit, room: this.#room, troubles: this.#troubles };
    const repeats = measureRepeats({ ...times, losses });
    const [prompt, all] = [percentilesOf(repeats.prompt), percentilesOf(repeats.all)];
    const isLateAgain = prompt.p99 > leaseSeconds * 1000 + PROMPT_MS;
    const left = findProcesses(this.#folder);
    const faults = [
      ...early,
      ...(broken === undefined ? [] : [`the chain is broken at ${broken}`]),
      ...verdict.faults,
      ...(isLateAgain ? [`lost attempts with room began again after ${prompt.p99} ms (p99)`] : []),
      ...left.map((pid) => `the process ${pid} is left`),
    ];
    const { stories, delegations, attempts, lost, mostRunning, overlapMs } = verdict;
    const figures = [
      `${stories} stories, ${delegations} delegations, ${attempts} attempts (${lost} lost), ${events.length} events, chain ${broken === undefined ? "whole" : "broken"}, ${Math.round(ms / 1000)} s`,
      `${disturbances.length} machines ${freezes ? "frozen or cut off" : "killed"}, ${this.#coordinatorKills} coordinators killed, offers lost ${this.#losses} times, database stopped ${this.#outages} times`,
      `most at once ${mostRunning} of ${limit}; longest overlap ${overlapMs} ms; lease ${leaseSeconds} s`,
      `lost attempts began again, with room: ${repeats.prompt.length}, p50 ${prompt.p50} ms, p99 ${prompt.p99} ms; all: ${repeats.all.length}, p50 ${all.p50} ms, p99 ${all.p99} ms`,
      ...measureStages({ events, log: this.#log, full: listFullTimes(times) }),
      `processor time: coordinator ${Math.round(this.#cpu.coordinator.ms / delegations)} ms per delegation, machines ${Math.round(this.#cpu.machines.ms / attempts)} ms per attempt, harness ${Math.round(this.#cpu.harness.ms / 1000)} s`,
      `load up to ${this.#peak.load.toFixed(0)} on ${availableParallelism()} cores, memory up to ${this.#peak.usedGiB.toFixed(1)} GiB`,
    ];
    return { faults, figures };
  }

  async #readEvents(): Promise<{ events: readonly JournalEvent[]; hashes: ReadonlyMap<number, string> }> {
    const rows = await this.#ask(
      `SELECT seq, hash, body FROM ambit.events WHERE project = ${this.#quoted} ORDER BY seq`,
    );
    return {
      events: rows.map((row) => journalEventSchema.parse(JSON.parse(String(row["body"])))),
      hashes: new Map(rows.map((row) => [Number(row["seq"]), String(row["hash"])])),
    };
  }
}
