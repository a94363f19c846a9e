import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readLineDates } from "../../src/workspace/git-dates.ts";
import { openRepository } from "../../src/workspace/repository.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

const FIRST = "2026-01-06T09:00:00Z";
const SECOND = "2026-01-07T10:00:00Z";

let project: TemporaryRepository;
beforeEach(async () => {
  project = await makeRepository({ "README.md": "hello\n" });
});
afterEach(() => project.remove());

function commit(message: string, date: string): void {
  execFileSync("git", ["commit", "--quiet", "--all", "-m", message], {
    cwd: project.root,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: project.home,
      GIT_COMMITTER_DATE: date,
      GIT_AUTHOR_DATE: "2020-01-01T00:00:00Z",
    },
  });
}

function dates(text: string, path = "specs/TODO.md"): Promise<readonly (string | null)[]> {
  const { repository, stateDirectory } = project;
  return readLineDates({ repository, stateDirectory, path, text });
}

describe("line dates", () => {
  it("are those of the commits that added the lines, and null for uncommitted ones (R140)", async () => {
    project.write("specs/TODO.md", "one\ntwo\nthree\n");
    project.git("add", "specs/TODO.md");
    commit("first", FIRST);
    project.write("specs/TODO.md", "one\nzwei\nthree\n");
    commit("second", SECOND);
    expect(await dates("one\nzwei\nDREI\nfour")).toStrictEqual([
      "2026-01-06T09:00:00.000Z",
      "2026-01-07T10:00:00.000Z",
      null,
      null,
    ]);
    // What is on disk does not count, only what was handed over.
    project.write("specs/TODO.md", "changed meanwhile\n");
    expect(await dates("one\n")).toStrictEqual(["2026-01-06T09:00:00.000Z"]);
    expect(project.git("status", "--porcelain").trim()).toBe("M specs/TODO.md");
  });

  it("are unknown for a file without history and in a repository without commits", async () => {
    expect(await dates("new\n", "specs/new.md")).toStrictEqual([]);
    project.git("update-ref", "-d", "HEAD");
    expect(await dates("hello\n", "README.md")).toStrictEqual([]);
  });

  it("are read without starting a filter that the repository names", async () => {
    const trace = join(project.home, "filter-ran");
    project.write("specs/TODO.md", "one\n");
    project.write(".gitattributes", "*.md filter=evil diff=evil\n");
    project.git("add", "specs/TODO.md", ".gitattributes");
    commit("first", FIRST);
    project.git("config", "filter.evil.clean", `touch ${trace}; cat`);
    project.git("config", "diff.evil.textconv", `touch ${trace}; cat`);
    expect(await dates("one\n")).toStrictEqual(["2026-01-06T09:00:00.000Z"]);
    expect(existsSync(trace)).toBe(false);
    // The control: the user's own git does start it.
    project.git("blame", "specs/TODO.md");
    expect(existsSync(trace)).toBe(true);
  });

  it("follow a linked worktree's own HEAD", async () => {
    project.write("specs/TODO.md", "one\n");
    project.git("add", "specs/TODO.md");
    commit("first", FIRST);
    const linked = join(project.home, "linked");
    project.git("worktree", "add", "--quiet", "--detach", linked, "HEAD~1");
    const repository = await openRepository(linked, project.repository.host);
    const { stateDirectory } = project;
    expect(await readLineDates({ repository, stateDirectory, path: "specs/TODO.md", text: "one\n" })).toEqual(
      [],
    );
  });
});
