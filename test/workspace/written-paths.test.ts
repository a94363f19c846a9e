import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { advanceWorkspace } from "../../src/workspace/advance-workspace.ts";
import { waitForWorkspace } from "../../src/workspace/find-workspace.ts";
import { importWork } from "../../src/workspace/import-work.ts";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { canMountOverlay } from "../../src/workspace/prepare/overlay.ts";
import { openRepository } from "../../src/workspace/repository.ts";
import type { WorkspaceSettings } from "../../src/workspace/worktree.ts";
import { createRandom, type Random } from "../slow/random.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

const ID = "US-1-DEL-001";
const FOLDERS = ["a", "b", "c", "a/deep", "b/deep"];
const ROUNDS = 5;
/** The last eight exchange folders that were exchanged before. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 111, 131, 174, 186, 195, 200, 278, 282];

let project: TemporaryRepository;
let settings: WorkspaceSettings;
let calls: string;
let path: string;

/** Folders with the same names in them, so that one in the place of another is not noticed by its names. */
async function open(attributes: string): Promise<void> {
  const files = FOLDERS.flatMap((folder) =>
    ["x.txt", "y.txt"].map((name) => [`${folder}/${name}`, `${folder} ${name}\n`]),
  );
  const rules = { ".gitignore": "*.log\n", ...(attributes === "" ? {} : { ".gitattributes": attributes }) };
  project = await makeRepository({ ...Object.fromEntries(files), ...rules });
  const bin = join(project.root, "..", "bin");
  calls = join(bin, "calls");
  mkdirSync(bin);
  const searchPath = process.env["PATH"] ?? "";
  const refuse = `if test -e ${bin}/refuse; then case "$*" in *--index-info*) exit 1; esac; fi`;
  const run = `PATH='${searchPath}' git "$@"`;
  const exchange = `if test -e ${bin}/exchange; then case "$*" in *--replace*) . ${bin}/exchange;; esac; fi`;
  const script = `#!/bin/sh\necho "$*" >> ${calls}\n${refuse}\n${exchange}\n${run}\nstatus=$?\n${exchange}\nexit $status\n`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  const host = { searchPath: `${bin}:${searchPath}`, home: project.home };
  settings = {
    repository: await openRepository(project.root, host),
    stateDirectory: project.stateDirectory,
  };
  mkdirSync(project.stateDirectory, { recursive: true });
}

beforeEach(() => open(""));

/** With attributes, git looks at the files. */
async function openForGit(): Promise<void> {
  project.remove();
  await open("*.bin -text\n");
}

afterEach(() => project.remove());

function changeSomething(random: Random): string {
  const folder = random.pick(FOLDERS);
  const other = random.pick(FOLDERS.filter((one) => !one.startsWith(folder) && !folder.startsWith(one)));
  const file = `${folder}/${random.pick(["x.txt", "y.txt", "new.txt", "build.log"])}`;
  return random.pick([
    `mkdir -p ${folder}; echo ${random.below(100)} > ${file}`,
    `mkdir -p ${folder}; echo ${random.below(100)} > ${file}`,
    `rm -f ${file}`,
    `chmod +x ${file}`,
    `mkdir -p ${folder}; ln -sfn to-${random.below(9)} ${file}`,
    `rm -rf ${folder}`,
    `rm -rf ${folder}; mkdir -p ${folder}; cp ${other}/x.txt ${folder}`,
    `cp -r ${folder} copy; rm -rf ${folder}; mv copy ${folder}`,
    `mv ${folder} moved-${random.below(3)}`,
    `mv ${folder} t; mv ${other} ${folder}; mv t ${other}`,
    `rm -rf ${folder}; echo a file > ${folder}`,
    `rm -f ${file}; mkdir -p ${file}; echo inside > ${file}/inner.txt`,
    `echo '${random.pick(["*.log", "y.txt", ""])}' > .gitignore`,
    `touch ${file}; rm ${file}`,
  ]);
}

function run(command: string): void {
  // What a random command cannot do where it is, it does not do.
  execFileSync("/bin/sh", ["-c", command], { cwd: path, stdio: "ignore" });
}

function tryToRun(command: string): void {
  try {
    run(command);
  } catch {
    // The folder it speaks of was removed before.
  }
}

/** The tree that git itself would write from these files, on top of the commit that was kept. */
function readExpectedTree(tip: string): string {
  const environment = { GIT_INDEX_FILE: join(project.root, "..", `index-${tip}`) };
  const git = (...words: string[]): string =>
    execFileSync("git", [`--git-dir=${join(project.root, ".git")}`, `--work-tree=${path}`, ...words], {
      encoding: "utf8",
      cwd: path,
      env: { PATH: process.env["PATH"] ?? "", HOME: project.home, ...environment },
    });
  git("read-tree", tip);
  git("add", "-A");
  return git("write-tree").trim();
}

async function importAndCompare(note: string): Promise<void> {
  const { tip } = await importWork(settings, { id: ID, message: "Work\n" });
  const tree = project.git("rev-parse", `${tip}^{tree}`).trim();
  expect(`${note}: ${tree}`).toBe(`${note}: ${readExpectedTree(tip)}`);
}

async function takeWorkspace(base = project.git("rev-parse", "HEAD").trim()): Promise<WorkspacePool> {
  const pool = new WorkspacePool({ ...settings, size: 1, settleMs: 0 });
  pool.aimAtCommit(base);
  await pool.settled();
  ({ path } = await pool.takeWorkspace({ id: ID, base: project.git("rev-parse", "HEAD").trim() }));
  return pool;
}

async function makeRandomWork(seed: number): Promise<void> {
  const random = createRandom(seed);
  const before = project.git("rev-parse", "HEAD").trim();
  writeFileSync(join(project.root, "a/later.txt"), "only in the newer commit\n");
  project.git("add", "-A");
  project.git("commit", "-qm", "Newer");
  // The shared tree has the older commit, so the layer has files of the newer one that a worker can remove again.
  const pool = await takeWorkspace(before);
  if (random.chance(0.3)) run("rm a/later.txt");
  for (let round = 1; round <= ROUNDS; round += 1) {
    const commands = Array.from({ length: 1 + random.below(4) }, () => changeSomething(random));
    for (const command of commands) tryToRun(command);
    await importAndCompare(`round ${round}, ${commands.join(" && ")}`);
  }
  await pool.close();
}

function listCalls(word: string): readonly string[] {
  return readFileSync(calls, "utf8")
    .split("\n")
    .filter((line) => line !== "" && line.includes(` ${word}`));
}

const canMount = (): Promise<boolean> => canMountOverlay(process.env["PATH"] ?? "", project.stateDirectory);

describe("the paths that a worker has written", () => {
  it.each(SEEDS)("lead to everything that differs, seed %i", makeRandomWork);

  it.each(SEEDS)("lead git to everything that differs, seed %i", async (seed) => {
    await openForGit();
    await makeRandomWork(seed);
  });

  it("include folders that are back in the places of others", async () => {
    const pool = await takeWorkspace();
    for (const round of [1, 2, 3]) {
      run("mv b t; mv c b; mv t c");
      await importAndCompare(`exchange ${round}`);
    }
    await pool.close();
  });

  it("are all that git looks at", async () => {
    await openForGit();
    const pool = await takeWorkspace();
    run("echo new > a/new.txt; echo changed > b/deep/y.txt; rm c/x.txt");
    writeFileSync(calls, "");
    await importAndCompare("three files");
    expect(listCalls("status").map((line) => line.slice(line.indexOf(" -- ")))).toStrictEqual([
      (await canMount()) ? " -- a/new.txt b/deep/y.txt c/x.txt" : " -- ",
    ]);
    expect(existsSync(join(path, "a/new.txt"))).toBe(true);
    await pool.close();
  });

  it("need no git for a worker that has ended", async () => {
    const pool = await takeWorkspace();
    run("echo new > a/new.txt; echo changed > b/deep/y.txt; rm c/x.txt; mkdir d; echo d > d/d.txt");
    // Git has to be asked for these folders once.
    await importWork(settings, { id: ID, message: "Work\n" });
    run("echo newer > a/new.txt; echo newer > b/deep/y.txt; rm -r d; mkdir -p e/f; echo e > e/f/e.txt");
    writeFileSync(calls, "");
    const { tip } = await importWork(settings, { id: ID, message: "Work\n", isOver: true });
    // What it compares is the whole work, and only its last part is known here.
    const asked = listCalls("").filter((line) => !line.includes(" diff-tree "));
    if (await canMount()) expect(asked).toStrictEqual([]);
    expect(project.git("rev-parse", `${tip}^{tree}`).trim()).toBe(readExpectedTree(tip));
    // The index was left for later; whoever comes next finds it as if it had been written at once.
    await waitForWorkspace(path);
    expect(project.git("-C", path, "status", "--porcelain")).toBe("");
    await pool.close();
  });

  it("are not enough for git after an index could not be written", async () => {
    const pool = await takeWorkspace();
    run("echo new > a/new.txt");
    const refuse = join(project.root, "..", "bin/refuse");
    writeFileSync(refuse, "");
    await importAndCompare("the index stays behind");
    rmSync(refuse);
    // Too large for anything but git, which writes the tree from the index.
    run("head -c 5000000 /dev/zero > large.bin");
    await importAndCompare("git writes the tree");
    const tree = project.git("ls-tree", "-r", "--name-only", `delegation/${ID}`);
    expect(tree).toContain("a/new.txt");
    await pool.close();
  });

  it.each<readonly [string, () => Promise<void>]>([
    ["the workspace was tampered with", keepTampered],
    ["too much was written", keepTooMuch],
    ["a file was left out", keepWithLeftOut],
    ["the workspace was moved to another commit", moveOn],
  ])("are not enough for git after %s", async (_, prepare) => {
    const pool = await takeWorkspace();
    await prepare();
    // Too large for anything but git, which writes the tree from the index.
    run("head -c 5000000 /dev/zero > large.bin");
    await importAndCompare("git writes the tree");
    await pool.close();
  });

  it("are not known after folders were in each other's places while git read them", async () => {
    await openForGit();
    const pool = await takeWorkspace();
    run("echo one > b/x.txt; echo two > c/x.txt");
    const exchange = join(project.root, "..", "bin/exchange");
    writeFileSync(exchange, `cd ${path}; mv b t; mv c b; mv t c; cd /\n`);
    const { tip } = await importWork(settings, { id: ID, message: "Work\n" });
    // The control: git read the other folder.
    expect(project.git("show", `${tip}:b/x.txt`)).toBe("two\n");
    rmSync(exchange);
    await importAndCompare("both are back");
    await pool.close();
  });

  it("are not known where a name that is not text could pass for another", async () => {
    const pool = await takeWorkspace();
    run("printf one > 'a/\uFFFD.txt'; printf two > \"$(printf 'a/\\377.txt')\"");
    await importAndCompare("both");
    run("printf three > \"$(printf 'a/\\377.txt')\"");
    await importAndCompare("the one that is not text");
    await pool.close();
  });
});

/** The index of a workspace that was tampered with is not written. */
async function keepTampered(): Promise<void> {
  run("echo changed >> .git; echo new > a/new.txt; rm b/x.txt");
  const { tampering } = await importWork(settings, { id: ID, message: "Work\n" });
  expect(tampering).toBe("git-file-changed");
}

/** The commit that was known before is the one of the files again, but not of the index. */
async function keepTooMuch(): Promise<void> {
  run("mkdir many; for i in $(seq 1 400); do echo $i > many/$i; done");
  await importAndCompare("many files");
  run("git reset -q --hard HEAD~1");
}

async function keepWithLeftOut(): Promise<void> {
  run("echo new > a/new.txt; echo left out > git~1");
  const { leftOut } = await importWork(settings, { id: ID, message: "Work\n" });
  expect(leftOut).toMatchObject([{ reason: "git-name" }]);
  run("rm git~1; git reset -q --hard HEAD~1");
}

async function moveOn(): Promise<void> {
  run("echo new > a/new.txt");
  const { tip } = await importWork(settings, { id: ID, message: "Work\n" });
  writeFileSync(join(project.root, "merged.txt"), "merged\n");
  project.git("checkout", "-q", "--detach", tip);
  project.git("add", "merged.txt");
  project.git("commit", "-qm", "Merged");
  await advanceWorkspace(settings, { id: ID, path, to: project.git("rev-parse", "HEAD").trim() });
  run("git reset -q --hard HEAD~1");
}
