import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { delegate, done, shell, write } from "../orchestrator/steps.ts";
import { startPostgres, type PostgresService } from "../services.ts";
import { type Cluster, makeCluster } from "./cluster-machines.ts";
import { until } from "./project.ts";

let postgres: PostgresService;
let programs: string;
let cluster: Cluster;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(() => {
  programs = mkdtempSync(join(tmpdir(), "ambit-programs-"));
  const settings = "  lease: 10\n  pools:\n    gpu: [painter]\n";
  cluster = makeCluster({ url: postgres.url, settings, programs });
});
afterEach(async () => {
  await cluster.remove();
  rmSync(programs, { recursive: true, force: true });
});

const outside = (name: string): string => join(dirname(cluster.project.root), name);

/** An agent whose program only worker machines have. It notes the order in which it was begun. */
function describePainter(): void {
  mkdirSync(programs, { recursive: true });
  const program = join(programs, "codex");
  const noteTitle = `grep -o -m 1 'Paint the [a-z]*' >> ${outside("order")}`;
  writeFileSync(program, `#!/bin/sh\n${noteTitle}\necho x > $$.txt\n`);
  chmodSync(program, 0o755);
  cluster.project.write(
    ".ambit/agents/painter.md",
    "---\nname: painter\nadapter: command\ncommand: [codex]\n---\n",
  );
}

/** One call of an MCP tool from a worker's shell, its answer in a file. */
function callTool(name: string, file: string): object {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } };
  const answered = `until grep -q result ${file} 2>/dev/null; do sleep 0.1; done`;
  return shell(`(printf '%s\\n' '${JSON.stringify(call)}'; ${answered}) | ambit mcp > ${file}`);
}

it("gives work only to machines with its skill, the most urgent first, and lets no other work wait for it (R189)", async () => {
  describePainter();
  cluster.agent("plain", [write("plain.txt", "plain\n"), shell(`touch ${outside("plain")}`), done()]);
  const parts = [
    { description: "Paint the house", agent: "painter", accept: ["`true` exits with code 0"] },
    {
      description: "Paint the fire",
      agent: "painter",
      priority: "high",
      accept: ["`true` exits with code 0"],
    },
    { description: "Sweep", agent: "plain" },
  ];
  const asked = outside("agents.json");
  cluster.agent("lead", { begin: [callTool("list_agents", asked), delegate(parts)], results: [done()] });
  await cluster.begin();
  await cluster.start("w1", "--slots", "1", "--trust-agents");
  await cluster.project.ambit("run", "All", "--id", "S1", "--agent", "lead", "--detach");
  await until("the work that any machine can do is done", () => existsSync(outside("plain")));
  expect(existsSync(outside("order"))).toBe(false);
  const { stdout } = await cluster.project.ambit("explain", "S1-DEL-001");
  expect(stdout).toContain("no machine serves the pool gpu; start ambit worker --pool gpu on one");
  await cluster.start("w2", "--slots", "1", "--trust-agents", "--pool", "gpu,default");
  const ended = await cluster.project.ambit("attach", "S1");
  expect([ended.status, ended.stdout]).toEqual([0, expect.stringContaining("completed")]);
  expect(readFileSync(outside("order"), "utf8")).toBe("Paint the fire\nPaint the house\n");
  const attempts = await cluster.attempts();
  expect(attempts).toEqual(expect.arrayContaining(["S1-DEL-001.1 w2", "S1-DEL-002.1 w2", "S1-DEL-003.1 w1"]));
  expect(JSON.parse(readFileSync(asked, "utf8"))).toMatchObject({
    result: {
      structuredContent: {
        agents: expect.arrayContaining([
          expect.objectContaining({ name: "painter", pool: "gpu", problem: null }),
          expect.objectContaining({ name: "plain", pool: "default" }),
        ]),
        machines: [{ name: "w1", pools: ["default"], slots: 1, free: 0 }],
      },
    },
  });
  expect((await cluster.project.ambit("cluster", "status")).stdout).toContain("pools gpu, default");
  // The coordinator does not have the program and does not need it.
  const sky = ["Paint the sky", "--id", "S2", "--agent", "painter", "--check", "true"];
  const alone = await cluster.project.ambit("run", ...sky);
  expect([alone.status, alone.stderr]).toEqual([0, expect.any(String)]);
  expect(await cluster.attempts()).toContain("S2.1 w2");
});
