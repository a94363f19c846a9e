import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import { openStore } from "../../src/journal/open-store.ts";
import type { Store } from "../../src/journal/store.ts";
import {
  cleanLeftovers,
  describeOrphan,
  findLastingLeftovers,
  findLeftovers,
} from "../../src/orchestrator/find-leftovers.ts";
import { createSandboxClone } from "../../src/workspace/sandbox-clone.ts";
import { createWorkspace } from "../../src/workspace/worktree.ts";
import { makeRepository, type TemporaryRepository } from "../workspace/temporary-repository.ts";

let project: TemporaryRepository;
let store: Store;

beforeEach(async () => {
  project = await makeRepository();
  mkdirSync(project.stateDirectory, { recursive: true });
  store = openStore(join(project.stateDirectory, "ambit.db"));
});

afterEach(async () => {
  await store.close();
  project.remove();
});

function head(): string {
  return project.git("rev-parse", "HEAD").trim();
}

async function open(id: string): Promise<void> {
  await store.openStory({ id, kind: "story", title: id, agent: "worker", limits: defaultLimits });
}

/** Whoever made it has died since. */
function orphan(...segments: string[]): void {
  const file = join(project.stateDirectory, ...segments);
  writeFileSync(file, readFileSync(file, "utf8").replace(/"pid":\d+/, '"pid":999999999'));
}

it("finds workspaces and sandboxes without a live delegation, and removes those that hold no work", async () => {
  for (const id of ["LIVE-1", "LIVE-2"]) await open(id);
  await createWorkspace(project, { id: "LIVE-1", base: head() });
  await createSandboxClone({ ...project, id: "LIVE-2", base: head() });
  const idle = await createWorkspace(project, { id: "IDLE-1", base: head() });
  const used = await createSandboxClone({ ...project, id: "USED-1", base: head() });
  const spare = await createSandboxClone({ ...project, id: "IDLE-2", base: head() });
  writeFileSync(join(used.path, "work.txt"), "work\n");
  for (const id of ["IDLE-2", "USED-1", "LIVE-2"]) orphan("sandboxes", id, "sandbox.json");
  for (const id of ["IDLE-1", "LIVE-1"]) orphan("workspace-records", id, "claim.json");
  const found = (await findLeftovers(project, store)).filter(
    ({ kind }) => kind !== "ref" && kind !== "branch",
  );
  expect(found.map(describeOrphan).toSorted()).toStrictEqual([
    `sandbox ${spare.folders.root} of IDLE-2`,
    `sandbox ${used.folders.root} of USED-1`,
    `workspace ${idle.path} of IDLE-1`,
  ]);
  const { removed, left } = await cleanLeftovers(project, found);
  expect(removed.map(describeOrphan).toSorted()).toStrictEqual([
    `sandbox ${spare.folders.root} of IDLE-2`,
    `workspace ${idle.path} of IDLE-1`,
  ]);
  expect(left.map(describeOrphan)).toStrictEqual([`sandbox ${used.folders.root} of USED-1`]);
  expect(readFileSync(join(used.path, "work.txt"), "utf8")).toBe("work\n");
});

it.each([
  ["is gone at a later look", 2, []],
  ["stays (control)", 99, ["unknown-folder"]],
])("reports only lasting leftovers: a folder that %s", async (_name, goneAtLook, expected) => {
  const folder = join(project.stateDirectory, "workspaces/half");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "file"), "");
  let looks = 0;
  const reader = {
    openDelegations: async () => {
      looks += 1;
      if (looks === goneAtLook) rmSync(folder, { recursive: true });
      return [];
    },
    delegationIds: async () => [],
  };
  const found = await findLastingLeftovers(project, reader);
  expect(found.map(({ kind }) => kind)).toEqual(expected);
});
