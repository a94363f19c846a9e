import { WorkspacePool } from "../src/workspace/pool.ts";
import { interleave, median, ratio, type Result, timed } from "./measure.ts";
import { type BenchRepository, makeBenchRepository } from "./workspace-repository.ts";
import { clearPlain, plainAddOf } from "./workspace-steps.ts";

interface Count {
  naive: number;
  ours: number;
}

/** As many as a project keeps; in a storm nearly everybody finds the pool empty. */
const POOL_SIZE = 4;

/** Goal 4: many at once from a remote branch. */
export async function storm(atOnce: number, storms: number): Promise<readonly Result[]> {
  const bench = await makeBenchRepository(50);
  const pool = new WorkspacePool({ ...bench, size: POOL_SIZE });
  try {
    const base = bench.git("rev-parse", "origin/main").trim();
    pool.aimAtCommit(base);
    await pool.settled();
    const failures: Count = { naive: 0, ours: 0 };
    let round = 0;
    const times = await interleave(storms, {
      naive: () => naiveStorm(bench, namesOf(`naive-${(round += 1)}`, atOnce), failures),
      ours: () => poolStorm(pool, { base, ids: namesOf(`STORM-${(round += 1)}`, atOnce) }, failures),
    });
    const [naive, ours] = [times.get("naive") ?? [], times.get("ours") ?? []];
    const factor = ratio(ours, naive);
    return [
      {
        what: `${atOnce} at once × ${storms}, from origin/main: failures of git worktree add / of ours`,
        value: `${failures.naive} / ${failures.ours} of ${atOnce * storms}`,
        goal: "0",
        met: failures.ours === 0,
      },
      {
        what: `the same, wall time: naive / ours (${POOL_SIZE} waiting, the others made from nothing)`,
        value: `${median(naive).toFixed(0)} ms / ${median(ours).toFixed(0)} ms, ${factor.toFixed(2)}×`,
        goal: "≤ 1×",
        met: factor <= 1,
      },
    ];
  } finally {
    await pool.close();
    bench.remove();
  }
}

function namesOf(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

async function naiveStorm(
  bench: BenchRepository,
  names: readonly string[],
  failures: Count,
): Promise<number> {
  const ms = await timed(async () => {
    const codes = await Promise.all(names.map((name) => plainAddOf(bench, name, "origin/main")));
    failures.naive += codes.filter((code) => code !== 0).length;
  });
  clearPlain(bench);
  return ms;
}

async function poolStorm(
  pool: WorkspacePool,
  { base, ids }: { readonly base: string; readonly ids: readonly string[] },
  failures: Count,
): Promise<number> {
  const began = performance.now();
  const outcomes = await Promise.allSettled(ids.map((id) => pool.takeWorkspace({ id, base })));
  const ms = performance.now() - began;
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") failures.ours += 1;
    else await pool.giveBack({ id: outcome.value.id, path: outcome.value.path, discardUnsaved: true });
  }
  await pool.settled();
  return ms;
}
