import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { Machines, requireAddress } from "../../src/journal/machines.ts";
import { delegate, done, together, write } from "../orchestrator/steps.ts";
import { startPostgres, startRedis, type PostgresService, type RedisService } from "../services.ts";
import { type Cluster, makeCluster } from "./cluster-machines.ts";
import { makeDatabase } from "./odd-postgres.ts";
import { until } from "./project.ts";

let postgres: PostgresService;
let redis: RedisService;
let cluster: Cluster;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
});
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));
beforeEach(() => {
  cluster = makeCluster({ url: postgres.url });
});
afterEach(() => cluster.remove());

/** The lease of `makeCluster`'s projects. */
const LEASE_MS = 10_000;
const outside = (name: string): string => join(dirname(cluster.project.root), name);
const run = (...words: string[]) => cluster.project.ambit("run", ...words);
const isRunning = (id: string, machine: string) => async (): Promise<boolean> =>
  (await cluster.attempts()).includes(`${id} ${machine}`);
const listHubRefs = (): string =>
  execFileSync("git", ["for-each-ref", "--format=%(refname)"], { cwd: cluster.hub, encoding: "utf8" });

it("runs the parts of a story on two machines at once, and merges them", async () => {
  const signal = outside("signal");
  for (const name of ["left", "right"])
    cluster.agent(name, [together(signal, 2), write(`${name}.txt`, `${name}\n`), done("Done. All of it.")]);
  const parts = ["left", "right"].map((agent) => ({ description: `Part ${agent}`, agent }));
  cluster.agent("lead", [delegate(parts, 50), done("Led. Both are done.")]);
  await cluster.begin();
  const machines = [
    await cluster.start("w1", "--slots", "1", "--trust-agents"),
    await cluster.start("w2", "--slots", "1", "--trust-agents"),
  ];
  const checks = ["--check", "test -f left.txt", "--check", "test -f right.txt"];
  const ran = await run("Both", "--id", "S1", "--agent", "lead", ...checks);
  expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining("completed")]);
  const attempts = await cluster.attempts();
  const ofParts = attempts.filter((text) => text.startsWith("S1-"));
  expect(new Set(ofParts.map((text) => text.split(" ")[1]))).toEqual(new Set(["w1", "w2"]));
  expect(cluster.project.git("show", "ambit/S1:left.txt", "ambit/S1:right.txt")).toBe("left\nright\n");
  expect((await cluster.project.ambit("audit", "--verify")).status).toBe(0);
  await until("the hub keeps nothing of it", () => !listHubRefs().includes("S1"));
  for (const machine of machines) expect(machine.git("status", "--porcelain")).toBe("");
});

it("runs the attempt of a lost machine on another one, also with Redis", async () => {
  await cluster.remove();
  cluster = makeCluster({
    url: postgres.url,
    settings: "  lease: 10\n  dispatch: redis\n",
    environment: { AMBIT_CLUSTER_REDIS_URL: redis.url },
  });
  await cluster.begin();
  const first = await cluster.start("w1", "--trust-agents");
  const gate = outside("gate");
  const line = `touch ${gate}.reached; until test -f ${gate}; do sleep 0.1; done; echo x > made`;
  await run("Wait", "--id", "S1", "--detach", "--check", "test -f made", "--", "sh", "-c", line);
  await until("it runs on the first machine", () => existsSync(`${gate}.reached`));
  await first.kill();
  writeFileSync(gate, "");
  await cluster.start("w2", "--trust-agents");
  const ended = await cluster.project.ambit("attach", "S1");
  expect([ended.status, await cluster.attempts()]).toEqual([0, ["S1.1 w1", "S1.2 w2"]]);
  expect((await cluster.project.ambit("audit", "--verify")).status).toBe(0);
});

it("lets attempts end before a machine leaves; after a second request it keeps their work for the next machine", async () => {
  await cluster.begin();
  const first = await cluster.start("w1", "--trust-agents");
  const gate = outside("gate");
  const line = `if test -f half; then echo whole > made; else echo half > half; touch ${gate}; sleep 600; fi`;
  await run("Twice", "--id", "S1", "--detach", "--check", "test -f made", "--", "sh", "-c", line);
  await until("the first half is there", () => existsSync(gate));
  first.process.kill("SIGTERM");
  await until("it waits for its attempt", () => first.told().includes("leaving after S1"));
  first.process.kill("SIGTERM");
  expect(await first.left).toBe(0);
  await cluster.start("w2", "--trust-agents");
  const ended = await cluster.project.ambit("attach", "S1");
  expect([ended.status, await cluster.attempts()]).toEqual([0, ["S1.1 w1", "S1.2 w2"]]);
  expect(cluster.project.git("show", "ambit/S1:half", "ambit/S1:made")).toBe("half\nwhole\n");
});

it("keeps the lease of a killed machine's attempt until its work is pushed, however long that takes", async () => {
  await cluster.begin();
  const first = await cluster.start("w1", "--trust-agents");
  const gate = outside("gate");
  const line = `if test -f half; then echo whole > made; else echo half > half; touch ${gate}.reached; sleep 600; fi`;
  await run("Half", "--id", "S1", "--detach", "--check", "test -f made", "--", "sh", "-c", line);
  await until("the first half is there", () => existsSync(`${gate}.reached`));
  await first.kill();
  // The hub takes the work only when the lease that the killed process had is over.
  const isWork = `grep -q refs/ambit/work && touch ${gate}.pushing && until test -f ${gate}; do sleep 0.1; done; true`;
  writeFileSync(join(cluster.hub, "hooks/pre-receive"), `#!/bin/sh\n${isWork}\n`, { mode: 0o755 });
  const overMs = Date.now() + LEASE_MS;
  const again = cluster.start("w1", "--trust-agents");
  await until("the work is being pushed", () => existsSync(`${gate}.pushing`));
  await until("the first lease is over", () => Date.now() > overMs);
  writeFileSync(gate, "");
  await again;
  const ended = await cluster.project.ambit("attach", "S1");
  expect([ended.status, await cluster.attempts()]).toEqual([0, ["S1.1 w1", "S1.2 w1"]]);
  expect(JSON.stringify(await cluster.project.json("audit", "S1"))).not.toContain("no heartbeat");
  expect(cluster.project.git("show", "ambit/S1:half", "ambit/S1:made")).toBe("half\nwhole\n");
});

it("starts again after its attempt was given to others, and keeps the files of it in its clone", async () => {
  await cluster.begin();
  const first = await cluster.start("w1", "--trust-agents");
  const gate = outside("gate");
  const line = `test -f ${gate} || { echo half > half; touch ${gate}; sleep 600; }; echo whole > made`;
  await run("Whole", "--id", "S1", "--detach", "--check", "test -f made", "--", "sh", "-c", line);
  await until("the first half is there", () => existsSync(gate));
  await first.kill();
  await until("it is given to others", async () =>
    JSON.stringify(await cluster.project.json("audit", "S1")).includes("no heartbeat"),
  );
  const again = await cluster.start("w1", "--trust-agents");
  const ended = await cluster.project.ambit("attach", "S1");
  expect([ended.status, await cluster.attempts()]).toEqual([0, ["S1.1 w1", "S1.2 w1"]]);
  const kept = again.git("rev-list", "--objects", "--all");
  expect(kept).toMatch(/ half$/m);
});

it("leaves nothing at the hub when it pushes work of a story that has ended meanwhile", async () => {
  await cluster.begin();
  const first = await cluster.start("w1", "--trust-agents");
  const [gate, pushed] = [outside("gate"), outside("pushed")];
  const line = `echo half > half; touch ${gate}; sleep 600`;
  await run("Late", "--id", "S1", "--detach", "--", "sh", "-c", line);
  await until("it runs", () => existsSync(gate));
  first.process.kill("SIGSTOP");
  await until("its machine is given up", async () =>
    JSON.stringify(await cluster.project.json("audit", "S1")).includes("no heartbeat"),
  );
  await cluster.project.ambit("stop", "S1");
  await until("the hub has forgotten it", () => !listHubRefs().includes("S1"));
  const notes = `#!/bin/sh\ngrep refs/ambit/work >> ${pushed}\nexit 0\n`;
  writeFileSync(join(cluster.hub, "hooks/post-receive"), notes, { mode: 0o755 });
  first.process.kill("SIGCONT");
  await until("it was too late", () => existsSync(pushed) && readFileSync(pushed, "utf8").includes("S1"));
  await until("nothing is left", () => !listHubRefs().includes("S1"));
});

it("continues while the coordinator is gone", async () => {
  await cluster.begin();
  await cluster.start("w1", "--trust-agents");
  const gate = outside("gate");
  const line = `until test -f ${gate}; do sleep 0.1; done; echo x > made`;
  await run("Alone", "--id", "S1", "--detach", "--check", "test -f made", "--", "sh", "-c", line);
  await until("it runs", isRunning("S1.1", "w1"));
  expect((await cluster.project.ambit("tree")).stdout).toContain("[running] on w1");
  process.kill(await cluster.project.supervisorPid(), "SIGKILL");
  writeFileSync(gate, "");
  const ended = await cluster.project.ambit("attach", "S1");
  expect([ended.status, await cluster.attempts()]).toEqual([0, ["S1.1 w1"]]);
});

it("stops an attempt on another machine, and keeps its work", async () => {
  await cluster.begin();
  await cluster.start("w1", "--trust-agents");
  const gate = outside("gate");
  const line = `echo half > half; touch ${gate}; sleep 600`;
  await run("Stop", "--id", "S1", "--detach", "--", "sh", "-c", line);
  await until("it runs", () => existsSync(gate));
  await cluster.project.ambit("stop", "S1");
  expect(await cluster.project.json("status", "S1")).toMatchObject({ status: "cancelled" });
  expect(cluster.project.git("show", "delegation/S1:half")).toBe("half\n");
});

it("shows a sandboxed agent nothing of the cluster", async () => {
  const database = await makeDatabase(postgres.url);
  await cluster.remove();
  const address = join(mkdtempSync(join(tmpdir(), "ambit-address-")), "url");
  writeFileSync(address, database.url);
  cluster = makeCluster({ url: "", environment: { AMBIT_CLUSTER_URL_FILE: address } });
  try {
    await cluster.begin();
    const { root } = await cluster.start("w1");
    const [start, end] = splitName(new URL(database.url).pathname);
    // The name of the database is put together inside, so that nothing but a leak shows it.
    const looks = [
      `cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' > seen`,
      `cat ${root}/.git/ambit/cluster.json ${address} >> seen 2>/dev/null`,
      `grep -rIls --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr ${start}"${end}" / > found`,
      "true",
    ].join("; ");
    const ran = await run("Look", "--id", "S1", "--check", "test -f found", "--", "sh", "-c", looks);
    expect(ran.status).toBe(0);
    const seen = cluster.project.git("show", "ambit/S1:seen");
    expect(seen).toContain("AMBIT_RETURN_FILE");
    expect(seen).not.toContain("AMBIT_CLUSTER");
    expect(seen).not.toContain("machine");
    expect(seen).not.toContain(new URL(database.url).pathname);
    expect(cluster.project.git("show", "ambit/S1:found")).toBe("");
  } finally {
    await cluster.remove();
    await database.remove();
    rmSync(dirname(address), { recursive: true });
  }
});

/** A path such as `/ambit_odd_12` as two parts of the name in it. */
function splitName(path: string): readonly [string, string] {
  return [path.slice(1, 7), path.slice(7)];
}

function makeForeignHub(): string {
  const hub = outside("foreign.git");
  const git = (...words: string[]): string =>
    execFileSync("git", ["-C", hub, "-c", "user.name=U", "-c", "user.email=u@example.org", ...words], {
      encoding: "utf8",
    });
  execFileSync("git", ["init", "--quiet", "--bare", hub]);
  const commit = git("commit-tree", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "-m", "other").trim();
  git("update-ref", "refs/ambit/project", commit);
  return hub;
}

it("the doctor checks the database, the machines and the hub of the cluster", async () => {
  await cluster.begin();
  await cluster.start("w1", "--trust-agents");
  const find = async (): Promise<unknown> => (await cluster.project.json("doctor"))["findings"];
  expect(await find()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "cluster", ok: true }),
      expect.objectContaining({ name: "machines", ok: true }),
      expect.objectContaining({ name: "hub", ok: true }),
    ]),
  );
  expect(listHubRefs()).not.toContain("refs/ambit/check");
  rmSync(cluster.hub, { recursive: true });
  expect(await find()).toEqual(expect.arrayContaining([expect.objectContaining({ name: "hub", ok: false })]));
});

it("refuses impossible flags and settings with one sentence", async () => {
  await cluster.begin();
  await cluster.start("w1", "--trust-agents");
  const other = cluster.clone("other");
  const refused = async (...flags: string[]): Promise<string> => {
    const ran = await cluster.project.ambit("-C", other, "worker", "--trust-agents", ...flags);
    return `${ran.status} ${ran.stderr.split("\n")[0]}`;
  };
  expect(await refused("--slots", "0")).toMatch(/^2 .*1 to 64/);
  expect(await refused("--slots", "65")).toMatch(/^2 .*1 to 64/);
  expect(await refused("--name", "a/b")).toMatch(/^2 .*cannot be called/);
  expect(await refused("--name", "w1")).toMatch(/^2 .*is called w1/);
  expect(await refused("--pool", "a b")).toMatch(/^2 .*A pool cannot be called/);
  expect(await refused("--metrics", "9464")).toMatch(/^2 .*not an address/);
  const here = await run("Here", "--id", "S9", "--in-process", "--", "true");
  expect([here.status, here.stderr]).toEqual([2, expect.stringContaining("--in-process")]);
  const yaml = join(other, "ambit.yaml");
  writeFileSync(yaml, "cluster:\n  hub: /nowhere/hub.git\n");
  expect(await refused()).toMatch(/^6 .*hub \/nowhere\/hub.git cannot be used/);
  writeFileSync(yaml, "cluster:\n  hub: https://me:secret@example.org/hub.git\n");
  expect(await refused()).toMatch(/^2 (?!.*secret).*must not hold a password/);
  writeFileSync(yaml, `cluster:\n  hub: ${makeForeignHub()}\n`);
  expect(await refused()).toMatch(/^6 .*another history/);
  writeFileSync(yaml, "version: 1\n");
  expect(await refused()).toMatch(/^6 .*cluster.hub does not name one/);
});

it("pushes the work of an agent that still runs, so that another machine can continue from it", async () => {
  await cluster.remove();
  cluster = makeCluster({ url: postgres.url, settings: "  lease: 10\n  keepEvery: 5\n" });
  await cluster.begin();
  const first = await cluster.start("w1", "--trust-agents");
  const line = `if test -f half; then echo whole > made; else echo half > half; sleep 600; fi`;
  await run("Keep", "--id", "S1", "--detach", "--check", "test -f made", "--", "sh", "-c", line);
  // Work at the hub counts only when the journal names it.
  await until("its work is kept", async () =>
    JSON.stringify(await cluster.project.json("audit", "S1")).includes('"work-kept"'),
  );
  expect(listHubRefs()).toContain("refs/ambit/work/S1");
  await first.kill();
  await cluster.start("w2", "--trust-agents");
  const ended = await cluster.project.ambit("attach", "S1");
  expect([ended.status, await cluster.attempts()]).toEqual([0, ["S1.1 w1", "S1.2 w2"]]);
  expect(cluster.project.git("show", "ambit/S1:half", "ambit/S1:made")).toBe("half\nwhole\n");
});

it("lets a machine that is too old for its coordinator finish its attempts, say so and leave", async () => {
  await cluster.begin();
  const old = await cluster.start("w1", "--trust-agents");
  const { project } = await cluster.project.json("cluster", "status");
  const machines = new Machines(requireAddress({ AMBIT_CLUSTER_URL: postgres.url }), String(project));
  await run("Slow", "--id", "S1", "--detach", "--", "sh", "-c", "sleep 3; echo made > made");
  await until("it runs", isRunning("S1.1", "w1"));
  await machines.ask("w1", "update");
  expect(await old.left).toBe(0);
  await machines.close();
  expect(old.told()).toContain("is too old for the coordinator of this project; update it");
  await until("it is ended", async () => (await cluster.project.json("status", "S1"))["is_over"] === true);
  expect(await cluster.attempts()).toEqual(["S1.1 w1"]);
});

it("lets any machine drain or remove another one", async () => {
  await cluster.begin();
  const [first, second] = [
    await cluster.start("w1", "--trust-agents"),
    await cluster.start("w2", "--trust-agents", "--pool", "gpu"),
  ];
  const { machines } = await cluster.project.json("cluster", "status");
  expect(machines).toMatchObject([
    { name: "w1", pool: "default" },
    { name: "w2", pool: "gpu" },
  ]);
  expect((await cluster.project.ambit("cluster", "drain", "w1")).status).toBe(0);
  expect(await first.left).toBe(0);
  expect((await cluster.project.ambit("cluster", "remove", "w2")).status).toBe(0);
  expect(await second.left).toBe(0);
  const again = await cluster.project.ambit("-C", second.root, "worker", "--name", "w2", "--trust-agents");
  expect([again.status, again.stderr]).toEqual([2, expect.stringContaining("called w2")]);
  const unknown = await cluster.project.ambit("cluster", "drain", "nowhere");
  expect([unknown.status, unknown.stderr]).toEqual([6, expect.stringContaining("nowhere")]);
});
