import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { importWork } from "../src/workspace/import-work.ts";
import { WorkspacePool } from "../src/workspace/pool.ts";
import { median, type Result, timed } from "./measure.ts";
import { type BenchRepository, makeBenchRepository } from "./workspace-repository.ts";
import { addAndRemove } from "./workspace-steps.ts";

/** Goal 3: delegate and release again and again; ext4 makes this slower and slower for whoever deletes trees. */
export async function churn(files: number, cycles: number): Promise<readonly Result[]> {
  const bench = await makeBenchRepository(files);
  const pool = new WorkspacePool({ ...bench, size: 2, settleMs: 0 });
  try {
    pool.aim(bench.head);
    await pool.settled();
    const times: number[] = [];
    for (let cycle = 0; cycle < cycles; cycle += 1) times.push(await delegateAndRelease(pool, bench, cycle));
    const removing: number[] = [];
    for (let cycle = 0; cycle < 8; cycle += 1) removing.push(await addAndRemove(bench, cycle));
    const [first, last] = [median(times.slice(0, 20)), median(times.slice(-20))];
    const growth = last / first;
    const factor = median(removing.slice(-3)) / last;
    return [
      {
        what: `${cycles} delegate/release cycles, ${files} files: first 20 / last 20`,
        value: `${first.toFixed(0)} ms / ${last.toFixed(0)} ms, ${growth.toFixed(2)}×`,
        goal: "≤ 1.15×",
        met: growth <= 1.15,
      },
      {
        what: "the same, last 20 against git worktree add and remove",
        value: `${median(removing.slice(-3)).toFixed(0)} ms / ${last.toFixed(0)} ms, ${factor.toFixed(1)}×`,
        goal: "≥ 50× (foreground below)",
      },
      await foreground(pool, bench, median(removing.slice(-3))),
    ];
  } finally {
    await pool.close();
    bench.remove();
  }
}

/** Until the slot is clean again, everything included. */
async function delegateAndRelease(
  pool: WorkspacePool,
  bench: BenchRepository,
  cycle: number,
): Promise<number> {
  return timed(async () => {
    await foregroundPart(pool, bench, `CHURN-${cycle}`);
    await pool.settled();
  });
}

async function foregroundPart(pool: WorkspacePool, bench: BenchRepository, id: string): Promise<void> {
  const { repository, stateDirectory } = bench;
  const taken = await pool.take({ id, base: bench.head });
  if (!taken.fromPool) throw new Error("the pool was empty");
  writeFileSync(join(taken.path, "module-0/part-0/file-0.ts"), `changed by ${id}\n`);
  await importWork({ repository, stateDirectory }, { id, message: "Work\n" });
  // Imported a moment ago: nothing can be unsaved.
  const back = await pool.giveBack({ id, path: taken.path, discardUnsaved: true });
  if (back.status !== "released") throw new Error(back.reason);
}

async function foreground(pool: WorkspacePool, bench: BenchRepository, removing: number): Promise<Result> {
  const times: number[] = [];
  for (let cycle = 0; cycle < 20; cycle += 1) {
    times.push(await timed(() => foregroundPart(pool, bench, `FRONT-${cycle}`)));
    await pool.settled();
  }
  const taking: number[] = [];
  for (let cycle = 0; cycle < 20; cycle += 1) {
    const id = `TAKE-${cycle}`;
    let path = "";
    taking.push(await timed(async () => void ({ path } = await pool.take({ id, base: bench.head }))));
    taking.push((taking.pop() ?? 0) + (await timed(() => pool.giveBack({ id, path, discardUnsaved: true }))));
    await pool.settled();
  }
  const factor = removing / median(taking);
  return {
    what: "waiting time of one cycle: take and give back (with one edit imported)",
    value: `${median(taking).toFixed(1)} ms (${median(times).toFixed(0)} ms), ${Math.round(factor)}× of add and remove`,
    goal: "≥ 50×",
    met: factor >= 50,
  };
}
