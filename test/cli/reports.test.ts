import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/journal/open-store.ts";
import { storeFile } from "../../src/journal/store-file.ts";
import type { Store } from "../../src/journal/store.ts";
import { FakeClock, fillSeedStory, openStory, start } from "../reports/fill-store.ts";
import { runInProcess } from "./run-in-process.ts";
import { listFiles, temporaryFolder, temporaryRepository } from "./temporary-folder.ts";
import { ownStoreFile } from "../own-store-file.ts";

async function filledRepository(fill: (store: Store, clock: FakeClock) => Promise<void>): Promise<string> {
  const directory = temporaryRepository();
  const clock = new FakeClock();
  const store = openStore(ownStoreFile(directory), clock);
  await fill(store, clock);
  await store.close();
  return directory;
}

async function run(directory: string, args: readonly string[], environment = {}) {
  return runInProcess(args, { directory, environment });
}

async function json(directory: string, args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await run(directory, ["--json", ...args]);
  return JSON.parse(stdout);
}

const reports = [
  ["status"],
  ["stats"],
  ["performance"],
  ["cost"],
  ["cost", "--csv"],
  ["tree"],
  ["tree", "--format", "json"],
  ["tree", "--format", "mermaid"],
  ["tree", "--format", "dot"],
  ["tree", "@last"],
  ["audit"],
  ["audit", "@last"],
  ["audit", "--verify"],
  ["audit", "--rebuild"],
  ["audit", "--export", "all"],
] as const;

describe.each(reports.map((words) => [words.join(" "), words] as const))("ambit %s", (_name, words) => {
  it("gives a helpful answer and creates nothing if nothing was delegated", async () => {
    const directory = temporaryRepository();
    const before = listFiles(directory);
    const { exitCode, stdout, stderr } = await run(directory, words);
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/\S/);
    expect(await json(directory, words)).toMatchObject({ schema: "ambit/v1" });
    expect(listFiles(directory)).toStrictEqual(before);
  });

  it("is refused outside a repository with exit 6", async () => {
    const { exitCode, stdout, stderr } = await run(temporaryFolder(), words);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 6, stdout: "" });
    expect(stderr).toMatch(/^✖ NOT_A_REPOSITORY {2}\S/);
  });
});

describe("ids", () => {
  async function twoStories(): Promise<string> {
    return filledRepository(async (store, clock) => {
      await fillSeedStory(store, clock);
      await openStory(store, "US-070", "Newest");
    });
  }

  it.each([
    ["left out", [], "US-070: Newest"],
    ["@last", ["@last"], "US-070: Newest"],
    ["a whole id", ["US-007"], "US-007: Add authentication"],
    ["a beginning that fits one story", ["US-00"], "US-007: Add authentication"],
    ["a delegation", ["US-007-DEL-002"], "US-007-DEL-002: Login routes"],
    ["a beginning of one delegation", ["US-007-DEL-001-"], "US-007-DEL-001-DEL-001: refresh"],
  ])("may be %s", async (_name, words, first) => {
    const { exitCode, stdout } = await run(await twoStories(), ["tree", ...words]);
    expect(exitCode).toBe(0);
    expect(stdout.startsWith(first)).toBe(true);
  });

  it("select the manager rather than its workers if both match", async () => {
    const directory = await filledRepository(async (store) => {
      await openStory(store, "US-1", "Story");
      const { id } = await start(store, "US-1", { description: "manager" });
      await start(store, id, { description: "worker" });
    });
    const { stdout } = await run(directory, ["tree", "US-1-DEL-0"]);
    expect(stdout.startsWith("US-1-DEL-001: manager")).toBe(true);
  });

  it.each([
    ["US-0", 'USAGE  "US-0" fits more than one id: US-007, US-070'],
    ["US-007-DEL-00", "USAGE"],
    ["US-9", 'STORY_NOT_FOUND  No story or delegation here begins with "US-9".'],
    ["us-007", "STORY_NOT_FOUND"],
    ["\u001b[31m", "STORY_NOT_FOUND"],
  ])("are refused with exit 2 if %j matches none or several", async (word, message) => {
    const { exitCode, stderr } = await run(await twoStories(), ["cost", "--", word]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`✖ ${message}`);
    expect(stderr).not.toContain("\u001b");
  });

  it("are refused with exit 2 if a story is named and there is no store", async () => {
    const { exitCode, stderr } = await run(temporaryRepository(), ["cost", "US-1"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("STORY_NOT_FOUND");
  });
});

describe("ambit status", () => {
  it("names other stories with open work", async () => {
    const directory = await filledRepository(async (store, clock) => {
      await fillSeedStory(store, clock);
      await openStory(store, "US-070", "Newest");
    });
    const { stdout } = await run(directory, ["status"]);
    expect(stdout).toContain("Also open: US-007");
    expect(await json(directory, ["status"])).toMatchObject({
      story: "US-070",
      other_open_stories: ["US-007"],
    });
  });
});

describe("ambit stats", () => {
  it("reads the allowed depth from the configuration (R105)", async () => {
    const directory = await filledRepository(fillSeedStory);
    writeFileSync(join(directory, "ambit.yaml"), "delegation:\n  maxDepth: 3\n");
    expect(await json(directory, ["stats"])).toStrictEqual({
      schema: "ambit/v1",
      total_delegations: 4,
      max_depth_seen: 2,
      active_delegations: 0,
      max_allowed_depth: 3,
    });
    const { stdout } = await run(directory, ["stats"], { MAX_DELEGATION_DEPTH: "1" });
    expect(stdout).toMatch(/^max allowed depth\s+1$/m);
  });
});

describe("ambit performance", () => {
  it("groups by agent, and gives the same figures as a table for spreadsheets (R106, R192)", async () => {
    const directory = await filledRepository(fillSeedStory);
    const { groups } = await json(directory, ["performance", "--by", "agent"]);
    expect(groups).toMatchObject([
      { group: "", total_delegations: 3, success_rate: 1, total_cost_usd: 0.75 },
      { group: "implementer", total_delegations: 1, median_duration_ms: 900_000, total_cost_usd: 0.45 },
    ]);
    const { stdout } = await run(directory, ["performance", "--by", "agent"]);
    expect(stdout.split("\n").map((line) => line.trimEnd())).toStrictEqual([
      "agent        delegations  success    p50     p95     attempts  tokens  cost",
      "(no agent)   3            100% of 3  14m00s  14m00s  1         28,900  $0.75",
      "implementer  1            100% of 1  15m00s  15m00s  1         15,700  $0.45",
    ]);
    const csv = await run(directory, ["performance", "--by", "day", "--csv"]);
    expect(csv.stdout).toMatch(/^group,total_delegations,.*\n2026-01-20,4,0,4,/);
    const all = await run(directory, ["performance", "--csv"]);
    expect(all.stdout).toMatch(/^total_delegations,completed,.*\n4,4,/);
  });

  it("writes figures for people in words and with their units", async () => {
    const directory = await filledRepository(fillSeedStory);
    const { stdout } = await run(directory, ["performance"]);
    expect(stdout).toMatch(/^success rate {2,}100%$/m);
    expect(stdout).toMatch(/^average duration {2,}\d+m\d\ds$/m);
    expect(stdout).toMatch(/^95th percentile of duration {2,}15m00s$/m);
    expect(stdout).toMatch(/^total cost {2,}\$1\.20$/m);
    expect(stdout).toMatch(/^worktree overhead {2,}125 ms$/m);
    expect(stdout).not.toMatch(/^[a-z]+_/m);
  });

  it("shows where the time of delegations goes, and the budgets of the overhead", async () => {
    const directory = await filledRepository(fillSeedStory);
    const { stage_times: times } = await json(directory, ["performance"]);
    expect(times).toContainEqual({
      stage: "worktree",
      count: 1,
      p50_ms: 125,
      p95_ms: 125,
      budget_ms: 150,
      within_budget: 1,
    });
    const { stdout } = await run(directory, ["performance"]);
    expect(stdout).toMatch(/\nworktree +1 +125 ms +125 ms +150 ms +100% within$/);
    expect(stdout).toMatch(/\noverhead +0 +- +- +200 ms\n/);
  });

  it("gives each figure, or says that it was not measured (R106)", async () => {
    const directory = await filledRepository(async (store) => {
      await openStory(store, "US-1", "Story");
      await start(store, "US-1", { description: "running" });
    });
    const { stdout } = await run(directory, ["performance"]);
    expect(stdout).toMatch(/^total delegations +1$/m);
    expect(stdout).toMatch(/^worktree overhead +not measured$/m);
    const measured = await json(directory, ["performance"]);
    expect(measured["cycle_detection_overhead_ms"]).toBeGreaterThan(0);
    expect(measured).toMatchObject({ running: 1, success_rate: null, worktree_overhead_ms: null });
  });
});

describe("ambit tree", () => {
  it("puts a diagram next to the tree in JSON (R99)", async () => {
    const directory = await filledRepository(fillSeedStory);
    expect(await json(directory, ["tree", "--format", "dot"])).toMatchObject({
      story: "US-007",
      tree: { id: "US-007", children: expect.any(Array) },
      format: "dot",
      diagram: expect.stringMatching(/^digraph "US-007"/),
    });
    const { stdout } = await run(directory, ["tree", "--format", "json"]);
    expect(JSON.parse(stdout)).toStrictEqual(await json(directory, ["tree"]));
  });

  it("refuses a format it does not know", async () => {
    const { exitCode, stderr } = await run(temporaryRepository(), ["tree", "--format", "svg"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("USAGE");
  });
});

describe("ambit audit", () => {
  it("lists the requested number of newest events, of one story or delegation", async () => {
    const directory = await filledRepository(fillSeedStory);
    const { stdout } = await run(directory, ["audit", "--limit", "2"]);
    expect(stdout).toMatch(
      /^31 .* delegation-merged .*\n32 .* delegation-closed .*completed\n\nThe newest 2;/,
    );
    expect(await json(directory, ["audit", "US-007-DEL-001-DEL-001", "--limit", "1"])).toMatchObject({
      events: [{ seq: 17, type: "delegation-closed", hash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      head: { seq: 32 },
    });
    const { stdout: all } = await run(directory, ["audit"]);
    expect(all.trimEnd().split("\n")).toHaveLength(32);
  });

  it.each([
    [["--limit", "0"], "--limit must be between 1 and 100000; got 0"],
    [["--limit", "many"], "--limit must be a whole number"],
    [["--verify", "--rebuild"], "--verify and --rebuild"],
    [["--verify", "--export", "all"], "--verify and --export"],
    [["--verify", "US-007"], "--verify is about the whole journal"],
    [["--rebuild", "US-007"], "--rebuild is about the whole journal"],
    [["--verify", "--limit", "NaN"], "--limit is about a list of events"],
    [["--out", "x"], "--out names where exports go"],
    [["--export", "pdf"], "pdf"],
  ])("refuses %j", async (words, message) => {
    const directory = temporaryRepository();
    const before = listFiles(directory);
    const { exitCode, stderr } = await run(directory, ["audit", ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(listFiles(directory)).toStrictEqual(before);
  });

  it("verifies the chain and names the first event that was changed, with exit 1", async () => {
    const directory = await filledRepository(fillSeedStory);
    expect(await json(directory, ["audit", "--verify"])).toMatchObject({
      valid: true,
      events: 32,
      head_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      first_bad: null,
      differing_projections: [],
      code: null,
    });
    tamper(directory, "UPDATE events SET body = replace(body, 'JWT', 'jwt') WHERE seq = 4");
    const { exitCode, stdout } = await run(directory, ["audit", "--verify"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("✖ CHAIN_BROKEN  The journal is not what was written: event 4: ");
    expect(await json(directory, ["audit", "--verify"])).toMatchObject({
      valid: false,
      events: 3,
      first_bad: { seq: 4 },
      code: "CHAIN_BROKEN",
    });
  });

  it("names tables that differ from the journal, and rebuilds them", async () => {
    const directory = await filledRepository(fillSeedStory);
    tamper(directory, "UPDATE delegations SET direct_micro = 0 WHERE id = 'US-007-DEL-001'");
    const { exitCode, stdout } = await run(directory, ["audit", "--verify"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("✖ PROJECTION_DIFFERS");
    expect(stdout).toContain("delegations.");
    expect(await json(directory, ["audit", "--rebuild"])).toMatchObject({ rebuilt: true, events: 32 });
    expect(await json(directory, ["audit", "--verify"])).toMatchObject({ valid: true });
    expect(await json(directory, ["cost"])).toMatchObject({ total_cost_usd: 3.7 });
  });

  it("exports below .git/ambit, or where --out says, relative to the directory (R91, R96, R97)", async () => {
    const directory = await filledRepository(fillSeedStory);
    const { stdout } = await run(directory, ["audit", "--export", "all"]);
    expect(stdout.trimEnd().split("\n")).toStrictEqual([
      "✔ .git/ambit/logs/delegation.jsonl: 21 lines",
      "✔ .git/ambit/delegation/execution_graph.json: 5 nodes",
      "✔ .git/ambit/delegation/depth_tracker.json: 5 agents",
      "✔ .git/ambit/logs/traces.jsonl: 12 spans",
    ]);
    const below = join(directory, "below");
    mkdirSync(below);
    const document = await json(below, ["audit", "US-007", "--export", "graph", "--out", "../out"]);
    const path = join(directory, "out", "execution_graph.json");
    expect(document).toMatchObject({ exported: [{ kind: "graph", path, entries: 5 }] });
    expect(JSON.parse(readFileSync(path, "utf8"))).toHaveProperty("edges");
    expect(existsSync(join(directory, "out", "delegation.jsonl"))).toBe(false);
  });
});

function tamper(directory: string, sql: string): void {
  const database = new DatabaseSync(storeFile(directory));
  database.exec(sql);
  database.close();
}
