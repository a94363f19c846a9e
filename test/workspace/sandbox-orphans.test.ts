import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importSandboxWork } from "../../src/workspace/import-sandbox-work.ts";
import { listOrphans, type Orphan } from "../../src/workspace/orphans.ts";
import { removeOrphan } from "../../src/workspace/remove-orphan.ts";
import {
  createSandboxClone,
  openSandboxClone,
  type SandboxClone,
} from "../../src/workspace/sandbox-clone.ts";
import { listSandboxes } from "../../src/workspace/sandbox/record.ts";
import { takeSnapshot, userCheckout } from "../../src/workspace/snapshot.ts";
import { sandboxOf } from "./run-in-sandbox.ts";
import { makeKillingGit } from "./killing-git.ts";
import { makeRepository, runPlainGit, type TemporaryRepository } from "./temporary-repository.ts";

const id = "US-1-DEL-001";
let project: TemporaryRepository;

beforeEach(async () => {
  project = await makeRepository({ ".gitignore": "*.log\n", "src/a.txt": "a\n", "src/b.txt": "b\n" });
});

afterEach(() => project.remove());

function head(): string {
  return project.git("rev-parse", "HEAD").trim();
}

function orphans(live: readonly string[] = []): Promise<readonly Orphan[]> {
  return listOrphans(project, { live: new Set(live), known: new Set([id]) });
}

/** A finished clone whose maker has died since. */
async function makeLeftClone(): Promise<SandboxClone> {
  const clone = await createSandboxClone({ ...project, id, base: head() });
  const note = join(clone.folders.root, "sandbox.json");
  writeFileSync(note, readFileSync(note, "utf8").replace(/"pid":\d+/, '"pid":999999999'));
  return clone;
}

function gitIn(clone: SandboxClone, ...words: string[]): string {
  return runPlainGit(clone.path, ["-c", "user.name=w", "-c", "user.email=w@w", ...words], project.home);
}

async function hand(clone: SandboxClone): Promise<void> {
  const sandbox = await sandboxOf("bubblewrap");
  await importSandboxWork({ ...project, clone, sandbox, message: "Work\n" });
}

/** Whether it was found, and then removed. */
async function clean(): Promise<boolean> {
  const path = join(project.stateDirectory, "sandboxes", id);
  const found = await orphans();
  expect(found).toStrictEqual([{ kind: "sandbox", id, path }]);
  const [orphan] = found;
  const isRemoved = orphan !== undefined && (await removeOrphan(project, orphan));
  expect(existsSync(path)).toBe(!isRemoved);
  expect(await orphans()).toStrictEqual(isRemoved ? [] : found);
  return isRemoved;
}

describe("a sandbox without an owner", () => {
  it("does not exist while its delegation is live", async () => {
    await makeLeftClone();
    expect(await orphans([id])).toStrictEqual([]);
  });

  it("is removed with its idle branch if no worker did anything in it", async () => {
    await makeLeftClone();
    expect(await clean()).toBe(true);
    expect(project.git("for-each-ref", "refs/heads/delegation")).toBe("");
    expect((await createSandboxClone({ ...project, id, base: head() })).id).toBe(id);
  });

  it("stays while the process that created it runs", async () => {
    await createSandboxClone({ ...project, id, base: head() });
    expect(await clean()).toBe(false);
  });

  it("stays while it has files that were not handed over, and goes afterwards; its branch is kept", async () => {
    const clone = await makeLeftClone();
    writeFileSync(join(clone.path, "src/a.txt"), "b\n");
    expect(await clean()).toBe(false);
    await hand(clone);
    expect(await clean()).toBe(true);
    expect(project.git("show", `delegation/${id}:src/a.txt`)).toBe("b\n");
  });

  it.each([
    ["on its branch", ["commit", "-q", "--allow-empty", "-m", "Work"]],
    ["in a stash", ["stash", "-q"]],
  ])("stays while it has a commit %s that was not handed over", async (_, words) => {
    const clone = await makeLeftClone();
    writeFileSync(join(clone.path, "src/a.txt"), "stashed\n");
    gitIn(clone, ...words);
    gitIn(clone, "checkout", "-q", ".");
    expect(await clean()).toBe(false);
    await hand(clone);
    expect(await clean()).toBe(true);
  });

  it("stays while a commit that the worker left by a reset was not handed over", async () => {
    const clone = await makeLeftClone();
    gitIn(clone, "commit", "-q", "--allow-empty", "-m", "Left");
    const left = gitIn(clone, "rev-parse", "HEAD").trim();
    gitIn(clone, "reset", "-q", "--hard", "HEAD~");
    expect(await clean()).toBe(false);
    await hand(clone);
    expect(await clean()).toBe(true);
    expect(project.git("cat-file", "-t", `refs/ambit/kept/${id}/${left}`).trim()).toBe("commit");
  });

  it("stays while a nested repository has files that were not handed over", async () => {
    const clone = await makeLeftClone();
    gitIn(clone, "init", "-q", "inner");
    writeFileSync(join(clone.path, "inner/file"), "work\n");
    expect(await clean()).toBe(false);
  });

  it("stays if its git folder cannot be read reliably", async () => {
    const clone = await makeLeftClone();
    renameSync(join(clone.path, ".git"), join(clone.folders.root, "moved"));
    symlinkSync(join(clone.folders.root, "moved"), join(clone.path, ".git"));
    expect(await clean()).toBe(false);
    rmSync(join(clone.path, ".git"));
    expect(await clean()).toBe(true);
  });

  it("stays without its note as long as it holds anything", async () => {
    const clone = await makeLeftClone();
    rmSync(join(clone.folders.root, "sandbox.json"));
    writeFileSync(join(clone.path, "new.txt"), "work\n");
    expect(await clean()).toBe(false);
    rmSync(join(clone.path, "new.txt"));
    expect(await clean()).toBe(true);
  });

  it("is not ours if its name is not an id", async () => {
    const path = join(project.stateDirectory, "sandboxes", "what is this");
    mkdirSync(path, { recursive: true });
    const found = await orphans();
    expect(found).toStrictEqual([{ kind: "unknown-folder", path }]);
    for (const orphan of found) expect(await removeOrphan(project, orphan)).toBe(false);
  });

  it.each(["read-tree", "ls-files", "update-ref"])(
    "is half-made if creation was killed at %s; then it goes and the id is free again",
    async (moment) => {
      // With uncommitted work the base is known before the clone is.
      project.write("src/a.txt", "uncommitted\n");
      const { commit } = await takeSnapshot({ ...project, id, checkout: userCheckout(project.repository) });
      const bin = makeKillingGit(join(project.root, "..", "bin"), moment);
      const facts = [project.root, project.home, project.stateDirectory, id, commit];
      spawnSync(process.execPath, ["scripts/run-ts.mjs", "test/workspace/create-sandbox.ts", ...facts], {
        env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
      });
      expect(listSandboxes(project.stateDirectory)).toStrictEqual([id]);
      expect(await openSandboxClone(project, id)).toBeUndefined();
      const scratch = (await orphans()).filter(({ kind }) => kind === "scratch");
      for (const orphan of scratch) expect(await removeOrphan(project, orphan)).toBe(true);
      expect(await clean()).toBe(true);
      expect((await createSandboxClone({ ...project, id, base: commit })).id).toBe(id);
    },
  );

  it("is found if creation was killed before it had its name", async () => {
    const path = join(project.stateDirectory, "sandboxes", `.${id}.999999999-abcdefgh`);
    mkdirSync(path, { recursive: true });
    expect(listSandboxes(project.stateDirectory)).toStrictEqual([]);
    const found = await orphans();
    expect(found).toStrictEqual([{ kind: "scratch", path }]);
    for (const orphan of found) expect(await removeOrphan(project, orphan)).toBe(true);
    expect(existsSync(path)).toBe(false);
  });
});
