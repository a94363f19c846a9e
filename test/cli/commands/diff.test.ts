import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { end, start } from "../../reports/fill-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { json, openWork, run } from "./filled-repository.ts";
import { completedStory, keepWork, storyRepository, type StoryRepository } from "./story-repository.ts";

describe("ambit diff", () => {
  it("shows the files first, then a patch that git can apply", async () => {
    const { directory, git } = await completedStory();
    const { exitCode, stdout } = await run(directory, ["diff"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^M {2}a\.txt {4}\+1 −0\nA {2}new\.txt {2}\+1 −0\n2 files, \+2 −0\n\ndiff --git/);
    const patch = join(temporaryFolder(), "patch");
    writeFileSync(patch, `${stdout}\n`);
    execFileSync("git", ["apply", "--index", patch], { cwd: directory });
    expect(git("diff", "--name-only", "ambit/S-1")).toBe("");
  });

  it("shows less with --stat or --name-only, and refuses both together", async () => {
    const { directory } = await completedStory();
    expect((await run(directory, ["diff", "--name-only"])).stdout).toBe("a.txt\nnew.txt");
    expect((await run(directory, ["diff", "--stat"])).stdout).not.toContain("diff --git");
    const { exitCode, stderr } = await run(directory, ["diff", "--stat", "--name-only"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--stat and --name-only");
  });

  it("gives both commits, the files and the patch as JSON", async () => {
    const { directory, git } = await completedStory();
    expect(await json(directory, ["diff", "S-1"])).toMatchObject({
      story: "S-1",
      id: "S-1",
      against: "base",
      from: git("rev-parse", "main"),
      to: git("rev-parse", "ambit/S-1"),
      files: [{ path: "a.txt" }, { path: "new.txt", kind: "added" }],
      added: 2,
      removed: 0,
      patch: expect.stringContaining("+two"),
      is_cut: false,
    });
    expect(await json(directory, ["diff", "--stat"])).toMatchObject({ patch: null });
  });

  async function withWorker(): Promise<StoryRepository> {
    const repository = storyRepository();
    const base = repository.git("rev-parse", "main");
    const proven = repository.commitOn(base, { "proven.txt": "yes\n" });
    repository.git("branch", "ambit/S-1", proven);
    const tip = repository.commitOn(base, { "a.txt": "worker\n" });
    await repository.withStore(async (store) => {
      await openWork(store, "S-1");
      await keepWork(store, "S-1", { base, tip: proven, files: [] });
      const { id } = await start(store, "S-1", { description: "worker" });
      await keepWork(store, id, { base, tip, files: ["a.txt"] });
      await start(store, "S-1", { description: "has kept nothing" });
      await end(store, id, { outcome: "partial", summary: "Half." });
    });
    return repository;
  }

  it("shows what one worker changed, not what others changed in the meantime", async () => {
    const { directory } = await withWorker();
    expect((await run(directory, ["diff", "1", "--name-only"])).stdout).toBe("a.txt");
    const against = await run(directory, ["diff", "1", "--name-only", "--against", "story"]);
    expect(against).toMatchObject({ exitCode: 0, stdout: "a.txt" });
  });

  it("marks the lines where a worker's change conflicts with the story", async () => {
    const repository = await withWorker();
    const other = repository.commitOn("ambit/S-1", { "a.txt": "other\n" });
    repository.git("branch", "--force", "ambit/S-1", other);
    const { stdout, stderr } = await run(repository.directory, ["diff", "1", "--against", "story"]);
    expect(stderr).toContain("conflicts with the story in a.txt");
    expect(stdout).toContain("+<<<<<<<");
  });

  it("says that a worker has no saved work yet, and names the command that shows its logs", async () => {
    const { directory } = await withWorker();
    const { exitCode, stderr } = await run(directory, ["diff", "2"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("S-1-DEL-002 is running and has no saved work yet.");
    expect(stderr).toContain("ambit logs S-1-DEL-002");
  });

  it("refuses an unknown word after --against", async () => {
    const { directory } = await completedStory();
    expect((await run(directory, ["diff", "--against", "moon"])).exitCode).toBe(2);
  });
});
