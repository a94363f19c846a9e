import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { exportJournal } from "../../src/journal/export-journal.ts";
import type { Store } from "../../src/journal/store.ts";
import {
  complete,
  end,
  FakeClock,
  fillSeedStory,
  lease,
  openStory,
  spend,
  start,
} from "../reports/fill-store.ts";
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

type Fields = Readonly<Record<string, unknown>>;

async function log(story?: string): Promise<readonly Fields[]> {
  await exportJournal({ reader: store, kinds: ["jsonl"], story, folders: { logs: out, graphs: out } });
  const lines = readFileSync(join(out, "delegation.jsonl"), "utf8").split("\n");
  expect(lines.at(-1)).toBe("");
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

describe("delegation.jsonl", () => {
  it("names manager, worker and description of a started delegation, with numbers as numbers (R92, C34)", async () => {
    await fillSeedStory(store, clock);
    const manager = await store.delegation("US-007");
    const worker = await store.delegation("US-007-DEL-001");
    const line = (await log()).find(({ status }) => status === "started");
    expect(Object.entries(line ?? {})).toStrictEqual([
      ["timestamp", "2026-01-20T10:30:00.000Z"],
      ["parent_story", "US-007"],
      ["child_story", "US-007-DEL-001"],
      ["depth", 1],
      ["parent_id", manager?.executionId],
      ["child_id", worker?.executionId],
      ["status", "started"],
      ["description", "JWT service"],
      ["estimated_hours", 4],
    ]);
  });

  it("says how long a completed delegation took and what it changed (R93)", async () => {
    await fillSeedStory(store, clock);
    const manager = await store.delegation("US-007");
    const worker = await store.delegation("US-007-DEL-001");
    const lines = (await log()).filter(({ status }) => status === "completed");
    expect(lines).toHaveLength(4);
    const line = lines.find(({ child_story: child }) => child === "US-007-DEL-001");
    expect(Object.entries(line ?? {})).toStrictEqual([
      ["timestamp", "2026-01-20T10:45:00.000Z"],
      ["parent_story", "US-007"],
      ["child_story", "US-007-DEL-001"],
      ["depth", 1],
      ["parent_id", manager?.executionId],
      ["child_id", worker?.executionId],
      ["status", "completed"],
      ["duration_ms", 900_000],
      ["tokens_in", 12_500],
      ["tokens_out", 3200],
      ["cost_usd", 0.45],
      ["files_changed", ["lib/jwt.py", "tests/test_jwt.py"]],
      ["success", true],
    ]);
  });

  it("has the audit events of each delegation in their order (R94, R16, C34)", async () => {
    await fillSeedStory(store, clock);
    const manager = await store.delegation("US-007");
    const admission = await eventOf("delegation-admitted", "US-007-DEL-001");
    const lines = (await log()).filter(
      ({ event, child }) => event !== undefined && child === "US-007-DEL-001",
    );
    expect(lines).toStrictEqual([
      {
        timestamp: "2026-01-20T10:30:00.000Z",
        event: "delegation_created",
        parent: "US-007",
        child: "US-007-DEL-001",
        depth: 1,
        description: "JWT service",
        estimated_hours: 4,
        created_by: manager?.executionId,
        audit_hash: admission.hash.slice(0, 8),
      },
      {
        timestamp: "2026-01-20T10:30:00.000Z",
        event: "delegation_validated",
        child: "US-007-DEL-001",
        validation_checks: expect.arrayContaining(["depth_ok", "no_cycle", "context_ok", "description_safe"]),
        validation_passed: true,
      },
      {
        timestamp: "2026-01-20T10:31:00.000Z",
        event: "worktree_created",
        child: "US-007-DEL-001",
        worktree_path: "../project.worktrees/ambit/workspaces/US-007-DEL-001",
        branch: "delegation/US-007-DEL-001",
      },
      {
        timestamp: "2026-01-20T10:45:00.000Z",
        event: "delegation_completed",
        child: "US-007-DEL-001",
        success: true,
        duration_ms: 900_000,
        files_modified: ["lib/jwt.py", "tests/test_jwt.py"],
        cost_usd: 0.45,
      },
    ]);
  });

  it("names a worker's own worker with the worker as parent (R92)", async () => {
    await fillSeedStory(store, clock);
    const worker = await store.delegation("US-007-DEL-001");
    const nested = (await log()).filter(({ child_story: child }) => child === "US-007-DEL-001-DEL-001");
    expect(nested).toHaveLength(2);
    for (const line of nested) {
      expect(line).toMatchObject({
        parent_story: "US-007-DEL-001",
        parent_id: worker?.executionId,
        depth: 2,
      });
    }
  });

  it("has null for a cost that was not reported, and never 0", async () => {
    await openStory(store, "US-1", "Story");
    const { id } = await start(store, "US-1", { description: "silent" });
    await end(store, id, { outcome: "failed", summary: "Said nothing." });
    expect((await log()).slice(-2)).toMatchObject([
      { event: "delegation_completed", cost_usd: null },
      { status: "failed", cost_usd: null },
    ]);
  });

  it("says in both dialects why a delegation did not complete (R95)", async () => {
    await openStory(store, "US-1", "Story");
    const { id } = await start(store, "US-1", { description: "breaks" });
    await spend(store, id, { in: 10, out: 5, usd: 0.01 });
    clock.advance(5000);
    await end(store, id, { outcome: "timed_out", code: "TIMEOUT", summary: "Deadline passed." });
    const lines = (await log()).slice(-2);
    expect(lines).toMatchObject([
      {
        event: "delegation_completed",
        success: false,
        outcome: "timed_out",
        code: "TIMEOUT",
        error: "Deadline passed.",
      },
      {
        status: "timed_out",
        success: false,
        duration_ms: 5000,
        tokens_in: 10,
        cost_usd: 0.01,
        code: "TIMEOUT",
        error: "Deadline passed.",
      },
    ]);
  });

  it("logs a refusal with all its codes, and a cycle with its path (R95)", async () => {
    await openStory(store, "US-1", "Story");
    const { id } = await start(store, "US-1", { description: "plan it", agent: "planner" });
    const requests = [{ description: "again; and again", agent: "planner", isDirective: true }];
    await store.admit({ parent: id, parentAttempt: 1, requests });
    const manager = await store.delegation(id);
    const { hash } = await eventOf("delegation-refused", null);
    const lines = (await log()).slice(-2);
    expect(lines).toMatchObject([
      {
        event: "delegation_refused",
        parent: id,
        description: "again; and again",
        agent: "planner",
        validation_passed: false,
        codes: ["CYCLE_DETECTED", "SUSPICIOUS_CHARACTERS"],
        created_by: manager?.executionId,
        audit_hash: hash.slice(0, 8),
      },
      {
        event: "cycle_detected",
        parent: id,
        child: "planner",
        cycle_path: "ambit → orchestrator → planner → planner (attempted)",
      },
    ]);
  });

  it("logs a cycle of tasks without a path of agents (R95)", async () => {
    await openStory(store, "US-1", "Story");
    const requests = [{ description: "itself", targetId: "US-1" }];
    await store.admit({ parent: "US-1", parentAttempt: 1, requests });
    expect((await log()).at(-1)).toMatchObject({ event: "cycle_detected", child: null, cycle_path: null });
  });

  it("logs rejected returns and lost attempts, and a second attempt under its own execution id (R95)", async () => {
    await openStory(store, "US-1", "Story");
    const { id } = await start(store, "US-1", { description: "twice" });
    const first = await store.delegation(id);
    const about = { story: "US-1", delegation: id, attempt: 1 } as const;
    const data = { codes: ["NOT_JSON"], repair: 1 };
    await store.record({ ...about, type: "return-rejected", data });
    await store.record({ ...about, type: "attempt-lost", data: { reason: "no heartbeat" } });
    await store.begin(id, 2, lease);
    const second = await store.delegation(id);
    const lines = await log();
    const timestamp = "2026-01-20T10:30:00.000Z";
    expect(
      lines.filter(({ event }) => event === "return_rejected" || event === "attempt_lost"),
    ).toStrictEqual([
      { timestamp, event: "return_rejected", child: id, attempt: 1, codes: ["NOT_JSON"] },
      { timestamp, event: "attempt_lost", child: id, attempt: 1, reason: "no heartbeat" },
    ]);
    const started = lines.filter(({ status }) => status === "started");
    expect(started.map(({ child_id: execution }) => execution)).toStrictEqual([
      first?.executionId,
      second?.executionId,
    ]);
    expect(first?.executionId).not.toBe(second?.executionId);
    expect(started.map(({ attempt }) => attempt)).toStrictEqual([undefined, 2]);
  });

  it("gives work that was cancelled before its start a duration of 0", async () => {
    await openStory(store, "US-1", "Story");
    await store.admit({ parent: "US-1", parentAttempt: 1, requests: [{ description: "never" }] });
    await store.settle("US-1-DEL-001", 0, { outcome: "cancelled", summary: "Not needed." });
    expect((await log()).at(-1)).toMatchObject({ status: "cancelled", duration_ms: 0, success: false });
  });

  it("keeps one event per line, whatever the texts contain (R91)", async () => {
    await openStory(store, "US-1", "Story");
    const description = 'two\nlines "quoted" \u001b[31m \u2028';
    const { id } = await start(store, "US-1", { description });
    await complete(store, id);
    const lines = await log();
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatchObject({ event: "delegation_created", description });
  });

  it("exports a single story on request", async () => {
    await openStory(store, "US-1", "Other");
    const { id } = await start(store, "US-1", { description: "elsewhere" });
    await fillSeedStory(store, clock);
    const lines = await log("US-1");
    expect(lines.map(({ event, status }) => event ?? status)).toStrictEqual([
      "delegation_created",
      "delegation_validated",
      "started",
    ]);
    expect(lines[0]).toMatchObject({ child: id });
  });

  it("agrees with the projections on every delegation, over many pages of events (R91)", async () => {
    await openStory(store, "US-1", "Long");
    const ids: string[] = [];
    for (let number = 0; number < 20; number += 1) {
      const { id } = await start(store, "US-1", { description: `part ${number}` });
      ids.push(id);
    }
    for (let round = 0; round < 150; round += 1) {
      clock.advance(1000);
      await Promise.all(ids.map((id) => spend(store, id, { in: 1, out: 2, usd: 0.000_003 })));
    }
    for (const id of ids) await complete(store, id, [`${id}.ts`]);
    expect((await store.head()).seq).toBeGreaterThan(3000);
    const completed = (await log()).filter(({ status }) => status === "completed");
    const projected = (await store.storyTree("US-1")).slice(1).map((delegation) => ({
      child_story: delegation.id,
      child_id: delegation.executionId,
      duration_ms: delegation.durationMs,
      tokens_in: delegation.inputTokens,
      tokens_out: delegation.outputTokens,
      cost_usd: delegation.microUsd / 1_000_000,
      files_changed: delegation.filesChanged,
    }));
    expect(completed).toMatchObject(projected);
  });
});

async function eventOf(type: string, delegation: string | null): Promise<{ readonly hash: string }> {
  const { events } = await store.eventsAfter(0, 1000);
  const found = events.find(({ body }) => {
    const event: { type: string; delegation: string | null } = JSON.parse(body);
    return event.type === type && event.delegation === delegation;
  });
  if (found === undefined) throw new Error(`no ${type}`);
  return found;
}
