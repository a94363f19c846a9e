import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { exportJournal, exportKinds, type ExportKind } from "../../src/journal/export-journal.ts";
import { openStore } from "../../src/journal/open-store.ts";
import type { Store } from "../../src/journal/store.ts";
import { FakeClock, fillSeedStory, openStory } from "../reports/fill-store.ts";
import { temporaryStore } from "../reports/temporary-store.ts";

let store: Store;
let clock: FakeClock;
let out = "";

beforeEach(() => {
  clock = new FakeClock();
  store = temporaryStore(clock);
  out = mkdtempSync(join(tmpdir(), "ambit-export-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
});

async function write(kind: ExportKind, story?: string): Promise<string> {
  const folders = { logs: join(out, "logs"), graphs: join(out, "delegation") };
  const [file] = await exportJournal({ reader: store, kinds: [kind], story, folders });
  return readFileSync(file?.path ?? "", "utf8");
}

describe("execution_graph.json (R96)", () => {
  it("has every node with its position, state and times, and every edge", async () => {
    await fillSeedStory(store, clock);
    await store.admit({ parent: "US-007", parentAttempt: 1, requests: [{ description: "later" }] });
    expect(JSON.parse(await write("graph"))).toStrictEqual({
      nodes: {
        "US-007": {
          story_id: "US-007",
          depth: 0,
          parent: null,
          children: ["US-007-DEL-001", "US-007-DEL-002", "US-007-DEL-003", "US-007-DEL-004"],
          status: "running",
          started_at: "2026-01-20T10:30:00.000Z",
        },
        "US-007-DEL-001": {
          story_id: "US-007-DEL-001",
          depth: 1,
          parent: "US-007",
          children: ["US-007-DEL-001-DEL-001"],
          status: "completed",
          started_at: "2026-01-20T10:30:00.000Z",
          completed_at: "2026-01-20T10:45:00.000Z",
        },
        "US-007-DEL-001-DEL-001": {
          story_id: "US-007-DEL-001-DEL-001",
          depth: 2,
          parent: "US-007-DEL-001",
          children: [],
          status: "completed",
          started_at: "2026-01-20T10:33:00.000Z",
          completed_at: "2026-01-20T10:42:00.000Z",
        },
        "US-007-DEL-002": expect.objectContaining({ status: "completed", children: [] }),
        "US-007-DEL-003": expect.objectContaining({ status: "completed", children: [] }),
        "US-007-DEL-004": {
          story_id: "US-007-DEL-004",
          depth: 1,
          parent: "US-007",
          children: [],
          status: "pending",
        },
      },
      edges: [
        { from: "US-007", to: "US-007-DEL-001" },
        { from: "US-007", to: "US-007-DEL-002" },
        { from: "US-007", to: "US-007-DEL-003" },
        { from: "US-007-DEL-001", to: "US-007-DEL-001-DEL-001" },
        { from: "US-007", to: "US-007-DEL-004" },
      ],
    });
  });

  it("covers all stories page by page, or a single one", async () => {
    const ids = Array.from({ length: 450 }, (_, number) => `US-${String(number).padStart(3, "0")}`);
    await Promise.all(ids.map((id) => openStory(store, id, `Story ${id}`)));
    const all: { nodes: object } = JSON.parse(await write("graph"));
    expect(Object.keys(all.nodes)).toStrictEqual(ids);
    const one: { nodes: object } = JSON.parse(await write("graph", "US-100"));
    expect(Object.keys(one.nodes)).toStrictEqual(["US-100"]);
  });

  it("is an empty graph if nothing was delegated", async () => {
    expect(JSON.parse(await write("graph"))).toStrictEqual({ nodes: {}, edges: [] });
  });
});

describe("depth_tracker.json (R97)", () => {
  it("has the depth of every agent, by delegation and by execution, and whether it is active", async () => {
    await fillSeedStory(store, clock);
    const tree = await store.storyTree("US-007");
    expect(JSON.parse(await write("depth"))).toStrictEqual({
      agents: {
        "US-007": 0,
        "US-007-DEL-001": 1,
        "US-007-DEL-002": 1,
        "US-007-DEL-003": 1,
        "US-007-DEL-001-DEL-001": 2,
      },
      executions: Object.fromEntries(tree.map(({ executionId, depth }) => [executionId, depth])),
      active: ["US-007"],
      max_depth_seen: 2,
    });
  });
});

describe("exportJournal", () => {
  it("writes one event per line, reports what it wrote where, and leaves nothing else behind (R91)", async () => {
    await fillSeedStory(store, clock);
    const folders = { logs: join(out, "logs"), graphs: join(out, "delegation") };
    const files = await exportJournal({ reader: store, kinds: exportKinds, folders });
    expect(files).toStrictEqual([
      { kind: "jsonl", path: join(out, "logs", "delegation.jsonl"), entries: 21 },
      { kind: "graph", path: join(out, "delegation", "execution_graph.json"), entries: 5 },
      { kind: "depth", path: join(out, "delegation", "depth_tracker.json"), entries: 5 },
    ]);
    const left = readdirSync(out, { recursive: true, encoding: "utf8" }).toSorted();
    expect(left).toStrictEqual([
      "delegation",
      "delegation/depth_tracker.json",
      "delegation/execution_graph.json",
      "logs",
      "logs/delegation.jsonl",
    ]);
    const lines = readFileSync(join(out, "logs", "delegation.jsonl"), "utf8").split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([22, ""]);
    for (const line of lines.slice(0, -1))
      expect(JSON.parse(line)).toMatchObject({ timestamp: expect.any(String) });
  });

  it("replaces an older export completely", async () => {
    await fillSeedStory(store, clock);
    await write("depth");
    writeFileSync(join(out, "delegation", "depth_tracker.json"), "x".repeat(100_000));
    expect(Object.keys(JSON.parse(await write("depth")))).toContain("agents");
  });

  it("keeps the older export and leaves no fragments if the journal cannot be read", async () => {
    const file = join(out, "ambit.db");
    const damaged = openStore(file, clock);
    onTestFinished(() => damaged.close());
    await fillSeedStory(damaged, clock);
    const request = {
      reader: damaged,
      kinds: ["jsonl"],
      folders: { logs: join(out, "logs"), graphs: out },
    } as const;
    await exportJournal(request);
    const before = readFileSync(join(out, "logs", "delegation.jsonl"), "utf8");
    const database = new DatabaseSync(file);
    database.exec("UPDATE events SET body = '{' WHERE seq = 20");
    database.close();
    await expect(exportJournal(request)).rejects.toMatchObject({
      code: "CHAIN_BROKEN",
      message: "Event 20 of the journal cannot be read.",
    });
    expect(readFileSync(join(out, "logs", "delegation.jsonl"), "utf8")).toBe(before);
    expect(readdirSync(join(out, "logs"))).toStrictEqual(["delegation.jsonl"]);
  });

  it("names a folder that cannot be written to, and what to do", async () => {
    const file = join(out, "file");
    writeFileSync(file, "in the way");
    const folders = { logs: file, graphs: file };
    await expect(exportJournal({ reader: store, kinds: ["depth"], folders })).rejects.toMatchObject({
      code: "OUTPUT_UNWRITABLE",
      message: expect.stringContaining(join(file, "depth_tracker.json")),
      recommendation: expect.stringContaining("--out"),
    });
    expect(existsSync(join(out, "depth_tracker.json"))).toBe(false);
  });
});
