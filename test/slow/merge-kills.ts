/**
 * Merges into the user's branch that are killed at random moments: npm run test:merge-kills -- --runs 60 [--files 300]
 * Each run merges or undoes, in a process of its own that gets SIGKILL; then the next call must leave the branch, the
 * index and the files exactly before or exactly after, the user's other edits untouched and no lock behind. Fails on
 * the first run where that is not so, and when no kill hit the time in which files were being moved.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openRepository } from "../../src/workspace/repository.ts";
import { applyMerge, undoMerge } from "../../src/workspace/user-merge.ts";
import { makeRepository, type TemporaryRepository } from "../workspace/temporary-repository.ts";
import { userState } from "../workspace/user-state.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "60" },
    files: { type: "string", default: "300" },
    worker: { type: "string" },
    words: { type: "string", multiple: true, default: [] },
  },
});
const story = "US-KILL";

if (values.worker === undefined) process.exitCode = await run(Number(values.runs), Number(values.files));
else await work(values.worker, values.words);

async function work(
  way: string,
  [root = "", home = "", stateDirectory = "", tip = ""]: readonly string[],
): Promise<void> {
  const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
  const context = { repository, stateDirectory };
  process.stdout.write("go\n");
  if (way === "merge") await applyMerge(context, { story, tip });
  else await undoMerge(context, { story });
}

interface Stage {
  readonly project: TemporaryRepository;
  readonly tip: string;
  readonly before: string;
  readonly after: string;
  readonly longestMs: number;
}

async function run(runs: number, files: number): Promise<number> {
  const project = await makeRepository(Object.fromEntries(names(files).map((name) => [name, `${name}\n`])));
  try {
    const stage = await prepare(project, files);
    const seen = { "not begun": 0, "files moving": 0, "files moved": 0, "branch moved": 0, done: 0 };
    for (let index = 0; index < runs; index += 1) {
      const way = index % 2 === 0 ? "merge" : "undo";
      seen[await killOnce(stage, way, (Math.random() * 0.98 + 0.02) * stage.longestMs)] += 1;
      await finish(stage, way);
    }
    process.stdout.write(
      `${JSON.stringify({ runs, files, longest_ms: Math.round(stage.longestMs), found_at: seen })}\n`,
    );
    return seen["files moving"] + seen["files moved"] + seen["branch moved"] > 0 ? 0 : 1;
  } finally {
    project.remove();
  }
}

/** Merged and undone once without a kill: how both states look, and how long it takes. */
async function prepare(project: TemporaryRepository, files: number): Promise<Stage> {
  const elsewhere = join(project.root, "../story");
  project.git("worktree", "add", "-q", "--detach", elsewhere);
  for (const [index, name] of names(files).entries()) {
    if (index % 3 === 0) writeFileSync(join(elsewhere, name), `changed ${name}\n`);
    if (index % 3 === 1) rmSync(join(elsewhere, name));
    mkdirSync(join(elsewhere, "added", String(index % 7)), { recursive: true });
    if (index % 3 === 2) writeFileSync(join(elsewhere, "added", String(index % 7), String(index)), "new\n");
  }
  const commit = spawn("sh", ["-c", "git add -A && git commit -qm Story"], {
    cwd: elsewhere,
    env: { PATH: process.env["PATH"] ?? "", HOME: project.home },
  });
  await once(commit, "exit");
  const tip = project.git("-C", elsewhere, "rev-parse", "HEAD").trim();
  project.git("worktree", "remove", "--force", elsewhere);
  project.write("mine.txt", "untracked\n");
  project.write("kept.txt", "staged\n");
  project.git("add", "kept.txt");
  const before = stateOf(project);
  await timeOne(project, "merge", tip);
  const after = stateOf(project);
  await timeOne(project, "undo", tip);
  if (stateOf(project) !== before) throw new Error("undo did not restore the state");
  const longestMs = await timeOne(project, "merge", tip);
  await timeOne(project, "undo", tip);
  return { project, tip, before, after, longestMs };
}

async function timeOne(project: TemporaryRepository, way: string, tip: string): Promise<number> {
  const child = start(project, way, tip);
  await once(child.stdout ?? process.stdin, "data");
  const began = performance.now();
  await once(child, "exit");
  if (child.exitCode !== 0) throw new Error(`${way} failed`);
  return performance.now() - began;
}

function start({ root, home, stateDirectory }: TemporaryRepository, way: string, tip: string): ChildProcess {
  const words = [root, home, stateDirectory, tip].flatMap((word) => ["--words", word]);
  return spawn(process.execPath, [process.argv[1] ?? "", "--worker", way, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

type Moment = "not begun" | "files moving" | "files moved" | "branch moved" | "done";

async function killOnce(stage: Stage, way: string, delayMs: number): Promise<Moment> {
  const { project, tip } = stage;
  const child = start(project, way, tip);
  await once(child.stdout ?? process.stdin, "data");
  const ended = once(child, "exit");
  await Promise.race([wait(delayMs), ended]);
  child.kill("SIGKILL");
  await ended;
  const intent = join(project.stateDirectory, "user-merge.json");
  const text = existsSync(intent) ? readFileSync(intent, "utf8") : "";
  if (text === "")
    return stateOf(project) === (way === "merge" ? stage.before : stage.after) ? "not begun" : "done";
  const head = project.git("rev-parse", "HEAD").trim();
  if (text.includes(`"to":"${head}"`)) return "branch moved";
  const status = project.git("status", "--porcelain", "--untracked-files=no").split("\n").length;
  const all = project
    .git("diff", "--name-only", project.git("rev-parse", "HEAD").trim(), tip)
    .split("\n").length;
  return status <= 3 ? "not begun" : status < all ? "files moving" : "files moved";
}

async function finish({ project, tip, before, after }: Stage, way: string): Promise<void> {
  const done =
    way === "merge" ? await applyMerge(project, { story, tip }) : await undoMerge(project, { story });
  const isExpected =
    ["merged", "undone", "already-merged"].includes(done.status) ||
    (done.status === "refused" && done.kind === "nothing-to-undo");
  if (!isExpected) throw new Error(`the next call says ${JSON.stringify(done)}`);
  if (stateOf(project) !== (way === "merge" ? after : before))
    throw new Error(`${way}: not what it should be`);
  const left = readdirSync(join(project.root, ".git")).filter((name) => name.startsWith("index"));
  if (left.join() !== "index") throw new Error(`left behind: ${left.join(", ")}`);
}

/** Contents, rights, index and branch; not times and places on disk. */
function stateOf(project: TemporaryRepository): string {
  const files = Object.entries(userState(project))
    .filter(([path]) => !path.startsWith(".git/"))
    .map(([path, facts]) => `${path} ${facts.replace(/^(\d+) \d+ \d+ /, "$1 ")}`);
  return [...files.toSorted(), project.git("ls-files", "--stage"), project.git("status", "--porcelain")].join(
    "\n",
  );
}

function names(files: number): readonly string[] {
  return Array.from({ length: files }, (_, index) => `part-${index % 10}/file-${index}.txt`);
}
