import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { claude, codex, streamAgent, type StreamAction } from "../orchestrator/stream-agent.ts";
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

const HOUR_MS = 3_600_000;

/** An agent of the project that prints what another program would. */
function describe(name: string, adapter: string, actions: readonly StreamAction[]): void {
  const { command } = streamAgent(cluster.project, name, [actions]);
  const lines = ["---", `name: ${name}`, "description: Prints events.", `adapter: ${adapter}`];
  cluster.project.write(
    `.ambit/agents/${name}.md`,
    [...lines, `command: ${JSON.stringify(command)}`, "---", "Work.", ""].join("\n"),
  );
}

it("starts nothing on any machine for a provider that has refused one of them", async () => {
  describe("full", "claude", [claude.begin("s-1"), ...claude.full(HOUR_MS)]);
  describe("other", "codex", [codex.begin, codex.end(10, 0, 1), { done: "Did it. All of it." }]);
  await cluster.begin();
  const first = await cluster.start("w1", "--slots", "1", "--trust-agents");
  const run = (id: string, agent: string, ...flags: string[]) =>
    cluster.project.ambit("run", id, "--id", id, "--agent", agent, ...flags);
  await run("S1", "full", "--detach");
  await until("the provider has refused it", async () =>
    JSON.stringify(await cluster.project.json("audit", "S1")).includes("attempt-retried"),
  );
  // The machine that was refused leaves, but the refusal stays known.
  first.process.kill("SIGTERM");
  await first.left;
  await cluster.start("w2", "--slots", "2", "--trust-agents");
  await run("S2", "full", "--detach");
  expect((await run("S3", "other")).status).toBe(0);
  expect(await cluster.attempts()).toEqual(["S1.1 w1", "S3.1 w2"]);
  const waits = await cluster.project.ambit("explain", "S2");
  expect(waits.stdout).toContain("anthropic");
  // A new coordinator knows it as well.
  process.kill(await cluster.project.supervisorPid(), "SIGKILL");
  expect((await run("S4", "other")).status).toBe(0);
  expect(await cluster.attempts()).toEqual(["S1.1 w1", "S3.1 w2", "S4.1 w2"]);
  for (const id of ["S1", "S2"]) await cluster.project.ambit("stop", id);
});
