import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { statusUseCase } from "../../src/app/status.ts";
import { treeUseCase } from "../../src/app/tree.ts";
import { nameMachineOwner } from "../../src/contract/machine-owner.ts";
import { defaultLimits } from "../../src/contract/limits.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { writeMembership } from "../../src/journal/postgres/membership.ts";
import { removeFolder } from "../e2e/remove-folder.ts";
import { ownStoreFile } from "../own-store-file.ts";
import { makeContext } from "./make-context.ts";

it("status and tree name the machine of a cluster that runs a delegation", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ambit-where-")));
  onTestFinished(() => removeFolder(root));
  const file = ownStoreFile(root);
  const store = openStore(file);
  onTestFinished(() => store.close());
  const lease = { owner: nameMachineOwner("north", "a1"), leaseMs: 60_000, maxConcurrent: 3 };
  await store.openStory({ id: "M-1", kind: "story", title: "Paint", agent: "lead", limits: defaultLimits });
  await store.begin("M-1", 1, { ...lease, owner: "process 1" });
  await store.admit({ parent: "M-1", parentAttempt: 1, requests: [{ description: "Sky" }] });
  await store.begin("M-1-DEL-001", 1, lease);
  const status = () => statusUseCase.run(makeContext(root), { story: "M-1" });
  const tree = () => treeUseCase.run(makeContext(root), { story: "M-1" });
  // Without a cluster there is one machine.
  expect((await status()).working[0]).not.toHaveProperty("machine");
  writeMembership(file, "P");
  expect(await status()).toMatchObject({ working: [{ id: "M-1-DEL-001", machine: "north" }] });
  expect(await tree()).toMatchObject({ tree: { children: [{ id: "M-1-DEL-001", machine: "north" }] } });
});
