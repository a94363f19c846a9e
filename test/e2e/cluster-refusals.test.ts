import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { startPostgres, type PostgresService } from "../services.ts";
import { type Cluster, makeCluster } from "./cluster-machines.ts";
import { DroppingPooler, makeDatabase, type OddDatabase, replaceFunction } from "./odd-postgres.ts";
import { until } from "./project.ts";
import { runCli } from "./run-cli.ts";

let postgres: PostgresService;
let database: OddDatabase;
let cluster: Cluster;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  database = await makeDatabase(postgres.url);
  cluster = makeCluster({ url: database.url });
  await cluster.begin();
});
afterEach(async () => {
  await cluster.remove();
  await database.remove();
});

const outside = (name: string): string => join(dirname(cluster.project.root), name);

/** The status, the code and the sentence of a refusal. Anything else, such as a stack, shows in it. */
async function refuse(url: string, root: string, ...words: string[]): Promise<string> {
  const { status, stdout, stderr } = await runCli(words, {
    directory: root,
    home: outside("home"),
    environment: { AMBIT_CLUSTER_URL: url, AMBIT_IDLE_MS: "400" },
  });
  const [sentence = "", next = "", ...rest] = stderr.trimEnd().split("\n");
  const isWhole = stdout === "" && rest.length === 0 && next.startsWith("  next  ");
  return isWhole ? `${status} ${sentence}` : `${status} ${stdout} ${stderr}`;
}

const worker = ["worker", "--trust-agents", "--name", "w9"];
const story = ["run", "Work", "--id", "S9", "--", "true"];

/** The commands that a person may run while the database is unsuitable. Each must be refused. */
async function refuseAll(url: string, expected: RegExp): Promise<void> {
  const fresh = existsSync(outside("fresh")) ? outside("fresh") : cluster.clone("fresh");
  const { root } = cluster.project;
  expect(await refuse(url, root, "cluster", "init")).toMatch(expected);
  expect(await refuse(url, root, "cluster", "status")).toMatch(expected);
  expect(await refuse(url, root, ...story)).toMatch(expected);
  expect(await refuse(url, fresh, "cluster", "init")).toMatch(expected);
  expect(await refuse(url, fresh, "cluster", "import")).toMatch(expected);
  expect(await refuse(url, fresh, ...worker)).toMatch(expected);
  // The clone has not joined the cluster.
  expect(existsSync(join(fresh, ".git", "ambit", "cluster.json"))).toBe(false);
}

async function expectUntouched(): Promise<void> {
  const { machines, events_there: events } = await cluster.project.json("cluster", "status");
  expect([machines, events]).toEqual([[], 0]);
}

it("refuses a database that cannot be reached or is another one, and a user without a role", async () => {
  const [gone, wrong, stranger] = [new URL(database.url), new URL(database.url), new URL(database.url)];
  gone.port = "1";
  await refuseAll(
    gone.href,
    /^6 ✖ CLUSTER_UNREACHABLE {2}PostgreSQL at 127\.0\.0\.1:1\/.* cannot be reached/,
  );
  wrong.pathname = "/nothing_here";
  await refuseAll(wrong.href, /^6 ✖ CLUSTER_UNREACHABLE {2}.*"nothing_here" does not exist/);
  await database.sql(
    "DO $$ BEGIN CREATE ROLE ambit_test_norole LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$",
  );
  stranger.username = "ambit_test_norole";
  await refuseAll(stranger.href, /^6 ✖ CLUSTER_FORBIDDEN {2}PostgreSQL at .* refuses this user/);
  await expectUntouched();
});

it("refuses a server that is too old, a pooler, and a clock that is off", async () => {
  const old = `current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT CASE $1 WHEN 'server_version_num'
    THEN '120005' WHEN 'server_version' THEN '12.5' ELSE pg_catalog.current_setting($1) END $$`;
  const undo = await replaceFunction(database, old);
  await refuseAll(database.url, /^6 ✖ CLUSTER_UNSUITABLE {2}.* it is version 12\.5\.$/);
  await undo();
  const late = `clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
    $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour' $$`;
  const undoLate = await replaceFunction(database, late);
  await refuseAll(
    database.url,
    /^6 ✖ CLUSTER_UNSUITABLE {2}The clock of this machine .* differ by 3\d\d\d s/,
  );
  await undoLate();
  const pooler = new DroppingPooler(database.url);
  await refuseAll(await pooler.listen(), /^6 ✖ CLUSTER_UNSUITABLE {2}.* a pooler drops the settings/);
  await pooler.close();
  await expectUntouched();
});

it("refuses a schema that is newer, and works again after it", async () => {
  await database.sql("UPDATE ambit.meta SET version = version + 900");
  await refuseAll(
    database.url,
    /^6 ✖ STORE_TOO_NEW {2}The journal at .* version 9\d\d; this ambit knows \d+\.$/,
  );
  await database.sql("UPDATE ambit.meta SET version = version - 900");
  await expectUntouched();
});

it("refuses a hub that does not exist, that refuses pushes, or that belongs to another project", async () => {
  const { root } = cluster.project;
  const machine = cluster.clone("fresh");
  const hook = join(cluster.hub, "hooks", "pre-receive");
  const expected =
    /^6 ✖ CLUSTER_HUB_UNREACHABLE {2}The hub .* cannot be used: it refuses what this machine pushes\.$/;
  mkdirSync(dirname(hook), { recursive: true });
  const begins = [false, true];
  for (const isKnown of begins) {
    writeFileSync(hook, "#!/bin/sh\nexit 1\n");
    chmodSync(hook, 0o755);
    expect(await refuse(database.url, machine, ...worker), `known: ${isKnown}`).toMatch(expected);
    expect(await refuse(database.url, root, ...story)).toMatch(expected);
    writeFileSync(hook, "#!/bin/sh\nexit 0\n");
    // From now on the hub knows its project.
    if (!isKnown) await (await cluster.start("w1", "--trust-agents")).kill();
  }
  expect(await refuse(database.url, root, "doctor")).toContain("hub");
  const foreign = outside("foreign.git");
  execFileSync("git", ["init", "--quiet", "--bare", foreign]);
  execFileSync("git", ["-C", root, "push", "--quiet", foreign, "HEAD:refs/ambit/other"]);
  const names = ["-c", "user.name=U", "-c", "user.email=u@example.org"];
  const empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  const git = (...words: string[]): string =>
    execFileSync("git", ["-C", foreign, ...names, ...words], { encoding: "utf8" }).trim();
  git("hash-object", "-t", "tree", "-w", "/dev/null");
  git("update-ref", "refs/ambit/project", git("commit-tree", empty, "-m", "other"));
  for (const [hub, reason] of [
    [outside("nowhere.git"), /cannot be used: /],
    [foreign, /belongs to a project with another history/],
  ] as const) {
    for (const place of [root, machine])
      writeFileSync(join(place, "ambit.yaml"), `cluster:\n  hub: ${hub}\n`);
    for (const said of [
      await refuse(database.url, machine, ...worker),
      await refuse(database.url, root, ...story),
    ]) {
      expect(said).toMatch(/^6 ✖ CLUSTER_HUB_UNREACHABLE {2}/);
      expect(said).toMatch(reason);
    }
  }
});

it("refuses a machine whose project has no journal in the database, and an import into a journal with events", async () => {
  const other = outside("other");
  mkdirSync(other);
  const names = ["-c", "user.name=U", "-c", "user.email=u@example.org"];
  execFileSync("git", ["init", "--quiet", other]);
  execFileSync("git", [...names, "commit", "--quiet", "--allow-empty", "-m", "other"], { cwd: other });
  expect(await refuse(database.url, other, ...worker)).toMatch(
    /^6 ✖ CLUSTER_NO_PROJECT {2}The database at .* no journal/,
  );
  const alone = cluster.clone("alone");
  writeFileSync(join(alone, "ambit.yaml"), "version: 1\n");
  await runCli([...story.slice(0, 4), "--in-process", "--", "true"], {
    directory: alone,
    home: outside("home"),
  });
  const machine = await cluster.start("w1", "--trust-agents");
  await cluster.project.ambit("run", "Work", "--id", "S1", "--", "true");
  const { events_there: events } = await cluster.project.json("cluster", "status");
  expect(await refuse(database.url, alone, "cluster", "import")).toMatch(
    /^1 ✖ CLUSTER_NOT_EMPTY {2}The journal of this project at .* already has \d+ events/,
  );
  expect(await refuse(database.url, alone, "cluster", "init")).toMatch(/^\d ✖ STORE_DIVERGED {2}/);
  expect(await refuse(database.url, alone, ...worker)).toMatch(/^\d ✖ STORE_DIVERGED {2}/);
  expect(existsSync(join(alone, ".git", "ambit", "cluster.json"))).toBe(false);
  expect((await cluster.project.json("cluster", "status"))["events_there"]).toBe(events);
  await machine.kill();
});

it("refuses a damaged note of the cluster, and `cluster init` finds the project's own journal again", async () => {
  const { root } = cluster.project;
  const { project } = await cluster.project.json("cluster", "status");
  writeFileSync(join(root, ".git", "ambit", "cluster.json"), "{");
  expect(await refuse(database.url, root, ...story)).toMatch(/^6 ✖ CLUSTER_NO_PROJECT {2}/);
  expect(await cluster.project.json("cluster", "init")).toMatchObject({ project });
  expect(await cluster.project.json("cluster", "status")).toMatchObject({ project, is_member: true });
});

it("refuses a Redis that does not answer", async () => {
  const machine = cluster.clone("fresh");
  writeFileSync(join(machine, "ambit.yaml"), `cluster:\n  hub: ${cluster.hub}\n  dispatch: redis\n`);
  const { status, stderr } = await runCli(worker, {
    directory: machine,
    home: outside("home"),
    environment: {
      AMBIT_CLUSTER_URL: database.url,
      AMBIT_CLUSTER_REDIS_URL: "redis://:hidden-word@127.0.0.1:1",
    },
  });
  expect(status).toBe(6);
  expect(stderr).toMatch(
    /^✖ CLUSTER_UNREACHABLE {2}Redis at 127\.0\.0\.1:1 cannot be reached: .*\n {2}next {2}/,
  );
  expect(stderr).not.toContain("hidden-word");
});

it("refuses a name in use, a number of slots out of range, and a story with --in-process", async () => {
  const machine = cluster.clone("fresh");
  await cluster.start("w1", "--trust-agents");
  const start = (...flags: string[]): Promise<string> =>
    refuse(database.url, machine, "worker", "--trust-agents", ...flags);
  expect(await start("--name", "w1")).toMatch(
    /^2 ✖ CLUSTER_NAME_TAKEN {2}Another machine .* is called w1\.$/,
  );
  for (const slots of ["0", "65"])
    expect(await start("--slots", slots)).toMatch(/^2 ✖ USAGE {2}.* 1 to 64 .* got/);
  expect(
    await refuse(database.url, cluster.project.root, ...story.slice(0, 4), "--in-process", "--", "true"),
  ).toMatch(/^2 ✖ USAGE {2}Machines of a cluster run this project's work/);
});

it("does not tell an agent where the database is, when a call of it fails", async () => {
  await cluster.start("w1", "--trust-agents");
  const [asks, said, away] = [outside("asks"), outside("said"), outside("away")];
  const call = `ambit delegate --wait 0 --tasks '[{"description":"Help","agent":"command"}]' > ${said}.new 2>&1`;
  const line = `touch ${asks}; until [ -e ${away} ]; do sleep 0.1; done; ${call}; mv ${said}.new ${said}; sleep 60`;
  await cluster.project.ambit("run", "Ask", "--id", "S1", "--detach", "--", "sh", "-c", line);
  await until("the agent runs", () => existsSync(asks));
  await database.sql("ALTER SCHEMA ambit RENAME TO ambit_away");
  writeFileSync(away, "");
  await until("the agent was answered", () => existsSync(said));
  await database.sql("ALTER SCHEMA ambit_away RENAME TO ambit");
  const answer = readFileSync(said, "utf8");
  expect(answer).toContain("journal cannot be used at the moment");
  expect(answer).not.toContain(new URL(database.url).pathname.slice(1));
  await cluster.project.ambit("stop", "S1");
});
