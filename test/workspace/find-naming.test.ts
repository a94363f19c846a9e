import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findFileNaming } from "../../src/workspace/find-naming.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

let project: TemporaryRepository;
beforeEach(async () => {
  project = await makeRepository();
});
afterEach(() => project.remove());

function find(): Promise<string | undefined> {
  project.git("add", "-A");
  project.git("commit", "-qm", "More", "--allow-empty");
  return findFileNaming(project.repository, project.git("rev-parse", "HEAD").trim());
}

describe("a tracked file that names the checkout", () => {
  it.each([
    ["exec sh %/test.sh", true],
    ["CFLAGS = -I%", true],
    ["root = '%'", true],
    ["%.worktrees/ambit/w1", false],
    ["%-old/test.sh", false],
    ["../project/test.sh", false],
  ])("with the text %j is found: %s", async (text, isFound) => {
    project.write("odd name: a.sh", `first line\n${text.replace("%", project.root)}\n`);
    expect(await find()).toBe(isFound ? "odd name: a.sh" : undefined);
  });

  it("is found if it is a link, and not if it is a document", async () => {
    project.write("NOTES.md", `See ${project.root}/src.\n`);
    symlinkSync(`${project.root}.worktrees/a`, join(project.root, "beside"));
    expect(await find()).toBeUndefined();
    symlinkSync(join(project.root, "src/a.txt"), join(project.root, "inside"));
    expect(await find()).toBe("inside");
  });
});
