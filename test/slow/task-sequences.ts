/**
 * Random sequences of changes to a task list: npm run test:tasks -- --sequences 1000 --seed 1 [--from 500] [--only 17] [--control]
 * The store, a person in TODO.md, git commits, branch switches and SIGKILLs in the middle of a change take turns.
 * Afterwards state.json, TODO.md and the journal must say the same, no hand edit may be lost, and no number may
 * have belonged to two tasks on any branch. Fails on the first sequence where that is not so. With --control what a
 * killed process meant to do is forgotten, and the run must fail.
 */
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { diskEffects } from "../../src/tasks/task-store.ts";
import type { TaskEffects } from "../../src/tasks/task-store.ts";
import { randomOfCase } from "./random.ts";
import { runSequence, type SequenceCounts } from "./tasks/sequence.ts";
import { makeWorld, openStore, worldAt } from "./tasks/task-world.ts";
import { callOf, type StoreCall } from "./tasks/store-calls.ts";

const { values } = parseArgs({
  options: {
    sequences: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    only: { type: "string" },
    control: { type: "boolean", default: false },
    worker: { type: "string" },
    call: { type: "string", default: "{}" },
    die: { type: "string", default: "" },
  },
});

if (values.worker === undefined) process.exitCode = await run();
else await work(values.worker);

/** One change in a process of its own, which ends itself with SIGKILL after a number of effects. */
async function work(root: string): Promise<void> {
  const call: StoreCall = JSON.parse(values.call);
  const store = openStore(worldAt(root), values.die === "" ? undefined : deadly(Number(values.die)));
  process.stdout.write("go\n");
  await callOf(store, call);
}

function deadly(limit: number): TaskEffects {
  let left = limit;
  const count = (): void => {
    if (left === 0) process.kill(process.pid, "SIGKILL");
    left -= 1;
  };
  return {
    write: (file, text) => {
      count();
      diskEffects.write(file, text);
    },
    move: (from, to) => {
      count();
      diskEffects.move(from, to);
    },
    remove: (file) => {
      count();
      diskEffects.remove(file);
    },
  };
}

async function run(): Promise<number> {
  const seed = Number(values.seed);
  const first = Number(values.only ?? values.from);
  const last = values.only === undefined ? Number(values.sequences) : first + 1;
  const totals: SequenceCounts = {
    changes: 0,
    edits: 0,
    commits: 0,
    switches: 0,
    kills: 0,
    checks: 0,
    conflicts: 0,
  };
  const started = performance.now();
  for (let index = first; index < last; index += 1) {
    const world = makeWorld();
    try {
      await runSequence(world, {
        random: randomOfCase(seed, index),
        counts: totals,
        forgetsIntents: values.control,
      });
      rmSync(world.root, { recursive: true, force: true });
    } catch (error) {
      process.stderr.write(`sequence ${index} of seed ${seed} (kept in ${world.root}):\n${String(error)}\n`);
      if (error instanceof Error) process.stderr.write(`${String(error.cause)}\n`);
      return 1;
    }
    if ((index + 1) % 50 === 0) process.stdout.write(`${index + 1} sequences, ${JSON.stringify(totals)}\n`);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(
    `${last - first} sequences in ${seconds} s, none disagreed: ${JSON.stringify(totals)}\n`,
  );
  return totals.kills === 0 && last - first > 20 ? 1 : 0;
}
