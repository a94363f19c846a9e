import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getStateDirectory } from "../../src/project/state-directory.ts";
import { getStateFolders } from "../../src/workspace/files/state-folders.ts";
import { makeProject, type Project } from "./project.ts";

let project: Project;
beforeAll(() => {
  project = makeProject();
});
afterAll(() => project.remove());

const listBranches = (): string => project.git("branch", "--list", "delegation/*");

it("clean names every thing it removes, and a dry run says the same and removes nothing", async () => {
  await project.ambit("run", "Write", "--id", "K1", "--check", "test -f b.txt", "--", "touch", "b.txt");
  await project.ambit("supervisor", "stop");
  // A killed owner leaves a branch without work, a ref that only a person can judge, and a folder set aside.
  project.git("branch", "delegation/GHOST-1");
  project.git("update-ref", "refs/ambit/work/GHOST-2", "HEAD");
  const aside = join(getStateFolders(getStateDirectory(project.root)).trash, "old-tree");
  mkdirSync(aside, { recursive: true });

  const planned = await project.ambit("clean", "--dry-run");
  expect(existsSync(aside)).toBe(true);
  expect(listBranches()).toContain("GHOST-1");
  const done = await project.ambit("clean");
  expect(existsSync(aside)).toBe(false);
  expect(listBranches()).not.toContain("GHOST-1");

  const note = "Nothing has happened yet: this is what ambit clean would do.\n";
  expect(planned.stdout).toBe(`${done.stdout}${note}`);
  expect(done.stdout.split("\n")).toEqual(
    expect.arrayContaining([
      "removed  branch refs/heads/delegation/GHOST-1",
      `deleted  folder ${aside}`,
      "left     ref refs/ambit/work/GHOST-2",
    ]),
  );
});
