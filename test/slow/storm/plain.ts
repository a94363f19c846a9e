import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TemporaryRepository } from "../../workspace/temporary-repository.ts";

export interface PlainStorm {
  readonly failures: number;
  readonly ms: number;
}

/** As many plain commands at once, as a tool without a queue starts them; nothing of them stays. */
export async function plainStorm(
  project: TemporaryRepository,
  round: number,
  count: number,
): Promise<PlainStorm> {
  const configFile = join(project.root, ".git/config");
  const config = readFileSync(configFile, "utf8");
  const names = Array.from({ length: count }, (_, index) => `plain-${round}-${index}`);
  const start = performance.now();
  const codes = await Promise.all(names.map((name) => addPlain(project, name)));
  const ms = performance.now() - start;
  for (const name of names) rmSync(join(project.root, "..", name), { recursive: true, force: true });
  // They note in it which remote branch each of theirs follows; a killed one leaves its lock.
  rmSync(`${configFile}.lock`, { force: true });
  writeFileSync(configFile, config);
  project.git("worktree", "prune", "--expire=now");
  const branches = project.git("for-each-ref", "--format=%(refname:short)", "refs/heads/plain-*");
  for (const branch of branches.split("\n").filter(Boolean)) project.git("branch", "-q", "-D", branch);
  return { failures: codes.filter((code) => code !== 0).length, ms };
}

async function addPlain(project: TemporaryRepository, name: string): Promise<number | null> {
  const words = ["worktree", "add", "-q", "-b", name, join(project.root, "..", name), "origin/main"];
  const child = spawn("git", words, { cwd: project.root, stdio: "ignore" });
  await once(child, "close");
  return child.exitCode;
}
