import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listStoryBranches } from "../../src/workspace/story-branches.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

let project: TemporaryRepository;
beforeEach(async () => {
  project = await makeRepository();
});
afterEach(() => project.remove());

function list(): readonly (readonly [string, boolean])[] {
  const branches = listStoryBranches(project.repository.commonDirectory);
  return [...branches]
    .map(([story, { isMerged }]) => [story, isMerged] as const)
    .toSorted(([one], [other]) => one.localeCompare(other));
}

describe("the branches of stories", () => {
  it("are found as files and in the list of packed refs, each once", () => {
    project.git("branch", "ambit/S-1");
    project.git("branch", "ambit/S-2");
    project.git("update-ref", "refs/ambit/undo/S-2", "HEAD");
    project.git("pack-refs", "--all");
    project.git("branch", "ambit/S-3");
    project.git("update-ref", "refs/ambit/undo/S-3", "HEAD");
    project.git("branch", "--force", "ambit/S-1", "HEAD");
    expect(list()).toStrictEqual([
      ["S-1", false],
      ["S-2", true],
      ["S-3", true],
    ]);
    project.git("branch", "-D", "ambit/S-2");
    expect(list().map(([story]) => story)).toStrictEqual(["S-1", "S-3"]);
  });

  it("are empty if nothing was merged yet, and a lock is not a branch", () => {
    expect(list()).toStrictEqual([]);
    project.git("branch", "ambit/S-1");
    writeFileSync(join(project.root, ".git/refs/heads/ambit/S-9.lock"), "");
    expect(list()).toStrictEqual([["S-1", false]]);
  });

  it("exclude branches with a similar name", () => {
    project.git("branch", "my-ambit/S-1");
    project.git("branch", "feature/refs/heads/ambit/S-2");
    project.git("pack-refs", "--all");
    expect(list()).toStrictEqual([]);
  });
});
