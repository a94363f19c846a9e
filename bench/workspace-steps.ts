import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../src/base/run-command.ts";
import { createWorkspace } from "../src/workspace/worktree.ts";
import { timed } from "./measure.ts";
import type { BenchRepository } from "./workspace-repository.ts";

export async function makeCold(
  bench: BenchRepository,
  id: string,
  dependencyWay: "auto" | "copy",
): Promise<number> {
  let path = "";
  const ms = await timed(async () => {
    ({ path } = await createWorkspace({ ...bench, dependencyWay }, { id, base: bench.head }));
  });
  await expectClean(bench, path);
  if (readdirSync(join(path, "node_modules")).length === 0) throw new Error("no dependencies");
  return ms;
}

export function plainAdd(bench: BenchRepository, name: string): Promise<number> {
  return timed(async () => {
    if ((await plainAddOf(bench, name, "HEAD")) !== 0) throw new Error("git worktree add failed");
  });
}

export async function plainAddOf(
  bench: BenchRepository,
  name: string,
  start: string,
): Promise<number | null> {
  const outcome = await plainGit(bench, [
    "worktree",
    "add",
    "-q",
    "-b",
    name,
    join(bench.folder, name),
    start,
  ]);
  return outcome.exitCode;
}

export async function copyModules(bench: BenchRepository, name: string): Promise<number> {
  return timed(() =>
    runCommand({
      argv: ["cp", "-a", "node_modules", join(bench.folder, name)],
      cwd: bench.root,
      environment: { PATH: process.env["PATH"] ?? "" },
      timeoutMs: 600_000,
    }),
  );
}

export async function addAndRemove(bench: BenchRepository, cycle: number): Promise<number> {
  const name = `removed-${cycle}`;
  return timed(async () => {
    await plainAdd(bench, name);
    await plainGit(bench, ["worktree", "remove", "--force", join(bench.folder, name)]);
  });
}

export function clearPlain(bench: BenchRepository): void {
  for (const name of readdirSync(bench.folder))
    if (name.startsWith("naive-")) rmSync(join(bench.folder, name), { recursive: true, force: true });
  bench.git("worktree", "prune", "--expire=now");
  const branches = bench.git("for-each-ref", "--format=%(refname:short)", "refs/heads/naive-*").split("\n");
  for (const branch of branches.filter(Boolean)) bench.git("branch", "-q", "-D", branch);
}

export async function expectClean(bench: BenchRepository, path: string): Promise<void> {
  const { stdout } = await plainGit({ ...bench, root: path }, ["status", "--porcelain"]);
  if (stdout.length > 0) throw new Error(`not clean: ${stdout.toString().slice(0, 200)}`);
}

function plainGit(bench: Pick<BenchRepository, "root" | "home">, words: readonly string[]) {
  return runCommand({
    argv: ["git", ...words],
    cwd: bench.root,
    environment: { PATH: process.env["PATH"] ?? "", HOME: bench.home, LC_ALL: "C" },
    timeoutMs: 600_000,
  });
}
