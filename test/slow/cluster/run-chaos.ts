import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { Client } from "pg";
import { findBrokenLink } from "../../../src/journal/cluster.ts";
import { journalEventSchema, type JournalEvent } from "../../../src/contract/journal-event.ts";
import { storeFile } from "../../../src/journal/store-file.ts";
import { runCli, trustEverything } from "../../e2e/run-cli.ts";
import { startPostgres, startRedis } from "../../services.ts";
import { percentilesOf } from "../percentiles.ts";
import { createRandom } from "../random.ts";
import type { Defence } from "./defences.ts";
import { judgeRun } from "./judge.ts";
import { ChaosMachine, findProcesses, signalTree } from "./machine.ts";
import { type ChaosPlan, makeChaosProject, PARTS } from "./make-project.ts";

export interface ChaosOptions extends ChaosPlan {
  readonly killEveryMs: number;
  readonly runMs: number;
  /** How long the last delegations may take after the run. */
  readonly drainMs: number;
  readonly freezes: boolean;
  /** 0: never. */
  readonly killCoordinatorMs: number;
  readonly seed: number;
  readonly without: Defence | undefined;
}

export interface ChaosResult {
  readonly faults: readonly string[];
  readonly figures: readonly string[];
}

const QUEUE_LOSSES = 3;
const LOSS_MS = 4000;
const START_MS = 120_000;
const LOSS_PAUSE_MS = 3;

export async function runChaos(folder: string, options: ChaosOptions): Promise<ChaosResult> {
  const [postgres, redis] = await Promise.all([
    startPostgres(),
    options.dispatch === "redis" ? startRedis() : undefined,
  ]);
  const run = new ChaosRun(folder, options, { database: postgres.url, redis: redis?.url });
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
  readonly #client: Client;
  readonly #kills: { name: string; at: number }[] = [];
  readonly #thaws: number[] = [];
  /** Machines that come back later. */
  readonly #returns: Promise<void>[] = [];
  readonly #over = new AbortController();
  #coordinator: ChildProcess | undefined;
  #coordinatorKills = 0;
  #losses = 0;
  #project = "";
  #isStopped = false;

  constructor(folder: string, options: ChaosOptions, urls: Urls) {
    this.#folder = folder;
    this.#options = options;
    this.#urls = urls;
    this.#root = join(folder, "project");
    this.#hub = join(folder, "hub.git");
    this.#log = join(folder, "said");
    this.#client = new Client({ connectionString: urls.database });
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
    await this.#disturb(Math.max(until, Date.now() + this.#options.runMs));
    const late = delay(this.#options.drainMs, "late" as const, { ref: false });
    const isLate = (await Promise.race([ended, late])) === "late";
    const faults = isLate ? ["the last delegations did not end in time"] : [];
    this.#isStopped = true;
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
    await this.#client.end().catch(() => undefined);
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
    await this.#client.connect();
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
    const sql = `SELECT 1 FROM ambit.events WHERE project = $1 AND body LIKE '%"delegation-admitted"%' LIMIT 1`;
    for (const end = Date.now() + START_MS; Date.now() < end; await delay(200))
      if ((await this.#client.query(sql, [this.#project])).rows.length > 0) return;
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
      const up = this.#machines.filter(({ isUp }) => isUp);
      if (up.length === 0) return Promise.resolve();
      const machine = random.pick(up);
      return freezes ? this.#hold(machine, random.chance(0.5)) : this.#kill(machine, random.next());
    };
    await Promise.all([
      every(killEveryMs, disturb),
      every(killCoordinatorMs, () => this.#killCoordinator()),
      every(runMs / (QUEUE_LOSSES + 1), () => this.#loseQueue()),
    ]);
    this.#over.abort();
    await Promise.all(this.#returns);
    for (const machine of this.#machines) if (!machine.isUp) await machine.start();
  }

  /** It comes back before or after its lease is over. */
  async #kill(machine: ChaosMachine, chance: number): Promise<void> {
    this.#kills.push({ name: machine.name, at: Date.now() });
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
    this.#kills.push({ name: machine.name, at: Date.now() });
    if (isFrozen) machine.freeze();
    else machine.cutOff();
    await delay((2 * this.#options.leaseSeconds + 7) * 1000);
    if (isFrozen) this.#thaws.push(Date.now());
    if (isFrozen) machine.thaw();
    else machine.reconnect();
  }

  async #killCoordinator(): Promise<void> {
    const child = this.#coordinator;
    if (child?.pid === undefined) return;
    this.#coordinatorKills += 1;
    signalTree(child.pid, "SIGKILL");
  }

  /** What carries offers forgets them all, for some seconds: an offer waits only for a moment. */
  async #loseQueue(): Promise<void> {
    this.#losses += 1;
    const { redis } = this.#urls;
    const client = redis === undefined ? undefined : new Redis(redis);
    const empty = async (): Promise<unknown> =>
      client?.flushall() ?? this.#client.query("DELETE FROM bullmq.job");
    for (const end = Date.now() + LOSS_MS; Date.now() < end; await delay(LOSS_PAUSE_MS)) await empty();
    client?.disconnect();
  }

  async #judge(early: readonly string[], ms: number): Promise<ChaosResult> {
    const wish = {
      file: storeFile(this.#root),
      project: this.#project,
      environment: { AMBIT_CLUSTER_URL: this.#urls.database },
    };
    const broken = await findBrokenLink(wish);
    const events = await this.#readEvents();
    const { limit } = this.#options;
    const facts = { events, root: this.#root, hub: this.#hub, log: this.#log, limit, thaws: this.#thaws };
    const verdict = judgeRun(facts);
    const left = findProcesses(this.#folder);
    const faults = [
      ...early,
      ...(broken === undefined ? [] : [`the chain is broken at ${broken}`]),
      ...verdict.faults,
      ...left.map((pid) => `the process ${pid} is left`),
    ];
    const again = percentilesOf(this.#measureRepeats(events));
    const { stories, delegations, attempts, lost, mostRunning, overlapMs } = verdict;
    const figures = [
      `${stories} stories, ${delegations} delegations, ${attempts} attempts (${lost} lost), ${events.length} events, chain ${broken === undefined ? "whole" : "broken"}, ${Math.round(ms / 1000)} s`,
      `${this.#kills.length} machines ${this.#options.freezes ? "frozen or cut off" : "killed"}, ${this.#coordinatorKills} coordinators killed, offers lost ${this.#losses} times`,
      `most at once ${mostRunning} of ${limit}; longest overlap ${overlapMs} ms; lost attempts began again after p50 ${again.p50} ms, p99 ${again.p99} ms (lease ${this.#options.leaseSeconds} s)`,
    ];
    return { faults, figures };
  }

  async #readEvents(): Promise<readonly JournalEvent[]> {
    const { rows } = await this.#client.query(
      "SELECT body FROM ambit.events WHERE project = $1 ORDER BY seq",
      [this.#project],
    );
    return rows.map(({ body }) => journalEventSchema.parse(JSON.parse(body)));
  }

  /** From the loss of a machine to the next attempt of what it had. */
  #measureRepeats(events: readonly JournalEvent[]): readonly number[] {
    const times: number[] = [];
    const running = new Map<string, string>();
    const lostAt = new Map<string, number>();
    for (const { type, delegation, data, at } of events) {
      if (delegation === null) continue;
      const ms = Date.parse(at);
      if (type === "attempt-started") {
        const kill = lostAt.get(delegation);
        if (kill !== undefined) times.push(ms - kill);
        lostAt.delete(delegation);
        running.set(delegation, /^machine (.*)\/[^/]*$/.exec(data.owner)?.[1] ?? "");
      }
      if (type !== "attempt-lost") continue;
      const machine = running.get(delegation);
      const kill = this.#kills.findLast(({ name, at: killed }) => name === machine && killed <= ms);
      if (kill !== undefined) lostAt.set(delegation, kill.at);
    }
    return times;
  }
}
