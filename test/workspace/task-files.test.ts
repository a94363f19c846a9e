import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commitPaths } from "../../src/workspace/commit-paths.ts";
import { readCommittedFile } from "../../src/workspace/read-file.ts";
import { takeSnapshotWithout } from "../../src/workspace/snapshot-without.ts";
import { userCheckout } from "../../src/workspace/snapshot.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

let project: TemporaryRepository;

beforeEach(async () => {
  project = await makeRepository();
  project.write("specs/TODO.md", "one\n");
  project.git("add", "-A");
  project.git("commit", "-qm", "tasks");
});

afterEach(() => project.remove());

function snapshotWithout(...paths: string[]) {
  const { repository, stateDirectory } = project;
  return takeSnapshotWithout(
    { repository, stateDirectory, id: "T1", checkout: userCheckout(repository) },
    paths,
  );
}

const show = (commit: string, path: string): string => project.git("show", `${commit}:${path}`);

describe("a snapshot without task files", () => {
  it("has the task files as last committed, and everything else as it is now", async () => {
    project.write("specs/TODO.md", "two\n");
    project.write("specs/state.json", "{}\n");
    project.write("specs/1_x/reports/r.md", "report\n");
    const { commit, hasUncommittedWork } = await snapshotWithout("specs/TODO.md", "specs/state.json");
    expect(hasUncommittedWork).toBe(true);
    expect(show(commit, "specs/TODO.md")).toBe("one\n");
    expect(show(commit, "specs/1_x/reports/r.md")).toBe("report\n");
    expect(project.git("ls-tree", "-r", "--name-only", commit)).not.toContain("specs/state.json");
    expect(project.git("rev-parse", `${commit}^`)).toBe(project.git("rev-parse", "HEAD"));
    // The control: without the rule the changed file is in it.
    expect(show((await snapshotWithout()).commit, "specs/TODO.md")).toBe("two\n");
  });

  it("is HEAD itself if only a task file was removed", async () => {
    rmSync(join(project.root, "specs/TODO.md"));
    const head = project.git("rev-parse", "HEAD").trim();
    expect(await snapshotWithout("specs/TODO.md")).toStrictEqual({ commit: head, hasUncommittedWork: false });
  });
});

describe("reading a committed file", () => {
  it("returns its bytes, and undefined for a missing path or a folder", async () => {
    const { repository } = project;
    expect((await readCommittedFile(repository, "HEAD", "specs/TODO.md"))?.toString()).toBe("one\n");
    expect(await readCommittedFile(repository, "HEAD", "specs/nothing.md")).toBeUndefined();
    expect(await readCommittedFile(repository, "HEAD", "specs")).toBeUndefined();
  });
});

describe("committing files by name", () => {
  const wish = (...paths: string[]) => ({ paths, message: "task 1: plan\n" });

  it("commits exactly the named files, and leaves everything else changed or staged as it is (R144)", async () => {
    project.write("specs/TODO.md", "two\n");
    project.write("specs/new.md", "new\n");
    project.write("mine.txt", "staged\n");
    project.git("add", "mine.txt");
    project.write("mine.txt", "staged and changed\n");
    const made = await commitPaths(project, wish("specs/TODO.md", "specs/new.md"));
    expect(made).toMatchObject({ status: "committed", branch: "refs/heads/main" });
    expect(project.git("show", "--name-status", "--format=%s", "HEAD")).toBe(
      "task 1: plan\n\nM\tspecs/TODO.md\nA\tspecs/new.md\n",
    );
    expect(project.git("status", "--porcelain")).toBe("AM mine.txt\n");
    expect(await commitPaths(project, wish("specs/TODO.md"))).toStrictEqual({ status: "unchanged" });
  });

  it("commits a removed file as removed, and never a link", async () => {
    rmSync(join(project.root, "specs/TODO.md"));
    expect(await commitPaths(project, wish("specs/TODO.md"))).toMatchObject({ status: "committed" });
    expect(project.git("ls-files", "specs")).toBe("");
    mkdirSync(join(project.root, "specs"), { recursive: true });
    symlinkSync("/etc/passwd", join(project.root, "specs/TODO.md"));
    expect(await commitPaths(project, wish("specs/TODO.md"))).toStrictEqual({ status: "unchanged" });
  });

  it("refuses without a branch, in the middle of a merge, and while git holds the index", async () => {
    project.write("specs/TODO.md", "two\n");
    const head = project.git("rev-parse", "HEAD");
    for (const name of ["MERGE_HEAD", "index.lock"]) {
      writeFileSync(join(project.root, ".git", name), "");
      expect(await commitPaths(project, wish("specs/TODO.md"))).toMatchObject({ status: "refused" });
      rmSync(join(project.root, ".git", name));
    }
    project.git("checkout", "-q", "--detach");
    expect(await commitPaths(project, wish("specs/TODO.md"))).toMatchObject({
      status: "refused",
      why: "no branch is checked out",
    });
    expect(project.git("rev-parse", "HEAD")).toBe(head);
    expect(project.git("status", "--porcelain")).toBe(" M specs/TODO.md\n");
  });
});
