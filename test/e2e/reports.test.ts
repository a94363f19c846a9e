import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/journal/open-store.ts";
import { storeFile } from "../../src/journal/store-file.ts";
import { complete, FakeClock, fillSeedStory, openStory, start } from "../reports/fill-store.ts";
import { ownStoreFile } from "../own-store-file.ts";

const PROGRAM = resolve("dist/cli/main.cjs");
let repository = "";

beforeAll(async () => {
  repository = makeRepository();
  const clock = new FakeClock();
  const store = openStore(ownStoreFile(repository), clock);
  await fillSeedStory(store, clock);
  await store.close();
});

afterAll(() => rmSync(repository, { recursive: true, force: true }));

function makeRepository(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-e2e-reports-")));
  execFileSync("git", ["init", "--quiet", folder]);
  return folder;
}

function temporaryRepository(): string {
  const folder = makeRepository();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function ambit(args: readonly string[], cwd: string = repository, environment: NodeJS.ProcessEnv = {}) {
  const env = { PATH: process.env["PATH"], HOME: cwd, ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd,
    env,
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

const maskAge = ({ stdout, ...answer }: ReturnType<typeof ambit>) => ({
  ...answer,
  stdout: stdout.replaceAll(/\d+h\d\dm ago/g, "some time ago"),
});

function document(args: readonly string[], cwd: string = repository): Readonly<Record<string, unknown>> {
  const { status, stdout } = ambit(["--json", ...args], cwd);
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

describe("the reports of the built program", () => {
  it("print the sources' cost report to the cent (R102, R103, R104)", () => {
    const { status, stdout, stderr } = ambit(["cost", "US-007"]);
    expect({ status, stderr }).toStrictEqual({ status: 0, stderr: "" });
    expect(stdout).toBe(`Story US-007: Add authentication
┌────────────────────────────────────────┬───────────┬────────────┬──────────┐
│ Delegation                             │ Tokens In │ Tokens Out │ Cost USD │
├────────────────────────────────────────┼───────────┼────────────┼──────────┤
│ US-007 (direct)                        │    25,000 │      8,000 │    $2.50 │
│ ├─ US-007-DEL-001 (JWT service)        │    12,500 │      3,200 │    $0.45 │
│ │  └─ US-007-DEL-001-DEL-001 (refresh) │     5,000 │      1,200 │    $0.15 │
│ ├─ US-007-DEL-002 (Login routes)       │    10,000 │      3,000 │    $0.38 │
│ └─ US-007-DEL-003 (Middleware)         │     7,500 │      2,200 │    $0.22 │
├────────────────────────────────────────┼───────────┼────────────┼──────────┤
│ Total                                  │    60,000 │     17,600 │    $3.70 │
└────────────────────────────────────────┴───────────┴────────────┴──────────┘

Depth distribution:
  Depth 0: 1 task  ($2.50)
  Depth 1: 3 tasks ($1.05)
  Depth 2: 1 task  ($0.15)

Delegation overhead: $1.20 (32% of total cost)
Time saved vs sequential: Estimated 65% reduction
`);
  });

  it("fit into a narrow terminal, in ASCII when asked", () => {
    const { stdout } = ambit(["cost", "--ascii"], repository, { COLUMNS: "60" });
    const box = stdout.split("\n").filter((line) => /^[|+]/.test(line));
    expect(new Set(box.map((line) => line.length))).toStrictEqual(new Set([60]));
    expect(stdout).toMatch(/^[\n -~]+$/);
  });

  it("print the cost as CSV", () => {
    const { stdout } = ambit(["cost", "--csv"]);
    expect(stdout.split("\n")[3]).toBe(
      "US-007-DEL-002,US-007,1,Login routes,,completed,10000,3000,0.380000,false",
    );
  });

  it("print the tree as text, JSON, Mermaid and DOT (R98, R99)", () => {
    expect(ambit(["tree"]).stdout).toBe(`US-007: Add authentication (depth=0) [running]
├── US-007-DEL-001: JWT service (depth=1) [completed]
│   └── US-007-DEL-001-DEL-001: refresh (depth=2) [completed]
├── US-007-DEL-002: Login routes (depth=1) [completed]
└── US-007-DEL-003: Middleware (depth=1) [completed]
`);
    expect(JSON.parse(ambit(["tree", "--format", "json"]).stdout)).toMatchObject({ tree: { id: "US-007" } });
    expect(ambit(["tree", "--format", "mermaid"]).stdout).toMatch(
      /^graph TD\n[^]*classDef pending fill:#D3D3D3/,
    );
    expect(ambit(["tree", "--format", "dot"]).stdout).toMatch(/^digraph "US-007" \{\n[^]*\}\n$/);
  });

  it("give statistics and performance under the published keys (R105, R106)", () => {
    expect(document(["stats"])).toStrictEqual({
      schema: "ambit/v1",
      total_delegations: 4,
      max_depth_seen: 2,
      active_delegations: 0,
      max_allowed_depth: 2,
    });
    expect(document(["performance"])).toMatchObject({
      total_delegations: 4,
      completed: 4,
      failed: 0,
      running: 0,
      success_rate: 1,
      avg_duration_ms: 780_000,
      median_duration_ms: 840_000,
      p95_duration_ms: 900_000,
      avg_cost_usd: 0.3,
      total_cost_usd: 1.2,
      avg_tokens_in: 8750,
      avg_tokens_out: 2400,
      worktree_overhead_ms: 125,
      cycle_detection_overhead_ms: expect.any(Number),
      total_overhead_ms: expect.any(Number),
      parallel_efficiency: 0.867,
    });
  });

  it("export the journal in both dialects, the graph and the depths (R91–R97, C34)", () => {
    const folder = temporaryRepository();
    const { status } = ambit(["audit", "--export", "all", "--out", folder]);
    expect(status).toBe(0);
    const text = readFileSync(join(folder, "delegation.jsonl"), "utf8");
    const lines: readonly Record<string, unknown>[] = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const kinds = new Set(lines.map((line) => line["event"] ?? line["status"]));
    expect(kinds).toStrictEqual(
      new Set([
        "delegation_created",
        "delegation_validated",
        "worktree_created",
        "delegation_completed",
        "started",
        "completed",
      ]),
    );
    const graph = JSON.parse(readFileSync(join(folder, "execution_graph.json"), "utf8"));
    expect(graph.edges).toHaveLength(4);
    const depths = JSON.parse(readFileSync(join(folder, "depth_tracker.json"), "utf8"));
    expect(depths.agents["US-007-DEL-001-DEL-001"]).toBe(2);
  });

  it("are the same from a subfolder and from a linked worktree", () => {
    const git = (...args: readonly string[]) =>
      execFileSync("git", args, { cwd: repository, stdio: "ignore" });
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
    git(...identity, "commit", "--quiet", "--allow-empty", "-m", "start");
    const worktree = join(repository, "linked");
    git("worktree", "add", "--quiet", worktree);
    expect(ambit(["tree"], worktree).stdout).toBe(ambit(["tree"]).stdout);
    expect(ambit(["tree"], join(repository, ".git", "..", ".git", "ambit")).stdout).toBe(
      ambit(["tree"]).stdout,
    );
  });

  it("find a change to the journal: exit 1 and the number of the event", async () => {
    const folder = temporaryRepository();
    const store = openStore(ownStoreFile(folder));
    await openStory(store, "US-1", "Story");
    await start(store, "US-1", { description: "part" });
    await store.close();
    expect(document(["audit", "--verify"], folder)).toMatchObject({ valid: true, events: 4 });
    const database = new DatabaseSync(storeFile(folder));
    database.exec("DELETE FROM events WHERE seq = 3");
    database.close();
    const { status, stdout } = ambit(["audit", "--verify"], folder);
    expect(status).toBe(1);
    expect(stdout).toContain("CHAIN_BROKEN");
    expect(stdout).toContain("event 3");
  });
});

describe("ambit status", () => {
  it("gives the same answer on the quick and the full path, and leaves unusual cases to the full one (R143)", () => {
    const lines = [
      ["status"],
      ["status", "--all"],
      ["status", "US-007", "--json"],
      ["list"],
      ["list", "--json"],
    ];
    for (const words of [...lines, ["list", "--open"], ["list", "--limit", "1"]]) {
      const quick = ambit(words);
      // A flag that changes nothing here forces the full path. A minute may end between the two.
      expect(maskAge(quick)).toStrictEqual(maskAge(ambit([...words, "--no-input"])));
      expect(quick.status).toBe(0);
    }
    expect(ambit(["status", "--nonsense"]).stderr).toContain("unknown option");
    expect(ambit(["status", "NO-SUCH"]).stderr).toContain("STORY_NOT_FOUND");
    expect(ambit(["list", "--limit", "x"]).status).toBe(2);
    expect(ambit(["list", "--help"]).stdout).toContain("Usage: ambit list");
  });

  it("answers over a thousand delegations, and leaves the store as it was", async () => {
    const folder = temporaryRepository();
    const store = openStore(ownStoreFile(folder));
    for (let story = 1; story <= 10; story += 1) {
      const id = `US-${String(story).padStart(3, "0")}`;
      await openStory(store, id, `Story ${story}`);
      const requests = Array.from({ length: 100 }, (_, index) => ({ description: `part ${index + 1}` }));
      await store.admit({ parent: id, parentAttempt: 1, requests });
    }
    await store.close();
    const before = readFileSync(storeFile(folder));
    expect(document(["status"], folder)).toMatchObject({
      story: "US-010",
      total_delegations: 100,
      other_open_stories: expect.arrayContaining(["US-001", "US-009"]),
    });
    expect(ambit(["status"], folder).stdout).toMatch(/^Also open: (US-00\d, ){4}US-00\d and 4 more$/m);
    expect(document(["stats"], folder)).toMatchObject({ total_delegations: 1000, active_delegations: 1000 });
    expect(readFileSync(storeFile(folder)).equals(before)).toBe(true);
  });

  it("shows hostile texts without their effect", async () => {
    const folder = temporaryRepository();
    const store = openStore(ownStoreFile(folder));
    await openStory(store, "US-1", "\u001b]0;owned\u0007Title\u202e");
    const { id } = await start(store, "US-1", { description: "a\u001b[2Jb\nc" });
    await complete(store, id);
    await store.close();
    for (const report of [["status"], ["tree"], ["cost"], ["audit"], ["tree", "--format", "dot"]]) {
      const { stdout } = ambit(report, folder);
      expect(stdout).toContain("ab c");
      expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });
});
