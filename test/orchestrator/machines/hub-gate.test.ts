import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HubGate } from "../../../src/orchestrator/machines/open-cluster.ts";
import { Hub } from "../../../src/workspace/hub.ts";
import { openRepository } from "../../../src/workspace/repository.ts";
import { commitProject } from "../../slow/commit-project.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-gate-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (place: string, ...words: string[]): string =>
  execFileSync("git", ["-C", place, ...words], { encoding: "utf8" }).trim();

it("pushes the base of a workspace unless it came from the hub, and the base of all kept work", async () => {
  const [root, bare] = [join(folder, "project"), join(folder, "hub.git")];
  execFileSync("git", ["init", "--quiet", "--bare", bare]);
  commitProject(root, { file: "one\n" }, "start");
  const [base, branch] = [git(root, "rev-parse", "HEAD"), "refs/heads/ambit/S1"];
  const host = { searchPath: process.env["PATH"] ?? "", home: folder };
  const hub = new Hub({ url: bare, repository: await openRepository(root, host) });
  const gate = new HubGate();
  gate.hub = hub;
  const listRefs = (): readonly string[] =>
    git(bare, "for-each-ref", "--format=%(refname)").split("\n").toSorted();
  const begin = (delegation: string): Promise<void> =>
    gate.pushNamed({
      type: "workspace-created",
      story: "S1",
      delegation,
      attempt: 1,
      data: { path: "/place", branch: "b", isolation: "worktree", base, durationMs: 1 },
    });
  await begin("S1-DEL-001");
  expect(listRefs()).toEqual(["refs/ambit/base/S1-DEL-001"]);
  git(root, "push", "--quiet", bare, `${base}:${branch}`);
  expect(await hub.readRef(branch)).toBe(base);
  await begin("S1-DEL-002");
  expect(listRefs()).toEqual(["refs/ambit/base/S1-DEL-001", branch]);
  await gate.pushNamed({
    type: "work-kept",
    story: "S1",
    delegation: "S1-DEL-002",
    attempt: 1,
    data: { base, tip: base, filesChanged: [] },
  });
  expect(listRefs()).toContain("refs/ambit/base/S1-DEL-002");
  // What the hub has forgotten is not known to be there any more.
  await hub.forget((id) => id === "S1");
  await begin("S1-DEL-003");
  expect(listRefs()).toContain("refs/ambit/base/S1-DEL-003");
});
