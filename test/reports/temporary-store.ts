import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import { openStore } from "../../src/journal/open-store.ts";
import type { Store } from "../../src/journal/store.ts";

/** A real store in a folder of its own, closed and removed when the test ends. */
export function temporaryStore(clock?: Clock): Store {
  const folder = mkdtempSync(join(tmpdir(), "ambit-reports-"));
  const store = openStore(join(folder, "ambit.db"), clock);
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}
