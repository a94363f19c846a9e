import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { importWork } from "../../src/workspace/import-work.ts";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { releaseWorkspace } from "../../src/workspace/remove.ts";
import { takeSnapshot, userCheckout } from "../../src/workspace/snapshot.ts";
import { createWorkspace, type Workspace, type WorkspaceSettings } from "../../src/workspace/worktree.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

/**
 * Git tells a changed file by its size and by times in whole seconds. A change of the same size in the second of the
 * checkout shows only because the index is not younger than the file; code that copies an index must keep it so.
 */
const id = "US-1-DEL-001";
let project: TemporaryRepository;
let settings: WorkspaceSettings;

beforeEach(async () => {
  project = await makeRepository();
  settings = { repository: project.repository, stateDirectory: project.stateDirectory };
});

afterEach(() => project.remove());

/** File systems stamp with a clock that lags some milliseconds behind. */
const second = (): number => Math.floor((Date.now() - 20) / 1000);

async function nextSecond(): Promise<void> {
  for (const now = second(); second() === now;) await new Promise((resolve) => setImmediate(resolve));
}

function head(): string {
  return project.git("rev-parse", "HEAD").trim();
}

/** Changes a file without changing its size; tells whether that happened within the second it was made in. */
function changeQuickly(path: string, content: string): boolean {
  const before = statSync(path);
  expect(readFileSync(path, "utf8")).toHaveLength(content.length);
  writeFileSync(path, content);
  return Math.floor(statSync(path).ctimeMs / 1000) === Math.floor(before.ctimeMs / 1000);
}

/** Again until the change fell into the same second: a busy machine may need longer than what is left of it. */
async function withinOneSecond(attempt: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await nextSecond();
    if (await attempt()) return;
  }
  expect.fail("the machine was too slow for this test");
}

async function discard({ path }: Workspace): Promise<void> {
  await importWork(settings, { id, message: "Given up\n" });
  const released = await releaseWorkspace(settings, { id, path });
  expect(released.status).toBe("released");
}

async function importedPaths(): Promise<readonly string[]> {
  const { filesChanged } = await importWork(settings, { id, message: "Quick\n" });
  return filesChanged.map(({ path }) => path);
}

it("a same-size change in the second of the checkout is imported", async () => {
  await withinOneSecond(async () => {
    const workspace = await createWorkspace(settings, { id, base: head() });
    const isQuick = changeQuickly(join(workspace.path, "src/a.txt"), "b\n");
    if (!isQuick) await discard(workspace);
    return isQuick;
  });
  await nextSecond();
  expect(await importedPaths()).toStrictEqual(["src/a.txt"]);
});

it("a same-size change in the second of the checkout is imported together with other changes", async () => {
  await withinOneSecond(async () => {
    const workspace = await createWorkspace(settings, { id, base: head() });
    const isQuick = changeQuickly(join(workspace.path, "src/a.txt"), "b\n");
    if (!isQuick) await discard(workspace);
    return isQuick;
  });
  await nextSecond();
  const path = join(project.stateDirectory, "workspaces", id);
  writeFileSync(join(path, "new.txt"), "new\n");
  writeFileSync(join(path, "src/b.txt"), "longer than before\n");
  expect(await importedPaths()).toStrictEqual(["new.txt", "src/a.txt", "src/b.txt"]);
});

it("a same-size change is imported from a pooled checkout that was just moved to another commit", async () => {
  const pool = new WorkspacePool({ ...settings, size: 1 });
  pool.aimAtCommit(head());
  await pool.settled();
  project.write("src/a.txt", "c\n");
  project.git("commit", "-qam", "Next");
  await withinOneSecond(async () => {
    const workspace = await pool.takeWorkspace({ id, base: head() });
    expect(workspace.fromPool).toBe(true);
    const isQuick = changeQuickly(join(workspace.path, "src/a.txt"), "d\n");
    if (isQuick) return true;
    await importWork(settings, { id, message: "Given up\n" });
    await pool.giveBack({ id, path: workspace.path });
    await pool.settled();
    return false;
  });
  await nextSecond();
  expect(await importedPaths()).toStrictEqual(["src/a.txt"]);
  await pool.close();
});

it("a same-size change by a second attempt in the second of the first import is imported", async () => {
  const workspace = await createWorkspace(settings, { id, base: head() });
  const path = join(workspace.path, "src/a.txt");
  await withinOneSecond(async () => {
    writeFileSync(path, "1\n");
    await importWork(settings, { id, message: "First\n" });
    return changeQuickly(path, "2\n");
  });
  await nextSecond();
  const { tip } = await importWork(settings, { id, message: "Second\n" });
  expect(project.git("show", `${tip}:src/a.txt`)).toBe("2\n");
});

it.each([["plain"], ["split"]])(
  "a same-size change in the second of git add is in a snapshot of the user's checkout (%s index)",
  async (kind) => {
    if (kind === "split") project.git("update-index", "--split-index");
    await withinOneSecond(async () => {
      project.write("src/a.txt", "x\n");
      project.git("add", "-A");
      return Promise.resolve(changeQuickly(join(project.root, "src/a.txt"), "y\n"));
    });
    await nextSecond();
    const taken = await takeSnapshot({ ...settings, id, checkout: userCheckout(project.repository) });
    expect(project.git("show", `${taken.commit}:src/a.txt`)).toBe("y\n");
  },
);
