import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { makeProject, type Project } from "../e2e/project.ts";
import { ownStoreFile } from "../own-store-file.ts";

const REPORTS = 5200;
const usage = { inputTokens: 5, cachedTokens: 1, outputTokens: 2, microUsd: 7, source: "reported" } as const;

describe("a journal that is long enough for a checkpoint", () => {
  let project: Project;
  let file: string;
  beforeEach(async () => {
    project = makeProject();
    file = ownStoreFile(project.root);
    const store = openStore(file);
    await store.openStory({ id: "LONG", kind: "story", title: "t", agent: "claude", limits: defaultLimits });
    await store.begin("LONG", 1, { owner: "o", leaseMs: 1000, maxConcurrent: 9 });
    await Promise.all(Array.from({ length: REPORTS }, () => store.spend("LONG", 1, usage)));
    await store.settle("LONG", 1, { outcome: "partial", summary: "done" });
    await store.close();
    const words = ["run", "Work", "--id", "D1", "--check", "true", "--", "touch", "x"];
    expect((await project.ambit(...words)).status).toBe(0);
    await project.ambit("supervisor", "stop");
  });
  afterEach(() => project.remove());

  const change = (database: string, sql: string): void => {
    const connection = new DatabaseSync(database);
    connection.exec(sql);
    connection.close();
  };
  const findCheckpoints = (): readonly string[] =>
    readdirSync(join(project.root, ".git/ambit")).filter((name) => name.includes("checkpoint"));

  it("gets a checkpoint when a story ends; audit --verify uses it and finds a changed one, and --rebuild makes it again", async () => {
    const [name = ""] = findCheckpoints();
    expect(findCheckpoints()).toHaveLength(1);
    expect(project.git("cat-file", "blob", "refs/ambit/journal/checkpoint")).toContain(name.slice(-16));
    expect((await project.json("doctor"))["ok"]).toBe(true);
    const used = await project.json("audit", "--verify");
    expect(used).toMatchObject({
      valid: true,
      message: expect.stringContaining("by a checkpoint that git knows"),
    });
    expect(used["checkpoint_events"]).toBeGreaterThan(REPORTS);
    expect(await project.json("audit", "--verify", "--full")).toMatchObject({
      valid: true,
      checkpoint_events: 0,
    });

    const lie = "UPDATE delegations SET spent_micro = 0 WHERE id = 'LONG'";
    for (const database of [file, join(project.root, ".git/ambit", name)]) change(database, lie);
    const found = await project.ambit("audit", "--verify");
    expect([found.status, found.stdout + found.stderr]).toEqual([
      1,
      expect.stringMatching(
        /PROJECTION_DIFFERS[^]*tables differ from a replay of it: delegations; the checkpoint of its tables is not the one that git knows[^]*ambit audit --rebuild/,
      ),
    ]);
    expect((await project.ambit("audit", "--verify", "--full")).status).toBe(1);

    expect((await project.ambit("audit", "--rebuild")).status).toBe(0);
    expect(findCheckpoints()).toHaveLength(1);
    const healed = await project.json("audit", "--verify");
    expect(healed).toMatchObject({ valid: true });
    expect(healed["checkpoint_events"]).toBe(healed["events"]);
  });

  it("has no checkpoint after its history was put aside; --full without --verify is refused", async () => {
    expect((await project.ambit("audit", "--full")).stderr).toContain("Add --verify.");
    expect((await project.ambit("merge", "D1", "--yes")).status).toBe(0);
    const cleared = await project.ambit("clean", "--history", "--yes");
    expect([cleared.status, cleared.stderr]).toEqual([0, expect.anything()]);
    expect(findCheckpoints()).toEqual([]);
    expect(project.git("for-each-ref", "refs/ambit/journal")).toBe("");
  });
});
