import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captureLiveWork } from "../../src/workspace/capture-live-work.ts";
import { createSandboxClone, type SandboxClone } from "../../src/workspace/sandbox-clone.ts";
import { readDiff } from "../../src/workspace/show-diff.ts";
import { runInSandbox, sandboxOf } from "./run-in-sandbox.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

const id = "US-1-DEL-001";
let project: TemporaryRepository;
let clone: SandboxClone;

beforeEach(async () => {
  project = await makeRepository({ ".gitignore": "*.log\n", "a.txt": "a\n", "gone.txt": "x\n" });
  const base = project.git("rev-parse", "HEAD").trim();
  clone = await createSandboxClone({ ...project, id, base });
});
afterEach(() => project.remove());

const listed = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();

const work = (script: string) =>
  sandboxOf("bubblewrap").then((sandbox) =>
    runInSandbox(sandbox, clone, { argv: ["/bin/sh", "-ec", script] }),
  );

async function look(): Promise<readonly string[]> {
  const live = await captureLiveWork(project, id);
  if (live === undefined) return ["no clone"];
  expect(live.from).toBe(clone.base);
  const diff = await readDiff(project.repository, { ...live, kind: "stat", maxBytes: 1_000_000 });
  return diff.files.map(({ kind, path }) => `${kind} ${path}`);
}

it("a look at a sandboxed worker shows its committed, changed, new and deleted files", async () => {
  expect(await look()).toStrictEqual([]);
  await work(
    "echo b > b.txt; git add b.txt; git commit -qm b; echo more >> a.txt; rm gone.txt; echo l > x.log",
  );
  expect(await look()).toStrictEqual(["changed a.txt", "added b.txt", "removed gone.txt"]);
});

it("a look at a sandboxed worker changes nothing in its clone or the user's checkout", async () => {
  await work("echo more >> a.txt");
  const before = [listed(clone.folders.root), userState(project)];
  expect(await look()).toStrictEqual(["changed a.txt"]);
  expect([listed(clone.folders.root), userState(project)]).toStrictEqual(before);
  expect(project.git("for-each-ref", "refs/ambit/work")).toBe("");
});

it("a look at a sandboxed worker runs no program that the worker planted for git", async () => {
  const mark = join(project.home, "mark");
  const script = join(clone.path, "run.sh");
  writeFileSync(script, `#!/bin/sh\necho x > ${mark}\ncat\n`, { mode: 0o755 });
  await work(
    `git config core.fsmonitor ${script}; git config filter.x.clean ${script}; echo '* filter=x' > .gitattributes; echo more >> a.txt`,
  );
  mkdirSync(join(clone.path, ".git/hooks"), { recursive: true });
  writeFileSync(join(clone.path, ".git/hooks/post-index-change"), `#!/bin/sh\necho x > ${mark}\n`, {
    mode: 0o755,
  });
  expect(await look()).toContain("changed a.txt");
  expect(listed(project.home)).not.toContain("mark");
});

it("a look at a sandboxed worker reports that its clone is gone", async () => {
  rmSync(clone.path, { recursive: true });
  expect(await look()).toStrictEqual(["no clone"]);
});
