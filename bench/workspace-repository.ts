import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listMounts } from "../src/workspace/prepare/overlay.ts";
import { openRepository, type Repository } from "../src/workspace/repository.ts";

export interface BenchRepository {
  readonly repository: Repository;
  readonly folder: string;
  readonly root: string;
  readonly home: string;
  readonly stateDirectory: string;
  readonly head: string;
  git(...words: string[]): string;
  remove(): void;
}

const FILES_PER_FOLDER = 20;
const FILES_PER_PART = 10_000;

/** A repository with that many files, sizes spread as in real ones (log-normal, 4.4 kB on average), and a remote. */
export async function makeBenchRepository(files: number): Promise<BenchRepository> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-bench-")));
  const root = join(folder, "project");
  const home = join(folder, "home");
  mkdirSync(root);
  mkdirSync(home);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Bench\n\temail = bench@example.org\n");
  const git = (...words: string[]): string =>
    execFileSync("git", words, {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", HOME: home, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 2 ** 28,
    });
  git("init", "-q", "-b", "main");
  importFiles(root, join(folder, "import"), files);
  git("reset", "-q", "--hard", "main");
  git("clone", "-q", "--bare", root, join(folder, "remote.git"));
  git("remote", "add", "origin", join(folder, "remote.git"));
  git("fetch", "-q", "origin");
  const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
  return {
    repository,
    folder,
    root,
    home,
    stateDirectory: join(root, ".git/ambit"),
    head: git("rev-parse", "HEAD").trim(),
    git,
    remove: () => {
      for (const target of listMounts(folder).toReversed()) execFileSync("umount", ["-l", target]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A commit on top of HEAD that differs in that many files; HEAD and the checkout stay as they are. */
export function changeFiles(bench: BenchRepository, count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const content = `changed ${index}\n`;
    return `M 100644 inline module-0/part-${index % 20}/changed-${index}.ts\ndata ${content.length}\n${content}\n`;
  });
  const header =
    "commit refs/bench/other\ncommitter Bench <bench@example.org> 1700000001 +0000\ndata 5\nOther\n";
  const input = `${header}from ${bench.head}\n${lines.join("")}`;
  execFileSync("git", ["fast-import", "--quiet"], { cwd: bench.root, input });
  return bench.git("rev-parse", "refs/bench/other").trim();
}

/** An ignored folder of that many small files, as an installed dependency tree is. */
export function addDependencies(bench: BenchRepository, files: number): void {
  for (let index = 0; index < files; index += 1) {
    const path = join(bench.root, `node_modules/package-${Math.floor(index / 140)}/lib/${index % 140}.js`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${"x".repeat(sizeOf(index))}\n`);
  }
}

/** Through a file: the whole of a large one is longer than a string can be. */
function importFiles(root: string, script: string, files: number): void {
  writeFileSync(
    script,
    "commit refs/heads/main\ncommitter Bench <bench@example.org> 1700000000 +0000\ndata 5\nStart\n" +
      `M 100644 inline .gitignore\ndata 32\n${"node_modules/\n.git/ambit/\n".padEnd(32, "\n")}\n`,
  );
  for (let from = 0; from < files; from += FILES_PER_PART)
    appendFileSync(script, importPart(from, Math.min(from + FILES_PER_PART, files)));
  const input = openSync(script, "r");
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, stdio: [input, "ignore", "inherit"] });
  closeSync(input);
  rmSync(script);
}

function importPart(from: number, to: number): string {
  const parts: string[] = [];
  for (let index = from; index < to; index += 1) {
    const content = `${String(index).padStart(8, "0")}${"line of text\n".repeat(Math.ceil(sizeOf(index) / 13))}`;
    const group = Math.floor(index / FILES_PER_FOLDER);
    const path = `module-${Math.floor(group / 20)}/part-${group % 20}/file-${index}.ts`;
    parts.push(`M 100644 inline ${path}\ndata ${content.length}\n${content}\n`);
  }
  return parts.join("");
}

/** Without a random source, so that every run has the same tree. */
function sizeOf(index: number): number {
  const spread = Math.sin(index * 12.9898) * 43_758.5453;
  const uniform = Math.min(Math.max(spread - Math.floor(spread), 0.001), 0.999);
  const normal = Math.log(uniform / (1 - uniform)) / 1.7;
  return Math.min(Math.round(Math.exp(7.7 + normal * 1.1)), 200_000);
}
