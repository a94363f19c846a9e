import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import { openReader } from "../../src/journal/open-reader.ts";
import { openStore } from "../../src/journal/open-store.ts";
import type { Store } from "../../src/journal/store.ts";
import { verifyJournal } from "../../src/journal/verify-journal.ts";
import { MIB, mountDisk, type SmallDisk } from "./small-disk.ts";
import { withMounts } from "./with-mounts.ts";

withMounts(import.meta.url, () => {
  let disk: SmallDisk;
  let file: string;
  let store: Store;
  beforeEach(async () => {
    disk = mountDisk(8 * MIB);
    file = join(disk.path, "ambit.db");
    store = openStore(file);
    for (const id of ["A", "B"]) {
      await store.openStory({ id, kind: "story", title: "t", agent: "a", limits: defaultLimits });
      await store.begin(id, 1, { owner: "test", leaseMs: 60_000, maxConcurrent: 3 });
    }
  });
  afterEach(async () => {
    await store.close();
    disk.unmount();
  });

  const settle = (id: string): Promise<unknown> =>
    store.settle(id, 1, { outcome: "failed", summary: "The disk was full. ".repeat(50) });
  const spend = (): Promise<unknown> =>
    store.spend("A", 1, {
      inputTokens: 1,
      cachedTokens: 0,
      outputTokens: 1,
      microUsd: 1,
      source: "reported",
    });

  it("a store continues for hundreds of events on a completely full disk, and closes running work", async () => {
    disk.fill();
    for (let round = 0; round < 400; round += 1) {
      expect(await spend()).toMatchObject({ kind: "ok" });
      expect(await store.heartbeat("B", 1, 60_000)).toBe("ok");
      // Another program takes the space that becomes free.
      if (round % 50 === 0) disk.fill();
    }
    expect([await settle("A"), await settle("B")]).toStrictEqual(["ok", "ok"]);
    expect(verifyJournal(file)).toMatchObject({ events: 406, differingProjections: [] });
  });

  it("a store whose reserve is used refuses events with its path and advice, and loses no acknowledged event", async () => {
    disk.fill();
    let known = 4;
    const full = expect.objectContaining({
      code: "DISK_FULL",
      message: expect.stringContaining(file),
      recommendation: expect.stringContaining("Free some space"),
    });
    for (;;) {
      const refused = await spend().then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refused === undefined) known += 1;
      else {
        expect(refused).toEqual(full);
        break;
      }
    }
    expect(known).toBeGreaterThan(500);
    await expect(
      store.openStory({ id: "C", kind: "story", title: "t", agent: "a", limits: defaultLimits }),
    ).rejects.toEqual(full);
    const reader = openReader(file);
    expect(await reader?.head()).toMatchObject({ seq: known });
    await reader?.close();
    expect(verifyJournal(file)).toMatchObject({ events: known, differingProjections: [] });
    disk.free();
    expect(await settle("A")).toBe("ok");
    expect(verifyJournal(file)).toMatchObject({ events: known + 1, differingProjections: [] });
  });

  it("a store without its reserve cannot record the end of work on a full disk (control)", async () => {
    const other = new DatabaseSync(file);
    other.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    other.close();
    disk.fill();
    await expect(settle("A")).rejects.toMatchObject({ code: "DISK_FULL" });
    expect(await store.delegation("A")).toMatchObject({ state: "running" });
    disk.free();
    expect(await settle("A")).toBe("ok");
  });
});
