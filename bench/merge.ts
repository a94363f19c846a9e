import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Candidate, CandidateReserve } from "../src/workspace/candidate.ts";
import { commitCandidate, mergeTips, moveBranch } from "../src/workspace/merge.ts";
import { interleave, median, printResults, ratio, type Result, timed } from "./measure.ts";
import { mergeWaiting } from "./merge-waiting.ts";
import { buildWorkers, mergeOneByOne, type Workers } from "./merge-workers.ts";
import { type BenchRepository, makeBenchRepository } from "./workspace-repository.ts";

const options = {
  only: { type: "string" },
  rounds: { type: "string", default: "5" },
  files: { type: "string", default: "2000" },
  workers: { type: "string", default: "100" },
  /** How long the check of each waiting worker takes, in seconds. */
  check: { type: "string", default: "1" },
} as const;

/** npm run bench -- merge [--only disjoint|overlapping|candidate|waiting] …: merging the work of many workers, as the merge queue does. */
export async function merge(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...words], options });
  const wants = (name: string): boolean => values.only === undefined || values.only.split(",").includes(name);
  const [rounds, workers] = [Number(values.rounds), Number(values.workers)];
  const results: Result[] = [];
  for (const files of values.files.split(",").map(Number)) {
    const bench = await makeBenchRepository(files);
    try {
      if (wants("disjoint")) results.push(await mergeBack(bench, { files, workers, rounds, overlapping: 0 }));
      if (wants("overlapping"))
        results.push(
          await mergeBack(bench, { files, workers, rounds, overlapping: Math.floor(workers * 0.56) }),
        );
      if (wants("candidate")) results.push(await candidates(bench, files, rounds));
    } finally {
      bench.remove();
    }
    const checkSeconds = Number(values.check);
    if (wants("waiting")) results.push(await mergeWaiting({ files, workers, checkSeconds }));
  }
  return printResults("merge", results);
}

interface MergeBack {
  readonly files: number;
  readonly workers: number;
  readonly rounds: number;
  /** How many workers change a file that another worker also changes, in conflict with it. */
  readonly overlapping: number;
}

/** From the workers' tips to the moved branch, one candidate at a time; tree and conflicts must be those of git. */
async function mergeBack(bench: BenchRepository, size: MergeBack): Promise<Result> {
  const checkout = join(bench.folder, `merging-${size.overlapping}`);
  bench.git("worktree", "add", "-q", "--detach", checkout, bench.head);
  const times: { readonly git: number; readonly ambit: number }[] = [];
  let conflicts = 0;
  for (let round = 0; round <= size.rounds; round += 1) {
    // New contents every round, and ours first: git then finds the objects that ours has written.
    const workers = buildWorkers(bench, { ...size, salt: `${size.overlapping} ${round}` });
    const ours = await mergeQueue(bench, workers, `refs/ambit/bench/${size.overlapping}-${round}`);
    const theirs = mergeOneByOne(checkout, bench, workers);
    if (ours.tree !== theirs.tree || ours.conflicts.join() !== theirs.conflicts.join())
      throw new Error(`not what git merge gives: ${JSON.stringify({ ours, theirs })}`);
    times.push({ git: theirs.ms, ambit: ours.ms });
    conflicts = ours.conflicts.length;
  }
  const git = times.slice(1).map((time) => time.git);
  const ambit = times.slice(1).map((time) => time.ambit);
  const what =
    size.overlapping > 0 ? `${size.overlapping} of them overlapping, ${conflicts} conflicts` : "no overlap";
  return {
    what: `merging ${size.workers} workers one by one, ${size.files} files, ${what}: git merge in a checkout / Ambit without one`,
    value: `${median(git).toFixed(0)} ms / ${median(ambit).toFixed(0)} ms, ${ratio(git, ambit).toFixed(1)}×, same tree and conflicts`,
  };
}

/** Merges and moves the branch for each worker, as the merge queue does; the checks between are not measured here. */
async function mergeQueue(
  bench: BenchRepository,
  { tips }: Workers,
  ref: string,
): Promise<{ readonly ms: number; readonly tree: string; readonly conflicts: readonly string[] }> {
  const conflicts: string[] = [];
  let branch: string | null = null;
  const ms = await timed(async () => {
    for (const theirs of tips) {
      const ours: string = branch ?? bench.head;
      const merged = await mergeTips(bench, { ours, theirs });
      if (merged.status === "conflict") {
        conflicts.push(theirs);
        continue;
      }
      const candidate = { tree: merged.tree, parents: [ours, theirs], message: "Merge\n", timeSeconds: 1 };
      const to = await commitCandidate(bench.repository, candidate);
      if ((await moveBranch(bench.repository, { ref, from: branch, to })) !== "moved")
        throw new Error(`${ref} was not moved`);
      branch = to;
    }
  });
  return { ms, tree: bench.git("rev-parse", `${branch ?? bench.head}^{tree}`).trim(), conflicts };
}

/** A checkout for checks: a fresh one, and one moved from the previous candidate. */
async function candidates(bench: BenchRepository, files: number, rounds: number): Promise<Result> {
  const { tips } = buildWorkers(bench, { workers: rounds + 2, overlapping: 0 });
  const reserve = new CandidateReserve(bench);
  const [first = bench.head] = tips;
  await (await reserve.checkOut({ id: "WARM", commit: first })).release();
  let round = 0;
  const plain = (): number => {
    const path = join(bench.folder, `plain-${(round += 1)}`);
    const began = performance.now();
    execFileSync("git", ["worktree", "add", "-q", "--detach", path, first], { cwd: bench.root });
    return performance.now() - began;
  };
  const checkOut = async (take: (commit: string) => Promise<Candidate>): Promise<number> => {
    let release = (): Promise<void> => Promise.resolve();
    const commit = tips[(round += 1) % tips.length] ?? first;
    const ms = await timed(async () => ({ release } = await take(commit)));
    await release();
    return ms;
  };
  const times = await interleave(rounds, {
    plain,
    fresh: () => checkOut((commit) => new CandidateReserve(bench, 0).checkOut({ id: "COLD", commit })),
    again: () => checkOut((commit) => reserve.checkOut({ id: "WARM", commit })),
  });
  await reserve.close();
  const [added, fresh, again] = ["plain", "fresh", "again"].map((name) => times.get(name) ?? []);
  return {
    what: `a checkout for checks, ${files} files: git worktree add / fresh / reused`,
    value: `${median(added ?? []).toFixed(0)} ms / ${median(fresh ?? []).toFixed(0)} ms / ${median(again ?? []).toFixed(0)} ms, ${ratio(added ?? [], again ?? []).toFixed(1)}×`,
  };
}
