import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { startPostgres, type PostgresService } from "../services.ts";
import { buildNext, type NextBuild } from "./build-next.ts";
import { type Cluster, makeCluster } from "./cluster-machines.ts";
import { until } from "./project.ts";
import { cli, runCli, type CliResult } from "./run-cli.ts";

let postgres: PostgresService;
let next: NextBuild;
let cluster: Cluster;
beforeAll(async () => {
  next = buildNext();
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres.stop();
  next.remove();
});
beforeEach(() => {
  cluster = makeCluster({
    url: postgres.url,
    cliOf: (name) => (name.startsWith("next") ? next.cli : cli),
  });
});
afterEach(() => cluster.remove());

const outside = (name: string): string => join(dirname(cluster.project.root), name);
/** The commands of the updated version, on the machine that coordinates. */
const ambitNext = (...words: string[]): Promise<CliResult> =>
  runCli(words, {
    directory: cluster.project.root,
    home: outside("home"),
    environment: { AMBIT_IDLE_MS: "400", AMBIT_CLUSTER_URL: postgres.url },
    program: next.cli,
  });

it("lets a machine of an earlier version end its attempt for an updated coordinator, say so and leave", async () => {
  await cluster.begin();
  const old = await cluster.start("old", "--trust-agents");
  const gate = outside("gate");
  const line = `until test -f ${gate}; do sleep 0.1; done; echo made > made`;
  await cluster.project.ambit(
    "run",
    "Slow",
    "--id",
    "S1",
    "--detach",
    "--check",
    "test -f made",
    "--",
    "sh",
    "-c",
    line,
  );
  await until("it runs", async () => (await cluster.attempts()).includes("S1.1 old"));
  process.kill(await cluster.project.supervisorPid(), "SIGKILL");
  const attached = ambitNext("attach", "S1");
  await until("the machine says so", () =>
    old
      .told()
      .includes(
        "is too old for the coordinator of this project; update it on this machine\nleaving after S1",
      ),
  );
  writeFileSync(gate, "");
  expect([(await attached).status, await old.left]).toEqual([0, 0]);
  expect(await cluster.attempts()).toEqual(["S1.1 old"]);
  await cluster.start("next", "--trust-agents");
  const again = await ambitNext(
    "run",
    "More",
    "--id",
    "S2",
    "--check",
    "test -f more",
    "--",
    "sh",
    "-c",
    "echo more > more",
  );
  expect([again.status, await cluster.attempts()]).toEqual([0, ["S1.1 old", "S2.1 next"]]);
});

it("lets a machine of a later version work for a coordinator of the version before", async () => {
  await cluster.begin();
  await cluster.start("next", "--trust-agents");
  const ran = await cluster.project.ambit(
    "run",
    "Work",
    "--id",
    "S1",
    "--check",
    "test -f made",
    "--",
    "sh",
    "-c",
    "echo made > made",
  );
  expect([ran.status, await cluster.attempts()]).toEqual([0, ["S1.1 next"]]);
  const { machines } = await cluster.project.json("cluster", "status");
  expect(machines).toMatchObject([{ name: "next", version: next.version }]);
});
