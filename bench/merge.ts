import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CandidateReserve, checkOutCandidate } from "../src/workspace/candidate.ts";
import { mergeTips, moveBranch } from "../src/workspace/merge.ts";
import { mergeMany } from "../src/workspace/merge-many.ts";
import { overlappingPaths } from "../src/workspace/overlap.ts";
import { interleave, median, printResults, ratio, type Result, timed } from "./measure.ts";
import { buildWorkers, mergeOneByOne, type Workers } from "./merge-workers.ts";
import { type BenchRepository, makeBenchRepository } from "./workspace-repository.ts";

const options = {
  only: { type: "string" },
  rounds: { type: "string", default: "5" },
  files: { type: "string", default: "2000" },
  workers: { type: "string", default: "100" },
  /** Pairs of tips that are merged one by one, to know what all of them would take. */
  sample: { type: "string", default: "200" },
} as const;

/** npm run bench -- merge [--only disjoint|overlapping|forecast|candidate] …: bringing the work of many workers together. */
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
      if (wants("forecast"))
        results.push(await forecast(bench, { files, workers, sample: Number(values.sample) }));
      if (wants("candidate")) results.push(await candidates(bench, files, rounds));
    } finally {
      bench.remove();
    }
  }
  return printResults("merge", results);
}

interface MergeBack {
  readonly files: number;
  readonly workers: number;
  readonly rounds: number;
  /** How many of the workers share their file with another one, and contradict it. */
  readonly overlapping: number;
}

/** Goal 6: from the workers' tips to one commit on the branch; tree and conflicts must be the same. */
async function mergeBack(bench: BenchRepository, size: MergeBack): Promise<Result> {
  const checkout = join(bench.folder, `merging-${size.overlapping}`);
  bench.git("worktree", "add", "-q", "--detach", checkout, bench.head);
  const times: { readonly git: number; readonly batched: number }[] = [];
  let conflicts = 0;
  for (let round = 0; round <= size.rounds; round += 1) {
    // New contents every time, and ours first: what it writes, git finds there.
    const workers = buildWorkers(bench, { ...size, salt: `${size.overlapping} ${round}` });
    const ours = await mergeAll(bench, workers, `refs/ambit/bench/${size.overlapping}-${round}`);
    const theirs = mergeOneByOne(checkout, bench, workers);
    if (ours.tree !== theirs.tree || ours.conflicts.join() !== theirs.conflicts.join())
      throw new Error(`not what git merge gives: ${JSON.stringify({ ours, theirs })}`);
    times.push({ git: theirs.ms, batched: ours.ms });
    conflicts = ours.conflicts.length;
  }
  const git = times.slice(1).map((time) => time.git);
  const batched = times.slice(1).map((time) => time.batched);
  const factor = ratio(git, batched);
  const goal = size.overlapping > 0 ? 8 : size.files >= 20_000 ? 250 : 50;
  const what =
    size.overlapping > 0 ? `${size.overlapping} of them overlapping, ${conflicts} conflicts` : "all apart";
  return {
    what: `merging ${size.workers} workers, ${size.files} files, ${what}: git merge one by one / at once, until the branch has moved`,
    value: `${median(git).toFixed(0)} ms / ${median(batched).toFixed(1)} ms, ${factor.toFixed(factor < 20 ? 1 : 0)}×, same tree and conflicts`,
    goal: `≥ ${goal}×`,
    met: factor >= goal,
  };
}

async function mergeAll(
  bench: BenchRepository,
  { tips }: Workers,
  ref: string,
): Promise<{ readonly ms: number; readonly tree: string; readonly conflicts: readonly string[] }> {
  let seen: { readonly tree: string; readonly conflicts: readonly string[] } = { tree: "", conflicts: [] };
  const ms = await timed(async () => {
    const commit = { message: () => "Merge\n", timeSeconds: 1 };
    const { tree, outcomes, commit: to = "" } = await mergeMany(bench, { into: bench.head, tips, commit });
    if ((await moveBranch(bench.repository, { ref, from: null, to })) !== "moved")
      throw new Error("not moved");
    const conflicts = outcomes.filter(({ status }) => status === "conflict").map(({ tip }) => tip);
    seen = { tree, conflicts };
  });
  return { ms, ...seen };
}

/** Which of many siblings get in each other's way, against merging every pair. */
async function forecast(
  bench: BenchRepository,
  size: { readonly files: number; readonly workers: number; readonly sample: number },
): Promise<Result> {
  const { tips } = buildWorkers(bench, { ...size, overlapping: Math.floor(size.workers / 5) });
  const work = tips.map((tip, index) => ({ name: String(index), base: bench.head, tip }));
  const pairs = work.flatMap((left, at) => work.slice(at + 1).map((right) => [left.tip, right.tip] as const));
  const step = Math.max(Math.floor(pairs.length / size.sample), 1);
  const sample = pairs.filter((_, index) => index % step === 0);
  const allMs =
    (await timed(async () => {
      for (const [ours, theirs] of sample) await mergeTips(bench, { ours, theirs });
    })) *
    (pairs.length / sample.length);
  const overlapMs: number[] = [];
  for (let round = 0; round < 5; round += 1)
    overlapMs.push(await timed(() => overlappingPaths(bench.repository, work)));
  const factor = allMs / median(overlapMs);
  return {
    what: `forecast for ${size.workers} workers, ${size.files} files: ${pairs.length} merges (from ${sample.length}) / shared paths`,
    value: `${(allMs / 1000).toFixed(1)} s / ${median(overlapMs).toFixed(1)} ms, ${factor.toFixed(0)}×`,
    goal: "≥ 500×",
    met: factor >= 500,
  };
}

/** A place for checks: made from nothing, and moved there from the last candidate. */
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
  const checkOut = async (
    take: (commit: string) => ReturnType<typeof checkOutCandidate>,
  ): Promise<number> => {
    let release = (): Promise<void> => Promise.resolve();
    const commit = tips[(round += 1) % tips.length] ?? first;
    const ms = await timed(async () => ({ release } = await take(commit)));
    await release();
    return ms;
  };
  const times = await interleave(rounds, {
    plain,
    fresh: () => checkOut((commit) => checkOutCandidate(bench, { id: "COLD", commit })),
    again: () => checkOut((commit) => reserve.checkOut({ id: "WARM", commit })),
  });
  await reserve.close();
  const [added, fresh, again] = ["plain", "fresh", "again"].map((name) => times.get(name) ?? []);
  return {
    what: `a place for checks, ${files} files: git worktree add / made fresh / used again`,
    value: `${median(added ?? []).toFixed(0)} ms / ${median(fresh ?? []).toFixed(0)} ms / ${median(again ?? []).toFixed(0)} ms, ${ratio(added ?? [], again ?? []).toFixed(1)}×`,
  };
}
