import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { statusUseCase } from "../../src/app/status.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { writeMembership } from "../../src/journal/postgres/membership.ts";
import { removeFolder } from "../e2e/remove-folder.ts";
import { ownStoreFile } from "../own-store-file.ts";
import { openUnservedStory, tellUnserved } from "../unserved-story.ts";
import { makeContext } from "./make-context.ts";

it("a story whose own agent waits for a machine is shown as queued, with the missing pool, until a machine serves it", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ambit-status-")));
  onTestFinished(() => removeFolder(root));
  const file = ownStoreFile(root);
  const store = openStore(file);
  onTestFinished(() => store.close());
  const text = "It waits: no machine serves the pool gpu";
  await openUnservedStory(store, "M-1", text);
  const ask = () => statusUseCase.run(makeContext(root), { story: "M-1" });
  // Without a cluster there is no machine to wait for.
  expect(await ask()).toMatchObject({ status: "pending", queued: [] });
  writeMembership(file, "P");
  expect(await ask()).toMatchObject({
    needs_you: [],
    queued: [{ id: "M-1", waits_for_machine: text }],
  });
  await tellUnserved(store, "M-1", { text: "A machine serves the pool gpu now", unserved: false });
  expect(await ask()).toMatchObject({ status: "pending", queued: [] });
});
