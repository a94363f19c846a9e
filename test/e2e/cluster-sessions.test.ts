import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { claude, streamAgent, type StreamAgent } from "../orchestrator/stream-agent.ts";
import { startPostgres, type PostgresService } from "../services.ts";
import { type Cluster, makeCluster, type WorkerMachine } from "./cluster-machines.ts";
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

/** An agent whose provider refuses its first run for a while, because the account is at its limit. */
function describeTwice(name: string, retryMs: number): StreamAgent {
  const agent = streamAgent(cluster.project, name, [
    [claude.begin("s-1"), ...claude.full(retryMs)],
    [claude.begin("s-2"), claude.end({ input: 100, output: 10, usd: 0.001 }), { done: "Did it. All of it." }],
  ]);
  const lines = ["---", `name: ${name}`, "description: Prints events.", "adapter: claude"];
  cluster.project.write(
    `.ambit/agents/${name}.md`,
    [...lines, `command: ${JSON.stringify(agent.command)}`, "---", "Work.", ""].join("\n"),
  );
  return agent;
}

/** The workspaces of the story on a machine; others are kept ready for any work. */
const listPlaces = ({ git }: WorkerMachine): readonly string[] =>
  git("worktree", "list", "--porcelain")
    .split("\n")
    .filter((line) => line.startsWith("worktree ") && line.endsWith("/S1"));

it("a repeated attempt resumes the agent's session, on the machine that has it", async () => {
  const agent = describeTwice("twice", 1000);
  await cluster.begin();
  const both = [await cluster.start("w1", "--trust-agents"), await cluster.start("w2", "--trust-agents")];
  const ran = await cluster.project.ambit("run", "Twice", "--id", "S1", "--agent", "twice");
  expect(ran.status).toBe(0);
  const machines = (await cluster.attempts()).map((text) => text.split(" ")[1]);
  expect([machines.length, new Set(machines).size]).toEqual([2, 1]);
  expect([agent.runs()[0], agent.runs()[1]]).toEqual([
    expect.not.stringContaining("--resume"),
    expect.stringContaining("--resume s-1"),
  ]);
  // Ended work leaves no workspace behind.
  await until("its workspace is gone", () => both.flatMap(listPlaces).length === 0);
});

it("a repeated attempt starts a new session on another machine if the first machine has left", async () => {
  const agent = describeTwice("twice", 5000);
  await cluster.begin();
  const first = await cluster.start("w1", "--trust-agents");
  await cluster.project.ambit("run", "Twice", "--id", "S1", "--agent", "twice", "--detach");
  await until("it was refused", async () =>
    JSON.stringify(await cluster.project.json("audit", "S1")).includes("attempt-retried"),
  );
  expect(listPlaces(first)).not.toEqual([]);
  first.process.kill("SIGTERM");
  expect(await first.left).toBe(0);
  expect(listPlaces(first)).toEqual([]);
  await cluster.start("w2", "--trust-agents");
  const ended = await cluster.project.ambit("attach", "S1");
  expect([ended.status, await cluster.attempts()]).toEqual([0, ["S1.1 w1", "S1.2 w2"]]);
  expect(agent.runs()[1]).not.toContain("--resume");
});
