import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

let project: TemporaryRepository;
let settings: WorkspaceSettings;
let calls: string;
let path: string;

/** Folders with the same names in them, so that one in the place of another is not noticed by its names. */
beforeEach(async () => {
  const files = FOLDERS.flatMap((folder) =>
    ["x.txt", "y.txt"].map((name) => [`${folder}/${name}`, `${folder} ${name}\n`]),
  );
  project = await makeRepository({ ...Object.fromEntries(files), ".gitignore": "*.log\n" });
  const bin = join(project.root, "..", "bin");
  calls = join(bin, "calls");
  mkdirSync(bin);
  const searchPath = process.env["PATH"] ?? "";
  const script = `#!/bin/sh\necho "$*" >> ${calls}\nPATH='${searchPath}' exec git "$@"\n`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  const host = { searchPath: `${bin}:${searchPath}`, home: project.home };
  settings = {
    repository: await openRepository(project.root, host),
    stateDirectory: project.stateDirectory,
  };
  mkdirSync(project.stateDirectory, { recursive: true });
});

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

describe("the paths that a worker has written", () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed + 1))(
    "lead git to everything that differs, seed %i",
    async (seed) => {
      const random = createRandom(seed);
      const before = project.git("rev-parse", "HEAD").trim();
      writeFileSync(join(project.root, "a/later.txt"), "only in the newer commit\n");
      project.git("add", "-A");
      project.git("commit", "-qm", "Newer");
      const base = project.git("rev-parse", "HEAD").trim();
      const pool = new WorkspacePool({ ...settings, size: 1, settleMs: 0 });
      // The shared tree has the older commit, so the layer has files of the newer one that a worker can remove again.
      pool.aimAtCommit(before);
      await pool.settled();
      ({ path } = await pool.takeWorkspace({ id: ID, base }));
      if (random.chance(0.3)) run("rm a/later.txt");
      for (let round = 1; round <= ROUNDS; round += 1) {
        const commands = Array.from({ length: 1 + random.below(4) }, () => changeSomething(random));
        for (const command of commands) tryToRun(command);
        await importAndCompare(`round ${round}, ${commands.join(" && ")}`);
      }
      await pool.close();
    },
  );

  it("are the only ones that git looks at", async () => {
    const pool = new WorkspacePool({ ...settings, size: 1, settleMs: 0 });
    const base = project.git("rev-parse", "HEAD").trim();
    pool.aimAtCommit(base);
    await pool.settled();
    ({ path } = await pool.takeWorkspace({ id: ID, base }));
    run("echo new > a/new.txt; echo changed > b/deep/y.txt; rm c/x.txt");
    writeFileSync(calls, "");
    await importAndCompare("three files");
    const canMount = await canMountOverlay(process.env["PATH"] ?? "", project.stateDirectory);
    const status = readFileSync(calls, "utf8")
      .split("\n")
      .filter((line) => line.includes(" status "));
    expect(status.map((line) => line.slice(line.indexOf(" -- ")))).toStrictEqual([
      canMount ? " -- a/new.txt b/deep/y.txt c/x.txt" : " -- ",
    ]);
    expect(existsSync(join(path, "a/new.txt"))).toBe(true);
    await pool.close();
  });
});
