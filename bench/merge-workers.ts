import { execFileSync } from "node:child_process";
import type { BenchRepository } from "./workspace-repository.ts";

export interface Workers {
  readonly tips: readonly string[];
}

export interface WorkersRequest {
  readonly workers: number;
  /** How many of them share a file with another one and contradict it. */
  readonly overlapping: number;
  /** Makes the contents differ from those of another call. */
  readonly salt?: string;
}

/** One commit per worker on top of the head: a file of its own, or one that the next worker changes as well. */
export function buildWorkers(
  bench: BenchRepository,
  { workers, overlapping, salt = "" }: WorkersRequest,
): Workers {
  const paths = bench.git("ls-tree", "-r", "--name-only", bench.head).trim().split("\n");
  const script: string[] = [];
  for (let worker = 0; worker < workers; worker += 1) {
    const isPaired = worker < overlapping;
    const place = isPaired ? Math.floor(worker / 2) : worker;
    const path = paths[(place * 17) % paths.length] ?? "";
    const text = `changed by worker ${worker} ${salt}\n`;
    script.push(
      `commit refs/ambit/bench/worker\nmark :${worker + 1}\n`,
      `committer Bench <bench@example.org> ${1_700_000_000 + worker} +0000\ndata 5\nWork\n`,
      `from ${bench.head}\nM 100644 inline ${path}\ndata ${text.length}\n${text}\n`,
    );
  }
  const asked = Array.from({ length: workers }, (_, worker) => `get-mark :${worker + 1}\n`);
  const answers = execFileSync("git", ["fast-import", "--quiet", "--force"], {
    cwd: bench.root,
    input: `${script.join("")}${asked.join("")}`,
    encoding: "utf8",
  });
  return { tips: answers.trim().split("\n") };
}

export interface OneByOne {
  readonly ms: number;
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/** What everybody does: `git merge` in a checkout, one tip after the other; conflicts are aborted. */
export function mergeOneByOne(tree: string, bench: BenchRepository, { tips }: Workers): OneByOne {
  const git = (...words: string[]): string =>
    execFileSync("git", words, {
      cwd: tree,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", HOME: bench.home, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
    });
  git("-c", "gc.auto=0", "checkout", "-q", "-f", "--detach", bench.head);
  const began = performance.now();
  const conflicts = tips.filter((tip) => {
    try {
      git("-c", "gc.auto=0", "merge", "-q", "--no-edit", tip);
      return false;
    } catch {
      git("merge", "--abort");
      return true;
    }
  });
  return { ms: performance.now() - began, tree: git("rev-parse", "HEAD^{tree}").trim(), conflicts };
}
