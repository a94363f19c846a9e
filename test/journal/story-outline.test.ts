import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import { openStore } from "../../src/journal/open-store.ts";
import type { Store } from "../../src/journal/store.ts";

const lease = { owner: "o", leaseMs: 1000, maxConcurrent: 9 };

it("reads for an overview what the whole tree says", async () => {
  const store = await openStoreWithWork();
  await openStory(store, "OTHER");
  const tree = await store.storyTree("S");
  const outline = await store.storyOutline("S");
  expect(tree).toMatchObject(outline);
  expect(
    outline.map(({ id, state, outcome, estimated, microUsd, summary }) => ({
      id,
      state,
      outcome,
      estimated,
      microUsd,
      summary,
    })),
  ).toEqual([
    { id: "S", state: "running", outcome: null, estimated: false, microUsd: 0, summary: "" },
    { id: "S-DEL-001", state: "closed", outcome: "partial", estimated: true, microUsd: 9, summary: "Half." },
    { id: "S-DEL-002", state: "running", outcome: null, estimated: false, microUsd: 0, summary: "" },
    { id: "S-DEL-003", state: "queued", outcome: null, estimated: false, microUsd: 0, summary: "" },
  ]);
});

/** A story with a worker that ended, one that runs and one that waits. */
async function openStoreWithWork(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), "ambit-outline-"));
  const store = openStore(join(folder, "ambit.db"));
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await openStory(store, "S");
  const requests = ["one", "two", "three"].map((description) => ({ description, estimatedHours: 4 }));
  await store.admit({ parent: "S", parentAttempt: 1, requests });
  for (const id of ["S-DEL-001", "S-DEL-002"]) await store.begin(id, 1, lease);
  const usage = {
    inputTokens: 5,
    cachedTokens: 0,
    outputTokens: 1,
    microUsd: 9,
    source: "estimated",
  } as const;
  await store.spend("S-DEL-001", 1, usage);
  const data = { status: "partial", summary: "Half.", artifacts: [] };
  await store.record({ type: "delegation-returned", story: "S", delegation: "S-DEL-001", attempt: 1, data });
  await store.settle("S-DEL-001", 1, { outcome: "partial", summary: "Half." });
  return store;
}

async function openStory(store: Store, id: string): Promise<void> {
  await store.openStory({ id, kind: "story", title: "t", agent: "lead", limits: defaultLimits });
  await store.begin(id, 1, lease);
}
