import { WorkspacePool } from "../src/workspace/pool.ts";
import { interleave, median, ratio, type Result, timed } from "./measure.ts";
import { type BenchRepository, changeFiles, makeBenchRepository } from "./workspace-repository.ts";
import { expectClean, plainAdd } from "./workspace-steps.ts";

const CHANGED_FILES = 10;

/** Goal 1: from the request to a checkout on its own branch, one waiting in the pool. */
export async function warm(files: number, rounds: number): Promise<readonly Result[]> {
  const bench = await makeBenchRepository(files);
  const other = changeFiles(bench, CHANGED_FILES);
  const pool = new WorkspacePool({ ...bench, size: 1 });
  try {
    pool.aimAtCommit(bench.head);
    await pool.settled();
    let count = 0;
    const take = async (base: string): Promise<number> => {
      // The last request may have moved the one that waits.
      pool.aimAtCommit(bench.head);
      await pool.settled();
      return takeOne(bench, pool, { id: `W-${(count += 1)}`, base });
    };
    const times = await interleave(rounds + 1, {
      plain: () => plainAdd(bench, `plain-${(count += 1)}`),
      pooled: () => take(bench.head),
      moved: () => take(other),
    });
    // The first round warms caches up.
    const of = (name: string): readonly number[] => times.get(name)?.slice(1) ?? [];
    const factor = ratio(of("plain"), of("pooled"));
    const movedFactor = ratio(of("plain"), of("moved"));
    const goal = files >= 100_000 ? 1500 : files >= 20_000 ? 400 : 40;
    const plainMs = median(of("plain")).toFixed(0);
    return [
      {
        what: `warm workspace, ${files} files: git worktree add -b / from the pool`,
        value: `${plainMs} ms / ${median(of("pooled")).toFixed(2)} ms, ${Math.round(factor)}×`,
        goal: `≥ ${goal}×`,
        met: factor >= goal,
      },
      {
        what: `the same, at a commit that differs in ${CHANGED_FILES} files from the waiting one`,
        value: `${plainMs} ms / ${median(of("moved")).toFixed(1)} ms, ${movedFactor.toFixed(1)}×`,
      },
    ];
  } finally {
    await pool.close();
    bench.remove();
  }
}

async function takeOne(
  bench: BenchRepository,
  pool: WorkspacePool,
  request: { readonly id: string; readonly base: string },
): Promise<number> {
  let path = "";
  const ms = await timed(async () => {
    const taken = await pool.takeWorkspace(request);
    if (!taken.fromPool) throw new Error("the pool was empty");
    path = taken.path;
  });
  await expectClean(bench, path);
  const back = await pool.giveBack({ id: request.id, path });
  if (back.status !== "released") throw new Error(back.reason);
  await pool.settled();
  return ms;
}
