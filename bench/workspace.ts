import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { importWork } from "../src/workspace/import-work.ts";
import { WorkspacePool } from "../src/workspace/pool.ts";
import { canMountOverlay } from "../src/workspace/prepare/overlay.ts";
import { interleave, median, printResults, ratio, type Result, timed } from "./measure.ts";
import { addDependencies, type BenchRepository, makeBenchRepository } from "./workspace-repository.ts";
import { addAndRemove, copyModules, expectClean, makeCold, plainAdd } from "./workspace-steps.ts";
import { storm } from "./workspace-storm.ts";

const options = {
  only: { type: "string" },
  rounds: { type: "string", default: "12" },
  /** Sizes of the repositories for warm workspaces. */
  files: { type: "string", default: "2000,20000" },
  /** Size of the repository, and of its node_modules, for cold workspaces. */
  coldfiles: { type: "string", default: "20000" },
  modules: { type: "string", default: "20000" },
  coldrounds: { type: "string", default: "4" },
  cycles: { type: "string", default: "200" },
  churnfiles: { type: "string", default: "20000" },
  atonce: { type: "string", default: "50" },
  storms: { type: "string", default: "20" },
} as const;

/** npm run bench -- workspace [--only warm|cold|churn|storm] …: how soon a worker has its own checkout. */
export async function workspace(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...words], options });
  const wants = (name: string): boolean => values.only === undefined || values.only.split(",").includes(name);
  const results: Result[] = [];
  if (wants("warm"))
    for (const files of values.files.split(","))
      results.push(...(await warm(Number(files), Number(values.rounds))));
  if (wants("cold"))
    results.push(
      ...(await cold(Number(values.coldfiles), Number(values.modules), Number(values.coldrounds))),
    );
  if (wants("churn")) results.push(...(await churn(Number(values.churnfiles), Number(values.cycles))));
  if (wants("storm")) results.push(...(await storm(Number(values.atonce), Number(values.storms))));
  return printResults("workspace", results);
}

/** Goal 1: from the request to a checkout on its own branch, one waiting in the pool. */
async function warm(files: number, rounds: number): Promise<readonly Result[]> {
  const bench = await makeBenchRepository(files);
  const pool = new WorkspacePool({ ...bench, size: 1 });
  try {
    pool.aim(bench.head);
    await pool.settled();
    let round = 0;
    const times = await interleave(rounds + 1, {
      plain: () => plainAdd(bench, `plain-${(round += 1)}`),
      pooled: async () => {
        const id = `WARM-${(round += 1)}`;
        let path = "";
        const ms = await timed(async () => {
          const taken = await pool.take({ id, base: bench.head });
          if (!taken.fromPool) throw new Error("the pool was empty");
          path = taken.path;
        });
        await expectClean(bench, path);
        const back = await pool.giveBack({ id, path });
        if (back.status !== "released") throw new Error(back.reason);
        await pool.settled();
        return ms;
      },
    });
    const [plain, pooled] = [times.get("plain")?.slice(1) ?? [], times.get("pooled")?.slice(1) ?? []];
    const factor = ratio(plain, pooled);
    const goal = files >= 100_000 ? 1500 : files >= 20_000 ? 400 : 40;
    return [
      {
        what: `warm workspace, ${files} files: git worktree add -b / from the pool`,
        value: `${median(plain).toFixed(0)} ms / ${median(pooled).toFixed(2)} ms, ${Math.round(factor)}×`,
        goal: `≥ ${goal}×`,
        met: factor >= goal,
      },
    ];
  } finally {
    await pool.close();
    bench.remove();
  }
}

/** Goal 2: nothing waits; dependencies included. */
async function cold(files: number, modules: number, rounds: number): Promise<readonly Result[]> {
  const bench = await makeBenchRepository(files);
  try {
    addDependencies(bench, modules);
    const templates = new WorkspacePool({ ...bench, size: 0 });
    templates.aim(bench.head);
    await templates.settled();
    await templates.close();
    const canMount = await canMountOverlay(process.env["PATH"] ?? "", bench.stateDirectory);
    // The first one fills the template of dependencies, which later ones share.
    await makeCold(bench, "COLD-first", "auto");
    let round = 0;
    const times = await interleave(rounds, {
      plain: async () => {
        const name = `plain-${(round += 1)}`;
        return (await plainAdd(bench, name)) + (await copyModules(bench, name));
      },
      copied: () => makeCold(bench, `COLD-${(round += 1)}`, "copy"),
      ...(canMount ? { layered: () => makeCold(bench, `COLD-${(round += 1)}`, "auto") } : {}),
    });
    const [plain, copied, layered] = ["plain", "copied", "layered"].map((name) => times.get(name) ?? []);
    const what = `cold workspace, ${files} files and ${modules} in node_modules`;
    const copyFactor = ratio(plain ?? [], copied ?? []);
    const results: Result[] = [
      {
        what: `${what}: add + cp -a / without overlay`,
        value: `${median(plain ?? []).toFixed(0)} ms / ${median(copied ?? []).toFixed(0)} ms, ${copyFactor.toFixed(2)}×`,
        goal: "≥ 1.3×",
        met: copyFactor >= 1.3,
      },
    ];
    if (!canMount)
      return [...results, { what: `${what}: with overlay`, value: "this machine cannot mount one" }];
    const factor = ratio(plain ?? [], layered ?? []);
    const goal = files >= 100_000 ? 200 : 50;
    return [
      ...results,
      {
        what: `${what}: add + cp -a / with overlay over a template`,
        value: `${median(plain ?? []).toFixed(0)} ms / ${median(layered ?? []).toFixed(1)} ms, ${Math.round(factor)}×`,
        goal: `≥ ${goal}×`,
        met: factor >= goal,
      },
    ];
  } finally {
    bench.remove();
  }
}

/** Goal 3: delegate and release again and again; ext4 makes this slower and slower for whoever deletes trees. */
async function churn(files: number, cycles: number): Promise<readonly Result[]> {
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
