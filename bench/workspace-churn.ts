import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { importWork } from "../src/workspace/import-work.ts";
import { WorkspacePool } from "../src/workspace/pool.ts";
import { median, type Result, timed } from "./measure.ts";
import { type BenchRepository, makeBenchRepository } from "./workspace-repository.ts";
import { addAndRemove, expectClean } from "./workspace-steps.ts";

const ENDS = 20;
const REMOVALS = 8;

/** Goal 3: delegate and release again and again; ext4 makes this slower and slower for tools that delete trees. */
export async function churn(files: number, cycles: number): Promise<readonly Result[]> {
  const bench = await makeBenchRepository(files);
  const pool = new WorkspacePool({ ...bench, size: 2, settleMs: 0 });
  try {
    pool.aimAtCommit(bench.head);
    await pool.settled();
    const { whole, waited } = await runCycles(bench, pool, cycles);
    const removing: number[] = [];
    for (let cycle = 0; cycle < REMOVALS; cycle += 1) removing.push(await addAndRemove(bench, cycle));
    return describe({ files, cycles, whole, waited, removing: median(removing.slice(-3)) });
  } finally {
    await pool.close();
    bench.remove();
  }
}

interface Cycle {
  readonly ms: number;
  /** `git status` in the user's checkout at the same moment: other work on the machine slows both. */
  readonly yardstick: number;
}

interface Times {
  /** Until the checkout is clean again. */
  readonly whole: readonly Cycle[];
  /** What somebody waits for. */
  readonly waited: readonly Cycle[];
}

async function runCycles(bench: BenchRepository, pool: WorkspacePool, cycles: number): Promise<Times> {
  const whole: Cycle[] = [];
  const waited: Cycle[] = [];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    let front = 0;
    const ms = await timed(async () => {
      front = await delegateAndRelease(pool, bench, `CHURN-${cycle}`);
      await pool.settled();
    });
    const yardstick = await timed(() => expectClean(bench, bench.root));
    whole.push({ ms, yardstick });
    waited.push({ ms: front, yardstick });
  }
  return { whole, waited };
}

/** Taking and giving back; the worker's edit and its import lie between. */
async function delegateAndRelease(pool: WorkspacePool, bench: BenchRepository, id: string): Promise<number> {
  const { repository, stateDirectory } = bench;
  let path = "";
  const taking = await timed(async () => {
    const taken = await pool.takeWorkspace({ id, base: bench.head });
    if (!taken.fromPool) throw new Error("the pool was empty");
    path = taken.path;
  });
  writeFileSync(join(path, "module-0/part-0/file-0.ts"), `changed by ${id}\n`);
  await importWork({ repository, stateDirectory }, { id, message: "Work\n" });
  // Imported a moment ago: nothing can be unsaved.
  const giving = await timed(async () => {
    const back = await pool.giveBack({ id, path, discardUnsaved: true });
    if (back.status !== "released") throw new Error(back.reason);
  });
  return taking + giving;
}

interface Measured extends Times {
  readonly files: number;
  readonly cycles: number;
  /** Milliseconds of `git worktree add` and `remove` after a few rounds of it. */
  readonly removing: number;
}

function describe({ files, cycles, whole, waited, removing }: Measured): readonly Result[] {
  const first = whole.slice(0, ENDS);
  const last = whole.slice(-ENDS);
  const growth = median(last.map(relative)) / median(first.map(relative));
  const raw = median(last.map(({ ms }) => ms)) / median(first.map(({ ms }) => ms));
  const foreground = median(waited.slice(-ENDS).map(({ ms }) => ms));
  const firstMs = median(first.map(({ ms }) => ms)).toFixed(0);
  const lastMs = median(last.map(({ ms }) => ms)).toFixed(0);
  return [
    {
      what: `${cycles} delegate/release cycles with one edit, ${files} files, until clean again: first 20 / last 20, each against git status of the same moment`,
      value: `${firstMs} ms / ${lastMs} ms (${raw.toFixed(2)}×), ${growth.toFixed(2)}× of git status`,
      goal: "≤ 1.15×",
      met: growth <= 1.15,
    },
    {
      what: "waiting time at the end (take and give back) against git worktree add and remove",
      value: `${removing.toFixed(0)} ms / ${foreground.toFixed(1)} ms, ${Math.round(removing / foreground)}×`,
      goal: "≥ 50×",
      met: removing / foreground >= 50,
    },
  ];
}

function relative({ ms, yardstick }: Cycle): number {
  return ms / yardstick;
}
