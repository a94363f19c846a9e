/**
 * How long a person waits for another machine, on machines that have nothing else to do:
 *   npm run test:cluster-times -- --rounds 30 --dispatch postgres
 * From the opening of a story to the start of its agent, by the journal; and from `ambit stop` to the moment when nothing of the agent's
 * process tree is left, which ignores SIGTERM. Fails when half of the starts take more than 200 ms, or 1 of 100 stops more than 5 s and the grace.
 */
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { makeProject, processesWith, until, type Project } from "../e2e/project.ts";
import { startPostgres, startRedis } from "../services.ts";
import { ChaosMachine } from "./cluster/machine.ts";
import { percentilesOf } from "./percentiles.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "30" },
    dispatch: { type: "string", default: "postgres" },
  },
});

const MAX_START_MS = 200;
const MAX_STOP_MS = 5000;
const GRACE_MS = 1000;
const PLAN = "delegation: {windDown: {graceSeconds: 1}}\n";
/** No other process sleeps for so long. */
const SLEEP_SECONDS = 7_400_000 + process.pid;

process.exitCode = await main();

async function main(): Promise<number> {
  const dispatch = values.dispatch === "redis" ? "redis" : "postgres";
  const [postgres, redis] = await Promise.all([
    startPostgres(),
    dispatch === "redis" ? startRedis() : undefined,
  ]);
  const environment = {
    AMBIT_CLUSTER_URL: postgres.url,
    ...(redis === undefined ? {} : { AMBIT_CLUSTER_REDIS_URL: redis.url }),
  };
  const project = makeProject(environment);
  const machine = await startCluster(project, { dispatch, environment, databaseUrl: postgres.url });
  try {
    return await measure(project);
  } finally {
    await machine.leave();
    await project.remove();
    await Promise.all([postgres.stop(), redis?.stop()]);
  }
}

interface ClusterPlan {
  readonly dispatch: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
}

async function startCluster(project: Project, plan: ClusterPlan): Promise<ChaosMachine> {
  const { dispatch, environment, databaseUrl } = plan;
  const folder = dirname(project.root);
  const hub = join(folder, "hub.git");
  execFileSync("git", ["init", "--quiet", "--bare", hub]);
  project.write("ambit.yaml", `cluster: {hub: ${hub}, dispatch: ${dispatch}}\n${PLAN}`);
  project.git("add", "-A");
  // A project is known by its first commit.
  project.git("commit", "--quiet", "--amend", "-m", `start in ${project.root}`);
  await project.json("cluster", "init");
  const options = { folder, source: project.root, slots: 4, without: undefined, databaseUrl, environment };
  const machine = new ChaosMachine("w1", options);
  await machine.start();
  await until("the machine is there", async () => {
    const { machines } = await project.json("cluster", "status");
    return Array.isArray(machines) && machines.length > 0;
  });
  return machine;
}

async function measure(project: Project): Promise<number> {
  const starts: number[] = [];
  const stops: number[] = [];
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const id = `S${round}`;
    stops.push(await stopOnce(project, id));
    starts.push(await readStart(project, id));
  }
  const [start, stop] = [percentilesOf(starts), percentilesOf(stops)];
  const tell = (what: string, { p50, p99, max }: typeof start): void =>
    console.log(`${what}: p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms, most ${Math.round(max)} ms`);
  console.log(`${values.rounds} stories, offers over ${values.dispatch}`);
  tell("opened to started", start);
  tell("ambit stop to the end of the tree", stop);
  return start.p50 <= MAX_START_MS && stop.p99 <= MAX_STOP_MS + GRACE_MS ? 0 : 1;
}

/** From the command to the moment when the last process of the agent is gone. */
async function stopOnce(project: Project, id: string): Promise<number> {
  const [word, sleep] = [String(SLEEP_SECONDS), `sleep ${SLEEP_SECONDS}`];
  const line = `trap '' TERM; ${sleep} & ${sleep}`;
  await project.ambit("run", "Wait", "--id", id, "--detach", "--", "sh", "-c", line);
  await until("the tree is there", () => processesWith(word) >= 2);
  const began = performance.now();
  const stopped = project.ambit("stop", id);
  await until("the tree is gone", () => processesWith(word) === 0);
  const ms = performance.now() - began;
  await stopped;
  return ms;
}

async function readStart(project: Project, id: string): Promise<number> {
  const { events } = await project.json("logs", id, "--events");
  const times = new Map<string, number>();
  for (const { type, at } of Array.isArray(events) ? events : [])
    times.set(String(type), Date.parse(String(at)));
  return (times.get("attempt-started") ?? Number.NaN) - (times.get("story-opened") ?? Number.NaN);
}
