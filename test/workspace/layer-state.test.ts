import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasFineTimes } from "../../src/workspace/slots/layer-state.ts";
import { importWork } from "../../src/workspace/import-work.ts";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { canMountOverlay } from "../../src/workspace/prepare/overlay.ts";
import { releaseWorkspace } from "../../src/workspace/remove.ts";
import { openRepository } from "../../src/workspace/repository.ts";
import { createWorkspace, type Workspace, type WorkspaceSettings } from "../../src/workspace/worktree.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

const id = "US-1-DEL-001";
let project: TemporaryRepository;
let settings: WorkspaceSettings;
let calls: string;
let canMount: boolean;

/** Every git that is started leaves a line. */
beforeEach(async () => {
  project = await makeRepository({
    ".gitignore": "*.log\n",
    "src/a.txt": "aaaa\n",
    "src/deep/b.txt": "b\n",
    "run.sh": "#!/bin/sh\n",
  });
  const bin = join(project.root, "..", "bin");
  calls = join(bin, "calls");
  mkdirSync(bin);
  const path = process.env["PATH"] ?? "";
  writeFileSync(join(bin, "git"), `#!/bin/sh\necho "$*" >> ${calls}\nPATH='${path}' exec git "$@"\n`, {
    mode: 0o755,
  });
  const repository = await openRepository(project.root, { searchPath: `${bin}:${path}`, home: project.home });
  settings = { repository, stateDirectory: project.stateDirectory };
  mkdirSync(project.stateDirectory, { recursive: true });
  canMount = await canMountOverlay(path, project.stateDirectory);
});

afterEach(() => project.remove());

function head(): string {
  return project.git("rev-parse", "HEAD").trim();
}

async function statusCallsDuring(work: () => Promise<unknown>): Promise<number> {
  rmSync(calls, { force: true });
  await work();
  const lines = existsSync(calls) ? readFileSync(calls, "utf8").split("\n") : [];
  return lines.filter((line) => line.includes(" status ")).length;
}

function run(workspace: Workspace, command: string): void {
  execFileSync("/bin/sh", ["-ec", command], { cwd: workspace.path });
}

async function changed(): Promise<readonly string[]> {
  const { filesChanged } = await importWork(settings, { id, message: "Work\n" });
  return filesChanged.map(({ path }) => path);
}

function addAttributes(): void {
  project.write(".gitattributes", "*.bin -text\n");
  project.git("add", "-A");
  project.git("commit", "-qm", "Attributes");
}

describe("the layer of a workspace", () => {
  it("makes git unnecessary for an untouched workspace, even at its release", async () => {
    const workspace = await createWorkspace(settings, { id, base: head() });
    const release = (): Promise<unknown> => releaseWorkspace(settings, { id, path: workspace.path });
    expect(await statusCallsDuring(changed)).toBe(canMount ? 0 : 1);
    expect(await statusCallsDuring(release)).toBe(canMount ? 0 : 1);
  });

  describe.each([
    ["without attributes", false],
    ["with attributes", true],
  ])("in a project %s", (_, hasAttributes) => {
    it.each([
      ["a change in place", "printf 'bbbb\\n' > src/a.txt", ["src/a.txt"]],
      ["a mode", "chmod +x src/a.txt", ["src/a.txt"]],
      ["a file", "echo new > new.txt", ["new.txt"]],
      ["a removal", "rm src/a.txt", ["src/a.txt"]],
      ["a removed folder", "rm -r src/deep", ["src/deep/b.txt"]],
      ["a moved folder", "mv src/deep deep", ["deep/b.txt", "src/deep/b.txt"]],
      ["a folder made again", "rm -r src; mkdir src; printf 'aaaa\\n' > src/a.txt", ["src/deep/b.txt"]],
      ["a link in the place of a file", "ln -sf run.sh src/a.txt", ["src/a.txt"]],
      ["nothing that stays", "mv src/a.txt x; mv x src/a.txt", []],
      ["ignored files only", "echo x > build.log", []],
    ])("shows %s, and the work matches git's answer", async (what, command, expected) => {
      if (hasAttributes) addAttributes();
      const workspace = await createWorkspace(settings, { id, base: head() });
      expect(await changed()).toStrictEqual([]);
      run(workspace, command);
      const asked = await statusCallsDuring(async () => expect(await changed()).toStrictEqual(expected));
      // Git says what attributes do to a file, and whether a rule ignores it where one might.
      const isLeftToGit = what.includes("remov") ? false : hasAttributes || what === "ignored files only";
      expect(asked > 0).toBe(isLeftToGit || !canMount);
      expect(await changed()).toStrictEqual(expected);
    });
  });

  it("misses no change of the same size, however quickly one follows the other", async () => {
    const workspace = await createWorkspace(settings, { id, base: head() });
    for (let round = 0; round < 30; round += 1) {
      writeFileSync(join(workspace.path, "src/a.txt"), `${String(round).padStart(4, "0")}\n`);
      const { tip } = await importWork(settings, { id, message: "Work\n" });
      expect(project.git("show", `${tip}:src/a.txt`)).toBe(`${String(round).padStart(4, "0")}\n`);
    }
  });

  it("never passes a worker's ignored leftovers to the next one", async () => {
    const pool = new WorkspacePool({ ...settings, size: 1, settleMs: 0 });
    pool.aimAtCommit(head());
    await pool.settled();
    const paths = new Set<string>();
    for (const number of [1, 2, 3, 4]) {
      const request = { id: `US-1-DEL-00${number}`, base: head() };
      const workspace = await pool.takeWorkspace(request);
      expect(existsSync(join(workspace.path, "build.log"))).toBe(false);
      // Every second one only reads: its place is used again as it is.
      if (number % 2 === 0) run(workspace, "echo x > build.log");
      await importWork(settings, { id: request.id, message: "Work\n" });
      expect((await pool.giveBack({ id: request.id, path: workspace.path })).status).toBe("released");
      await pool.settled();
      paths.add(workspace.path);
    }
    expect(paths.size).toBeLessThan(4);
    await pool.close();
  });
});

it("recognises a file system that gives each change of a file a time of its own", () => {
  const folder = join(project.root, "..", "times");
  mkdirSync(folder);
  const isFine = hasFineTimes(folder);
  const [major = 0, minor = 0] = execFileSync("uname", ["-r"], { encoding: "utf8" }).split(".").map(Number);
  const type = execFileSync("stat", ["-f", "-c", "%T", folder], { encoding: "utf8" }).trim();
  const isPromised =
    (major > 6 || (major === 6 && minor >= 13)) && ["ext2/ext3", "xfs", "btrfs"].includes(type);
  if (isPromised) expect(isFine).toBe(true);
  expect(hasFineTimes(folder)).toBe(isFine);
});
