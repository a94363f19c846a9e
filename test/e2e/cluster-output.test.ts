import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { done, write } from "../orchestrator/steps.ts";
import { startPostgres, type PostgresService } from "../services.ts";
import { type Cluster, makeCluster } from "./cluster-machines.ts";
import { until } from "./project.ts";

let postgres: PostgresService;
let cluster: Cluster;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(() => {
  cluster = makeCluster({ url: postgres.url });
});
afterEach(() => cluster.remove());

const outside = (name: string): string => join(dirname(cluster.project.root), name);
const run = (...words: string[]) => cluster.project.ambit("run", ...words);
const readLogs = async (...words: string[]): Promise<string> =>
  (await cluster.project.ambit("logs", ...words)).stdout;
const logFile = (name: string): string =>
  join(cluster.project.root, ".git", "ambit", "logs", "S1", "attempt-1", name);

async function ask(sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

it("the coordinator shows the output of an agent on another machine, while it runs and afterwards", async () => {
  await cluster.begin();
  await cluster.start("w1", "--trust-agents");
  const gate = outside("gate");
  const line = `echo first; echo trouble >&2; until test -f ${gate}; do sleep 0.1; done; echo last; printf unfinished; touch made`;
  await run("Talk", "--id", "S1", "--detach", "--check", "test -f made", "--", "sh", "-c", line);
  await until("its first line is there", async () => (await readLogs("S1")).includes("first"));
  expect(await readLogs("S1")).not.toContain("last");
  const attached = cluster.project.ambit("attach", "S1");
  const followed = cluster.project.ambit("logs", "-f", "S1");
  writeFileSync(gate, "");
  expect((await attached).stdout).toContain("completed");
  for (const word of ["first", "trouble", "last", "unfinished"])
    expect((await followed).stdout).toContain(word);
  expect(readFileSync(logFile("stdout"), "utf8")).toBe("first\nlast\nunfinished");
  expect(readFileSync(logFile("stderr"), "utf8")).toBe("trouble\n");
  expect(readFileSync(logFile("prompt.md"), "utf8")).toContain("Talk");
  expect(readFileSync(logFile("stdout.times"), "utf8")).toMatch(/^1 \d{13}\n/);
});

it("the coordinator keeps the return of an agent in a sandbox on another machine", async () => {
  cluster.agent("writer", [write("made.txt", "made\n"), done("Made. All of it.")]);
  await cluster.begin();
  await cluster.start("w1");
  const ran = await run("Make", "--id", "S1", "--agent", "writer");
  expect([ran.status, existsSync(logFile("return.json"))]).toEqual([0, true]);
  expect(JSON.parse(readFileSync(logFile("return.json"), "utf8"))).toMatchObject({
    summary: "Made. All of it.",
  });
});

it("the coordinator gets the output from a time in which it was gone", async () => {
  await cluster.begin();
  await cluster.start("w1", "--trust-agents");
  const gate = outside("gate");
  const line = `touch ${gate}.reached; until test -f ${gate}; do sleep 0.1; done; echo alone; touch made`;
  await run("Alone", "--id", "S1", "--detach", "--check", "test -f made", "--", "sh", "-c", line);
  await until("it runs", () => existsSync(`${gate}.reached`));
  process.kill(await cluster.project.supervisorPid(), "SIGKILL");
  writeFileSync(gate, "");
  await until("its line is there", async () => (await readLogs("S1")).includes("alone"));
  expect((await cluster.project.ambit("attach", "S1")).status).toBe(0);
  expect(readFileSync(logFile("stdout"), "utf8")).toBe("alone\n");
});

it("the coordinator gets the output of another machine without that machine's secrets", async () => {
  const secret = "hunter2-hunter2-hunter2";
  await cluster.remove();
  cluster = makeCluster({ url: postgres.url, environment: { DEPLOY_TOKEN: secret } });
  await cluster.begin();
  await cluster.start("w1", "--trust-agents");
  await run("Leak", "--id", "S1", "--", "sh", "-c", `echo token ${secret} end`);
  expect(readFileSync(logFile("stdout"), "utf8")).toMatch(/^token \[.*\] end\n$/);
});

it("the coordinator keeps the beginning and the end of a long output, and says that the middle is missing", async () => {
  await cluster.begin();
  await cluster.start("w1", "--trust-agents");
  // 5.2 MB at once, more than the beginning and the end that are kept.
  const line = `seq -f "%06.0f ${"0".repeat(193)}" 1 26000; touch made`;
  const ran = await run("Long", "--id", "S1", "--check", "test -f made", "--", "sh", "-c", line);
  expect(ran.status).toBe(0);
  const { project } = await cluster.project.json("cluster", "status");
  const [kept] = await ask(
    `SELECT sum(size)::integer AS bytes FROM ambit.output WHERE project = '${String(project)}' AND stream = 'stdout'`,
  );
  expect(Number(kept?.["bytes"])).toBeGreaterThan(2 * 1024 * 1024);
  expect(Number(kept?.["bytes"])).toBeLessThanOrEqual(4 * 1024 * 1024);
  const lines = readFileSync(logFile("stdout"), "utf8").trimEnd().split("\n");
  expect([lines[0]?.slice(0, 6), lines.at(-1)?.slice(0, 6)]).toEqual(["000001", "026000"]);
  expect(lines.filter((text) => text.startsWith("[ambit left out"))).not.toEqual([]);
});
