/**
 * Workspaces made, used, killed and cleaned beside a user who keeps working:
 *   npm run test:cycles -- --cycles 1000 --seed 1
 * Each cycle is one process that takes a snapshot, makes a workspace (from nothing, from the pool or as a private
 * clone), works and commits in it, imports and releases; most are killed at a random moment, alone or with everything
 * they started. Afterwards whatever is left is imported and put away as a recovering runtime does. Fails when the
 * user's files, index, stash, branches or configuration differ from a twin repository that saw only the user, when a
 * commit a worker was promised is not reachable from a ref, or when an orphan is left.
 *
 * --break user|commits|orphans spoils the run on purpose, so that it must fail: a stash in the user's checkout, refs
 * deleted with the workspace, a recovery that forgets half-made checkouts. --control does all three and fails unless
 * each was noticed.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { check } from "./cycles/check.ts";
import { recover } from "./cycles/recover.ts";
import { runOne } from "./cycles/run-one.ts";
import { parseFacts, runCycle } from "./cycles/worker.ts";
import { type Break, breaks, keepUserBusy, makeWorld, promised } from "./cycles/world.ts";

const { values } = parseArgs({
  options: {
    cycles: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    break: { type: "string" },
    control: { type: "boolean", default: false },
    worker: { type: "string" },
  },
});

/** What each fault must be noticed as. */
const signs: Readonly<Record<Break, string>> = {
  user: "differs: ",
  commits: "is not reachable",
  orphans: "orphan: ",
};

if (values.worker !== undefined) await runCycle(parseFacts(values.worker));
else if (values.control) process.exitCode = runControls();
else process.exitCode = await run(Number(values.cycles), Number(values.seed));

async function run(cycles: number, seed: number): Promise<number> {
  const planted = breaks.find((name) => name === values.break);
  const world = await makeWorld(seed, planted);
  const start = performance.now();
  try {
    const actor = keepUserBusy(world);
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await runOne(world, `US-${cycle}-DEL-001`, seed * 100_000 + cycle);
      if (cycle % 50 === 49) process.stderr.write(`${cycle + 1} cycles, ${world.user.steps} user steps\n`);
    }
    await actor.stop();
    await recover(world);
    await check(world);
    const report = {
      cycles,
      seed,
      planted: planted ?? null,
      killed: world.killed,
      recovered_workspaces: world.recovered,
      user_steps: world.user.steps,
      commits: promised(world).length,
      seconds: Math.round((performance.now() - start) / 1000),
      problems: world.problems,
    };
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    return world.problems.length === 0 ? 0 : 1;
  } finally {
    world.project.remove();
  }
}

function runControls(): number {
  const missed = breaks.filter((name) => !isNoticed(name));
  process.stdout.write(`${JSON.stringify({ planted: breaks, missed })}\n`);
  return missed.length === 0 ? 0 : 1;
}

function isNoticed(name: Break): boolean {
  const words = [process.argv[1] ?? "", "--cycles", "16", "--seed", values.seed, "--break", name];
  const { status, stdout } = spawnSync(process.execPath, words, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.stdout.write(stdout);
  return status === 1 && stdout.includes(signs[name]);
}
