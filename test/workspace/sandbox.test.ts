import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SandboxReport } from "../../src/containment/probe-sandbox.ts";
import { type ImportedSandboxWork, importSandboxWork } from "../../src/workspace/import-sandbox-work.ts";
import { openRepository } from "../../src/workspace/repository.ts";
import {
  createSandboxClone,
  removeSandboxClone,
  type SandboxClone,
} from "../../src/workspace/sandbox-clone.ts";
import { listSandboxes } from "../../src/workspace/sandbox/record.ts";
import { agentSettingsPaths } from "../../src/agents/agent-programs.ts";
import { checkScope } from "../../src/workspace/scope.ts";
import { runInSandbox, sandboxOf, type SandboxRun } from "./run-in-sandbox.ts";
import { makeRepository, runPlainGit, type TemporaryRepository } from "./temporary-repository.ts";
import { userState } from "./user-state.ts";

const id = "US-1-DEL-007";
let project: TemporaryRepository;
let clone: SandboxClone;

beforeEach(async () => {
  project = await makeRepository({ ".gitignore": "*.log\n.env\n", "src/a.txt": "a\n", "src/b.txt": "b\n" });
});

afterEach(() => project.remove());

async function makeClone(name = id): Promise<SandboxClone> {
  const { repository, stateDirectory } = project;
  return createSandboxClone({
    repository,
    stateDirectory,
    id: name,
    base: project.git("rev-parse", "HEAD").trim(),
  });
}

describe("a sandbox clone", () => {
  it("is a separate repository on the delegation's branch, without remote, hooks or tags", async () => {
    project.git("tag", "v1");
    project.git("remote", "add", "origin", "https://example.org/x.git");
    const before = userState(project);
    clone = await makeClone();
    const git = (...words: string[]): string => runPlainGit(clone.path, words, project.home).trim();
    expect(statSync(join(clone.path, ".git")).isDirectory()).toBe(true);
    expect(git("rev-parse", "--git-common-dir")).toBe(".git");
    expect(git("symbolic-ref", "HEAD")).toBe(`refs/heads/delegation/${id}`);
    expect(git("rev-parse", "HEAD")).toBe(clone.base);
    expect(git("for-each-ref", "--format=%(refname)")).toBe(`refs/heads/delegation/${id}`);
    expect(git("remote")).toBe("");
    expect(git("status", "--porcelain")).toBe("");
    expect(existsSync(join(clone.path, ".git/hooks"))).toBe(false);
    expect(readFileSync(join(clone.path, ".git/config"), "utf8")).not.toContain("remote");
    expect(readdirSync(join(clone.path, ".git/objects/pack"))).toStrictEqual([]);
    expect(project.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
    expect(userState(project)).toStrictEqual(before);
  });

  it("contains what .worktreeinclude names and dependency folders, as copies", async () => {
    project.write(".worktreeinclude", ".env\n");
    project.write(".env", "KEY=1\n");
    project.write(".gitignore", "*.log\n.env\nnode_modules/\n");
    project.write("node_modules/x/index.js", "1\n");
    clone = await makeClone();
    expect(clone.included).toStrictEqual([".env"]);
    expect(clone.dependencies).toStrictEqual([{ path: "node_modules", way: "copy" }]);
    const copy = join(clone.path, "node_modules/x/index.js");
    expect(statSync(copy).ino).not.toBe(statSync(join(project.root, "node_modules/x/index.js")).ino);
  });

  it("shows the objects that the user's repository itself borrows", async () => {
    const folder = join(project.root, "..", "borrower");
    runPlainGit(project.root, ["clone", "-q", "--shared", project.root, folder], project.home);
    const repository = await openRepository(folder, project.repository.host);
    const base = project.git("rev-parse", "HEAD").trim();
    clone = await createSandboxClone({ repository, stateDirectory: join(folder, ".git/ambit"), id, base });
    expect(clone.readOnly).toStrictEqual([join(folder, ".git/objects"), join(project.root, ".git/objects")]);
    const run = await runInSandbox(await sandboxOf("bubblewrap"), clone, {
      argv: ["git", "cat-file", "-p", "HEAD:src/a.txt"],
    });
    expect(run).toMatchObject({ code: 0, stdout: "a\n" });
  });

  it("is refused if one of its name exists, and is kept while its work is not imported", async () => {
    clone = await makeClone();
    await expect(makeClone()).rejects.toMatchObject({ code: "BRANCH_EXISTS" });
    await expect(removeSandboxClone(project, id)).rejects.toMatchObject({ code: "WORK_NOT_IMPORTED" });
    expect(listSandboxes(project.stateDirectory)).toStrictEqual([id]);
  });
});

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const pointerTo = (text: string): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${hashOf(text)}\nsize ${Buffer.byteLength(text)}\n`;

/** What lies in the folder of Git LFS under the name of its hash. */
function lfsContents(): readonly string[] {
  const folder = join(project.root, ".git/lfs/objects");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }))
    .filter(({ name, text }) => name.endsWith(hashOf(text)))
    .map(({ text }) => text)
    .toSorted();
}

describe.each(["bubblewrap", "landlock"] as const)("work handed over from %s", (tier) => {
  let sandbox: SandboxReport;

  beforeEach(async () => {
    sandbox = await sandboxOf(tier);
    clone = await makeClone();
  });

  const run = async (script: string): Promise<SandboxRun> => {
    const ended = await runInSandbox(sandbox, clone, { argv: ["/bin/sh", "-ec", script] });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    return ended;
  };

  const take = (settings: { readonly maxPackBytes?: number } = {}): Promise<ImportedSandboxWork> =>
    importSandboxWork({ ...project, clone, sandbox, message: "Do the work\n", ...settings });

  const paths = ({ filesChanged }: ImportedSandboxWork): readonly string[] =>
    filesChanged.map(({ kind, path }) => `${kind} ${path}`);

  it("keeps files behind Git LFS as pointers, with the content of changed ones where LFS looks for it", async () => {
    const pointer = pointerTo("large\n");
    project.write(".gitattributes", "*.bin filter=lfs -text\n");
    for (const name of ["a.bin", "put in place.bin", "same.bin"]) project.write(name, pointer);
    project.git("add", "-A");
    project.git("commit", "-qm", "Pointers");
    clone = await makeClone("US-1-DEL-008");
    await run("echo large > 'put in place.bin'; echo x > src/a.txt");
    expect(paths(await take())).toStrictEqual(["changed src/a.txt"]);
    await run(
      "echo other > a.bin; echo new > 'src/new\nname.bin'; echo plain > plain.txt; ln -s a.bin link.bin",
    );
    await run("chmod +x a.bin; git add a.bin; git commit -qm 'My own, without LFS'");
    const { tip, ...work } = await take();
    expect(paths({ tip, ...work }).filter((one) => one.includes("bin"))).toStrictEqual([
      "changed a.bin",
      "added link.bin",
      "added src/new\nname.bin",
    ]);
    expect(project.git("show", `${tip}:a.bin`)).toBe(pointerTo("other\n"));
    expect(project.git("ls-tree", tip, "a.bin")).toContain("100755");
    expect(project.git("show", `${tip}:put in place.bin`)).toBe(pointer);
    expect(project.git("show", `${tip}:src/new\nname.bin`)).toBe(pointerTo("new\n"));
    expect(project.git("show", `${tip}:plain.txt`)).toBe("plain\n");
    expect(lfsContents()).toStrictEqual(["new\n", "other\n"]);
    await removeSandboxClone(project, clone.id);
  });

  it("contains tracked and untracked changes, not ignored ones; the user's checkout stays unchanged", async () => {
    const before = userState(project);
    await run("echo changed > src/a.txt; rm src/b.txt; mkdir new; echo new > new/file; echo x > debug.log");
    const work = await take();
    expect(paths(work)).toStrictEqual(["added new/file", "changed src/a.txt", "removed src/b.txt"]);
    expect(work).toMatchObject({ base: clone.base, kept: [], leftOut: [], historyDropped: false });
    for (const ref of [`refs/ambit/work/${id}`, `refs/heads/delegation/${id}`])
      expect(project.git("rev-parse", ref).trim()).toBe(work.tip);
    expect(project.git("log", "-1", "--format=%an|%cn|%s", work.tip).trim()).toBe("Ada|ambit|Do the work");
    expect(project.git("fsck", "--strict")).toBe("");
    expect(userState(project)).toStrictEqual(before);
  });

  it("keeps the worker's own commits, even those it left by a reset", async () => {
    const left = await run(
      "echo one > src/a.txt; git commit -qam One; git rev-parse HEAD; git reset -q --hard HEAD~; " +
        "echo two > src/b.txt; git commit -qam Two; echo three > src/b.txt",
    );
    const work = await take();
    expect(work.kept).toStrictEqual([left.stdout.trim()]);
    expect(project.git("log", "--format=%s", `${work.base}..${work.tip}`).trim()).toBe("Do the work\nTwo");
    expect(project.git("rev-parse", `refs/ambit/kept/${id}/${left.stdout.trim()}`).trim()).toBe(
      left.stdout.trim(),
    );
  });

  it("reports that nothing changed; then the sandbox can be removed", async () => {
    const work = await take();
    expect(work).toMatchObject({ tip: clone.base, nothingChanged: true, filesChanged: [] });
    await removeSandboxClone(project, id);
    expect(listSandboxes(project.stateDirectory)).toStrictEqual([]);
  });

  it("includes the files of nested repositories, and nothing that the ignore rules name", async () => {
    await run(
      "git init -q lib; cd lib; echo l > l.txt; echo x > l.log; git add -A; git -c user.name=w -c user.email=w@w commit -qm Lib; " +
        "git init -q deep; echo d > deep/d.txt; git init -q ../empty",
    );
    expect(paths(await take())).toStrictEqual(["added lib/deep/d.txt", "added lib/l.txt"]);
  });

  it("includes the files although .git is gone, a file, or a folder with hostile settings", async () => {
    const hostile =
      "rm -rf .git; git init -q .; git config core.fsmonitor 'touch fired'; git config core.hooksPath .; " +
      "printf '#!/bin/sh\\ntouch fired\\n' > post-index-change; chmod +x post-index-change; echo hi > src/a.txt";
    await run(hostile);
    const work = await take();
    expect(paths(work)).toStrictEqual(["added post-index-change", "changed src/a.txt"]);
    expect(existsSync(join(clone.path, "fired"))).toBe(false);
  });

  it("runs no filter from the user's or the worker's settings, inside or outside the sandbox", async () => {
    const fired = join(project.root, "..", "fired");
    project.git("config", "filter.x.clean", `touch ${fired}; cat`);
    await run(
      "echo '* filter=x' > .gitattributes; git config filter.x.clean 'touch fired; cat'; echo 1 > src/a.txt",
    );
    expect(paths(await take())).toStrictEqual(["added .gitattributes", "changed src/a.txt"]);
    expect(existsSync(fired)).toBe(false);
    expect(existsSync(join(clone.path, "fired"))).toBe(false);
  });

  it("names files that cannot be stored; if its history is incomplete, it loses only the history", async () => {
    await run(
      "mkdir 'git~1'; echo x > 'git~1/config'; mkfifo pipe; echo 1 > src/a.txt; git commit -qam One; " +
        "for id in $(git rev-parse HEAD:src/a.txt HEAD^{tree}); " +
        "do rm -f .git/objects/$(echo $id | sed 's,^..,&/,'); done; echo 2 > src/a.txt",
    );
    const work = await take();
    expect(paths(work)).toStrictEqual(["changed src/a.txt"]);
    expect(work).toMatchObject({ leftOut: ["git~1/config"], historyDropped: true });
    expect(project.git("show", `${work.tip}:src/a.txt`)).toBe("2\n");
  });

  it("is checked against scope and sensitive paths like any other work", async () => {
    await run("mkdir -p .github; echo x > .github/ci.yml; ln -s /etc/passwd src/link; echo y > src/a.txt");
    const { base, tip } = await take();
    const report = await checkScope(project.repository, {
      base,
      tip,
      fileScope: ["src/**"],
      agentSettings: agentSettingsPaths,
    });
    expect(report).toMatchObject({ isClear: false, outsideScope: [".github/ci.yml"] });
    expect(report.modes).toStrictEqual([{ path: "src/link", change: "link" }]);
  });

  it("is refused above the size limit; the files stay and nothing changes", async () => {
    await run("head -c 300000 /dev/urandom > big");
    const before = project.git("for-each-ref");
    await expect(take({ maxPackBytes: 200_000 })).rejects.toMatchObject({ code: "HAND_OVER_REFUSED" });
    expect(project.git("for-each-ref")).toBe(before);
    expect(statSync(join(clone.path, "big")).size).toBe(300_000);
    expect(paths(await take())).toStrictEqual(["added big"]);
  });

  it("includes names that are not UTF-8", async () => {
    await run("printf x > \"$(printf 'caf\\351')\"; mkdir 'a b'; echo y > 'a b/c\nd'");
    expect(paths(await take())).toStrictEqual(["added a b/c\nd", 'added "caf\\351"']);
  });
});

it("a sandbox hands over a same-size change that was made in the second of the checkout", async () => {
  const second = (): number => Math.floor(Date.now() / 1000);
  const nextSecond = async (): Promise<void> => {
    for (const now = second(); second() === now;) await new Promise((resolve) => setImmediate(resolve));
  };
  const changeWithinOneSecond = async (name: string): Promise<boolean> => {
    await nextSecond();
    clone = await makeClone(name);
    const path = join(clone.path, "src/a.txt");
    const before = Math.floor(statSync(path).ctimeMs / 1000);
    writeFileSync(path, "b\n");
    return Math.floor(statSync(path).ctimeMs / 1000) === before;
  };
  // A busy machine may need longer than one second for the checkout.
  const rounds = Array.from({ length: 10 }, (_, round) => `US-1-DEL-${100 + round}`);
  let isWithin = false;
  for (const name of rounds) if (!isWithin) isWithin = await changeWithinOneSecond(name);
  expect(isWithin).toBe(true);
  await nextSecond();
  const sandbox = await sandboxOf("bubblewrap");
  const work = await importSandboxWork({ ...project, clone, sandbox, message: "Quick\n" });
  expect(work.filesChanged.map(({ path: name }) => name)).toStrictEqual(["src/a.txt"]);
});

it("a sandbox of a shallow repository hands over its work", async () => {
  project.write("src/a.txt", "second\n");
  project.git("commit", "-qam", "Second");
  const folder = join(project.root, "..", "shallow");
  runPlainGit(project.root, ["clone", "-q", "--depth=1", `file://${project.root}`, folder], project.home);
  const repository = await openRepository(folder, project.repository.host);
  const stateDirectory = join(folder, ".git/ambit");
  const base = runPlainGit(folder, ["rev-parse", "HEAD"], project.home).trim();
  const sandbox = await sandboxOf("bubblewrap");
  clone = await createSandboxClone({ repository, stateDirectory, id, base });
  mkdirSync(join(clone.path, "more"));
  writeFileSync(join(clone.path, "more/file"), "1\n");
  const work = await importSandboxWork({ repository, stateDirectory, clone, sandbox, message: "More\n" });
  expect(work.filesChanged.map(({ path }) => path)).toStrictEqual(["more/file"]);
  expect(runPlainGit(folder, ["fsck"], project.home)).toBe("");
});
