import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeSnapshot, userCheckout, type Snapshot } from "../../src/workspace/snapshot.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

let project: TemporaryRepository;

beforeEach(async () => {
  project = await makeRepository();
});

afterEach(() => project.remove());

function snapshot(id = "US-1-DEL-001"): Promise<Snapshot> {
  const { repository, stateDirectory } = project;
  return takeSnapshot({ repository, stateDirectory, id, checkout: userCheckout(repository) });
}

function filesOf(commit: string): readonly string[] {
  return project.git("ls-tree", "-r", "--name-only", commit).trim().split("\n");
}

describe("a snapshot of the manager's state", () => {
  it("is HEAD itself if nothing is uncommitted", async () => {
    const taken = await snapshot();
    expect(taken).toMatchObject({
      commit: project.git("rev-parse", "HEAD").trim(),
      branch: "main",
      hasUncommittedWork: false,
      leftOut: [],
    });
  });

  it("contains changed, staged, deleted, renamed and untracked files", async () => {
    project.write("src/a.txt", "changed\n");
    project.write("staged.txt", "staged\n");
    project.git("add", "staged.txt");
    project.write("staged.txt", "staged, then changed\n");
    rmSync(join(project.root, "src/b.txt"));
    project.git("mv", "README.md", "INTRO.md");
    project.write("new folder/ä.txt", "untracked\n");
    chmodSync(join(project.root, "src/a.txt"), 0o755);
    symlinkSync("src/a.txt", join(project.root, "link"));
    const before = userState(project);
    const taken = await snapshot();
    expect(taken.hasUncommittedWork).toBe(true);
    const listed = project
      .git("-c", "core.quotePath=false", "ls-tree", "-r", taken.commit)
      .trim()
      .split("\n");
    expect(listed.map((line) => line.replace(/ blob [0-9a-f]+\t/, " "))).toStrictEqual([
      "100644 INTRO.md",
      "120000 link",
      "100644 new folder/ä.txt",
      "100755 src/a.txt",
      "100644 staged.txt",
    ]);
    expect(project.git("show", `${taken.commit}:staged.txt`)).toBe("staged, then changed\n");
    expect(project.git("rev-parse", `${taken.commit}^`)).toBe(project.git("rev-parse", "HEAD"));
    expect(project.git("rev-parse", "refs/ambit/base/US-1-DEL-001").trim()).toBe(taken.commit);
    expect(userState(project)).toStrictEqual(before);
  });

  it("leaves out ignored files and Ambit's own state, and names large files that it leaves out", async () => {
    project.write(".gitignore", "*.log\n");
    project.write("debug.log", "x");
    project.write(".git/ambit/secret", "x");
    writeFileSync(join(project.home, "ignored-everywhere"), "*.swp\n");
    execFileSync("git", ["config", "--global", "core.excludesFile", "~/ignored-everywhere"], {
      env: { ...process.env, HOME: project.home },
    });
    project.write("a.swp", "x");
    mkdirSync(join(project.root, ".git/info"), { recursive: true });
    writeFileSync(join(project.root, ".git/info/exclude"), "mine.txt\n");
    project.write("mine.txt", "x");
    writeFileSync(join(project.root, "huge.bin"), Buffer.alloc(51 * 1024 * 1024));
    const taken = await snapshot();
    expect(filesOf(taken.commit)).toStrictEqual([".gitignore", "README.md", "src/a.txt", "src/b.txt"]);
    expect(taken.leftOut.map(({ path, reason }) => [String(path), reason])).toStrictEqual([
      ["huge.bin", "too-large"],
    ]);
  });

  it("leaves out untracked secrets and environments, and counts what it takes", async () => {
    for (const path of [
      ".env",
      "config/.env.local",
      "key.pem",
      "deploy/id_rsa",
      "prod.env",
      "db-password.txt",
      "gcp_credentials.json",
      "node_modules/left/index.js",
      "api/venv/bin/python",
      "own-name/pyvenv.cfg",
      "own-name/bin/python",
    ])
      project.write(path, "private\n");
    for (const path of [".env.example", "src/environment.ts", "id_rsa.pub", "src/secrets.py"])
      project.write(path, "public\n");
    project.write("src/a.txt", "changed\n");
    project.write(".npmrc", "tracked\n");
    project.git("add", ".npmrc");
    const taken = await snapshot();
    expect(filesOf(taken.commit)).toStrictEqual([
      ".env.example",
      ".npmrc",
      "README.md",
      "id_rsa.pub",
      "src/a.txt",
      "src/b.txt",
      "src/environment.ts",
      "src/secrets.py",
    ]);
    expect(taken.counts).toStrictEqual({ changed: 2, untracked: 4 });
    expect(taken.leftOut.map(({ path, reason }) => `${String(path)} ${reason}`).sort()).toStrictEqual([
      ".env looks-secret",
      "api/venv/ environment",
      "config/.env.local looks-secret",
      "db-password.txt looks-secret",
      "deploy/id_rsa looks-secret",
      "gcp_credentials.json looks-secret",
      "key.pem looks-secret",
      "node_modules/ environment",
      "own-name/ environment",
      "prod.env looks-secret",
    ]);
  });

  it("leaves nested repositories out and never enters them", async () => {
    project.write("nested/inner.txt", "x");
    execFileSync("git", ["init", "-q"], { cwd: join(project.root, "nested") });
    project.write("plain.txt", "x");
    const taken = await snapshot();
    expect(filesOf(taken.commit)).toContain("plain.txt");
    expect(filesOf(taken.commit)).not.toContain("nested/inner.txt");
    expect(taken.leftOut.map(({ path, reason }) => [String(path), reason])).toStrictEqual([
      ["nested/", "nested-repository"],
    ]);
  });

  it("does not mistake the content of an unchanged file behind Git LFS for a change", async () => {
    const hash = createHash("sha256").update("large").digest("hex");
    project.git("config", "filter.lfs.smudge", "cat");
    project.write(".gitattributes", "*.bin filter=lfs -text\n");
    project.write("data.bin", `version https://git-lfs.github.com/spec/v1\noid sha256:${hash}\nsize 5\n`);
    project.git("add", "-A");
    project.git("commit", "-qm", "Pointer");
    project.write("data.bin", "large");
    expect(await snapshot()).toMatchObject({ hasUncommittedWork: false, leftOut: [] });
    project.write("data.bin", "changed");
    expect(await snapshot("US-1-DEL-002")).toMatchObject({ leftOut: [{ reason: "behind-a-filter" }] });
  });

  it("keeps files behind a filter as committed", async () => {
    project.git("config", "filter.big.clean", "sed s/.*/pointer/");
    project.git("config", "filter.big.smudge", "cat");
    project.git("config", "filter.big.required", "true");
    project.write(".gitattributes", "*.bin filter=big\n");
    project.write("data.bin", "content\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "Large file");
    project.write("data.bin", "other content\n");
    project.write("src/a.txt", "changed\n");
    const taken = await snapshot();
    expect(project.git("show", `${taken.commit}:data.bin`)).toBe("pointer\n");
    expect(project.git("show", `${taken.commit}:src/a.txt`)).toBe("changed\n");
    expect(taken.leftOut.map(({ path, reason }) => [String(path), reason])).toStrictEqual([
      ["data.bin", "behind-a-filter"],
    ]);
  });

  it("includes files with conflict markers unchanged and counts them", async () => {
    project.git("checkout", "-qb", "other");
    project.write("src/a.txt", "theirs\n");
    project.git("commit", "-qam", "Theirs");
    project.git("checkout", "-q", "main");
    project.write("src/a.txt", "ours\n");
    project.git("commit", "-qam", "Ours");
    expect(() => project.git("merge", "other")).toThrow();
    const before = userState(project);
    const taken = await snapshot();
    expect(taken.conflicted).toBe(1);
    expect(project.git("show", `${taken.commit}:src/a.txt`)).toContain("<<<<<<< HEAD");
    expect(userState(project)).toStrictEqual(before);
  });

  it("is taken even if the user's git changes the index at the same moment", async () => {
    project.git("checkout", "-qb", "other");
    project.write("src/a.txt", "theirs\n");
    project.git("commit", "-qam", "Theirs");
    project.git("checkout", "-q", "main");
    project.write("src/a.txt", "ours\n");
    project.git("commit", "-qam", "Ours");
    project.write("untracked.txt", "new\n");
    const bin = join(project.root, "..", "bin");
    mkdirSync(bin);
    // A merge that ends in a conflict, right after the checkout was compared.
    const clean = `env -i PATH=/usr/bin:/bin HOME=${project.home}`;
    const merge = `${clean} git -C ${project.root} merge -q other > /dev/null 2>&1`;
    writeFileSync(
      join(bin, "git"),
      `#!/bin/sh\ncase "$*" in *" status "*) /usr/bin/git "$@"; code=$?; ${merge}; exit $code;; esac\nexec /usr/bin/git "$@"\n`,
      { mode: 0o755 },
    );
    const host = { ...project.repository.host, searchPath: `${bin}:${project.repository.host.searchPath}` };
    const repository = { ...project.repository, host };
    const taken = await takeSnapshot({
      repository,
      stateDirectory: project.stateDirectory,
      id: "US-1-DEL-001",
      checkout: userCheckout(repository),
    });
    expect(project.git("ls-files", "--unmerged")).not.toBe("");
    expect(project.git("show", `${taken.commit}:untracked.txt`)).toBe("new\n");
  });

  it("reads a split index, and leaves it unchanged", async () => {
    project.git("update-index", "--split-index");
    project.write("src/a.txt", "changed\n");
    const before = userState(project);
    const taken = await snapshot();
    expect(project.git("show", `${taken.commit}:src/a.txt`)).toBe("changed\n");
    expect(filesOf(taken.commit)).toHaveLength(3);
    expect(userState(project)).toStrictEqual(before);
  });

  it("converts line endings as the user's own git does", async () => {
    project.git("config", "core.autocrlf", "true");
    project.write("dos.txt", "one\r\ntwo\r\n");
    const taken = await snapshot();
    expect(project.git("cat-file", "-p", `${taken.commit}:dos.txt`)).toBe("one\ntwo\n");
  });

  it("keeps names that are not UTF-8", async () => {
    const name = Buffer.concat([
      Buffer.from(`${project.root}/caf`),
      Buffer.from([0xe9]),
      Buffer.from(".txt"),
    ]);
    writeFileSync(name, "latin\n");
    const taken = await snapshot();
    expect(project.git("ls-tree", "-r", "--name-only", taken.commit)).toContain('"caf\\351.txt"');
  });

  it("works while the user's index is locked", async () => {
    writeFileSync(join(project.root, ".git/index.lock"), "");
    project.write("src/a.txt", "changed\n");
    const taken = await snapshot();
    expect(project.git("show", `${taken.commit}:src/a.txt`)).toBe("changed\n");
    expect(readFileSync(join(project.root, ".git/index.lock"), "utf8")).toBe("");
  });

  it("refuses a repository without a commit, with what to do", async () => {
    project.git("checkout", "-q", "--orphan", "empty");
    await expect(snapshot()).rejects.toMatchObject({ code: "UNBORN_HEAD" });
  });

  it("refuses an id that cannot be a branch name", async () => {
    await expect(snapshot("../escape")).rejects.toMatchObject({ code: "INVALID_WORKSPACE_ID" });
  });
});
