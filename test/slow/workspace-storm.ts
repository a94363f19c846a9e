/**
 * Many processes that each make a workspace at the same moment:
 *   npm run test:storm -- --processes 50 --rounds 20
 * From `origin/main` of a repository with a remote. Fails when one of them fails, when two get the same ports, when a
 * workspace is not clean or tracks the remote branch, when the configuration changed, or when anything is left after
 * all were released. As many plain `git worktree add -b` run beside them, in turns: how many of those fail, and how
 * long both take, is reported.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { listOrphans } from "../../src/workspace/orphans.ts";
import { emptyTrash, releaseWorkspace } from "../../src/workspace/remove.ts";
import { openRepository } from "../../src/workspace/repository.ts";
import { createWorkspace } from "../../src/workspace/worktree.ts";
import { makeRepository, runPlainGit, type TemporaryRepository } from "../workspace/temporary-repository.ts";
import { percentilesOf } from "./percentiles.ts";
import { plainStorm } from "./storm/plain.ts";

const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "20" },
    rounds: { type: "string", default: "2" },
    files: { type: "string", default: "50" },
    worker: { type: "string" },
  },
});

const orderSchema = z.strictObject({
  root: z.string(),
  home: z.string(),
  stateDirectory: z.string(),
  id: z.string(),
  base: z.string(),
});
const madeSchema = z.object({ id: z.string(), path: z.string(), portBase: z.number() });
type Order = z.infer<typeof orderSchema>;
type Made = z.infer<typeof madeSchema>;

interface Tally {
  readonly problems: string[];
  made: number;
  plainFailures: number;
  readonly ourMs: number[];
  readonly plainMs: number[];
}

if (values.worker !== undefined) await makeOne(orderSchema.parse(JSON.parse(values.worker)));
else process.exitCode = await run(Number(values.processes), Number(values.rounds));

async function run(processes: number, rounds: number): Promise<number> {
  const project = await makeProject(Number(values.files));
  const tally: Tally = { problems: [], made: 0, plainFailures: 0, ourMs: [], plainMs: [] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      await oneRound(project, { round, processes, tally });
      const plain = await plainStorm(project, round, processes);
      tally.plainFailures += plain.failures;
      tally.plainMs.push(plain.ms);
    }
    tally.problems.push(...(await leftovers(project)));
    const { made, problems, plainFailures, ourMs, plainMs } = tally;
    const report = {
      processes,
      rounds,
      made,
      failed: processes * rounds - made,
      median_ms: Math.round(percentilesOf(ourMs).p50),
      plain_failed: plainFailures,
      plain_median_ms: Math.round(percentilesOf(plainMs).p50),
      problems: problems.slice(0, 20),
    };
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    return problems.length === 0 && made === processes * rounds ? 0 : 1;
  } finally {
    project.remove();
  }
}

async function makeProject(files: number): Promise<TemporaryRepository> {
  const names = Array.from({ length: files }, (_, index) => `src/part-${index % 7}/file-${index}.txt`);
  const project = await makeRepository(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  const remote = join(project.root, "../remote.git");
  project.git("clone", "-q", "--bare", project.root, remote);
  project.git("remote", "add", "origin", remote);
  project.git("fetch", "-q", "origin");
  return project;
}

interface Round {
  readonly round: number;
  readonly processes: number;
  readonly tally: Tally;
}

async function oneRound(project: TemporaryRepository, { round, processes, tally }: Round): Promise<void> {
  const { problems } = tally;
  const config = readFileSync(join(project.root, ".git/config"), "utf8");
  const made = await storm(project, { round, processes, tally });
  tally.made += made.length;
  check(project, made, problems);
  if (readFileSync(join(project.root, ".git/config"), "utf8") !== config)
    problems.push(`round ${round}: the configuration changed`);
  for (const { id, path } of made) {
    const released = await releaseWorkspace(project, { id, path });
    if (released.status !== "released") problems.push(`${id}: ${released.reason}`);
  }
  await emptyTrash(project.stateDirectory);
}

async function storm(
  project: TemporaryRepository,
  { round, processes, tally }: Round,
): Promise<readonly Made[]> {
  const base = project.git("rev-parse", "origin/main").trim();
  const { root, home, stateDirectory } = project;
  const children = Array.from({ length: processes }, (_, index) => {
    const order: Order = { root, home, stateDirectory, base, id: `US-${round}-DEL-${index}` };
    return spawn(process.execPath, [process.argv[1] ?? "", "--worker", JSON.stringify(order)], {
      stdio: "pipe",
    });
  });
  await Promise.all(children.map((child) => once(child.stdout, "data")));
  const answers = children.map(collect);
  const start = performance.now();
  for (const child of children) child.stdin.end("go\n");
  const texts = await Promise.all(answers);
  tally.ourMs.push(performance.now() - start);
  return texts.flatMap((text) => {
    const parsed = madeSchema.safeParse(tryParse(text));
    if (!parsed.success) tally.problems.push(`round ${round}: ${text.slice(0, 500)}`);
    return parsed.success ? [parsed.data] : [];
  });
}

async function makeOne(order: Order): Promise<void> {
  const repository = await openRepository(order.root, {
    searchPath: process.env["PATH"] ?? "",
    home: order.home,
  });
  process.stdout.write("ready\n");
  await once(process.stdin, "data");
  const { stateDirectory, id, base } = order;
  const made = await createWorkspace({ repository, stateDirectory }, { id, base });
  process.stdout.write(`${JSON.stringify(made)}\n`);
}

async function collect(child: ChildProcess): Promise<string> {
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  return Buffer.concat(chunks).toString();
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not what was asked for; the text itself is reported.
    return undefined;
  }
}

function check(project: TemporaryRepository, made: readonly Made[], problems: string[]): void {
  const ports = new Set(made.map(({ portBase }) => portBase));
  if (ports.size !== made.length) problems.push("two workspaces have the same ports");
  for (const { id, path } of made) {
    const status = runPlainGit(path, ["status", "--porcelain", "--branch"], project.home).trim();
    if (status !== `## delegation/${id}`) problems.push(`${id}: ${status}`);
  }
}

async function leftovers(project: TemporaryRepository): Promise<readonly string[]> {
  const refs = project.git("for-each-ref", "--format=%(refname)", "refs/ambit").split("\n").filter(Boolean);
  const known = new Set(refs.map((ref) => ref.split("/")[3] ?? ""));
  const orphans = await listOrphans(project, { live: new Set(), known });
  return orphans.map((orphan) => `left: ${JSON.stringify(orphan)}`);
}
