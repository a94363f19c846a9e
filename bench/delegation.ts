import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import type { JournalEvent } from "../src/contract/journal-event.ts";
import { openStore } from "../src/journal/open-store.ts";
import type { ProjectRuntime } from "../src/supervisor/project-runtime.ts";
import { ownStoreFile } from "../test/own-store-file.ts";
import { type BenchManager, MANAGER, RETURN, withManager } from "./bench-manager.ts";
import { fillStore } from "./fill-store.ts";
import { interleave, median, printResults, ratio, timed, type Result } from "./measure.ts";
import type { BenchRepository } from "./workspace-repository.ts";

const run = promisify(execFile);

const options = {
  files: { type: "string", default: "2000" },
  rounds: { type: "string", default: "25" },
  earlier: { type: "string", default: "10000" },
} as const;

const QUIET_MS = 150;
const agents = { noop: RETURN, edit: `echo "$AMBIT_RETURN_METADATA" > "edited-$$.txt"; ${RETURN}` };

/** npm run bench -- delegation: what one delegation costs beside its worker, and which stage takes it. */
export async function delegation(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...words], options });
  const files = Number(values.files);
  const prepare = (bench: BenchRepository): Promise<void> => fillEarlier(bench, Number(values.earlier));
  const measured = await withManager({ files, agents }, (fresh) =>
    withManager({ files, agents, prepare }, (late) => measure({ fresh, late }, Number(values.rounds))),
  );
  const { plain, noop, edit, atOnce, late, noopStages, editStages } = measured;
  const growth = ratio(late, noop);
  const results: Result[] = [
    { what: "worktree add + git merge + remove", value: `${median(plain).toFixed(1)} ms` },
    goal("no-op worker, beside the worker", noop, { plain, times: 100 }),
    { what: "no-op worker, right after another", value: `${median(atOnce).toFixed(1)} ms` },
    goal("worker edits a file: kept, proven, merged", edit, { plain, times: 60 }),
    {
      what: "the same, absolute",
      value: `${median(edit).toFixed(1)} ms`,
      goal: "≤ 25 ms",
      met: median(edit) <= 25,
    },
    {
      what: `growth from 0 to ${values.earlier} earlier delegations`,
      value: `${growth.toFixed(2)}×`,
      goal: "≤ 1.1×",
      met: growth <= 1.1,
    },
    ...describeStages("no-op", noopStages),
    ...describeStages("edit", editStages),
  ];
  return printResults("delegation", results);
}

async function fillEarlier(bench: BenchRepository, delegations: number): Promise<void> {
  const store = openStore(ownStoreFile(bench.root));
  await fillStore(store, { delegations, eventsPerDelegation: 4 });
  // What the filler leaves open is nothing a runtime could take up.
  for (const one of (await store.openDelegations(1000)).toReversed())
    await store.settle(one.id, one.attempt, { outcome: "failed", summary: "bench" });
  await store.close();
}

interface Measured {
  readonly noop: readonly number[];
  readonly edit: readonly number[];
  /** The first again, right after whatever came before. */
  readonly atOnce: readonly number[];
  /** The first again, in the project with a past. */
  readonly late: readonly number[];
  readonly plain: readonly number[];
  readonly noopStages: Stages;
  readonly editStages: Stages;
}

async function measure(
  { fresh, late }: { readonly fresh: BenchManager; readonly late: BenchManager },
  rounds: number,
): Promise<Measured> {
  const noopStages: Stages = new Map();
  const editStages: Stages = new Map();
  let number = 0;
  const plain = (): Promise<number> => {
    number += 1;
    return timed(() => plainCycle(fresh.bench, number));
  };
  for (let warmUp = 0; warmUp < 4; warmUp += 1)
    for (const manager of [fresh, late]) await handOut(manager, "edit", new Map());
  const times = await interleave(rounds, {
    noop: () => quietly(() => handOut(fresh, "noop", noopStages)),
    edit: () => quietly(() => handOut(fresh, "edit", editStages)),
    late: () => quietly(() => handOut(late, "noop", new Map())),
    plain: () => quietly(plain),
    atOnce: () => handOut(fresh, "noop", new Map()),
  });
  const of = (name: string): readonly number[] => times.get(name) ?? [];
  const [noop, edit, atOnce] = [of("noop"), of("edit"), of("atOnce")];
  return { noop, edit, atOnce, late: of("late"), plain: of("plain"), noopStages, editStages };
}

/** One delegation from request to end; answers what it took beside its worker. */
async function handOut({ runtime }: BenchManager, agent: "noop" | "edit", stages: Stages): Promise<number> {
  const { engine } = runtime;
  const began = performance.now();
  const times = watch(runtime);
  const [admission] = await engine.delegate(
    { id: MANAGER, attempt: 1 },
    { tasks: [{ description: "Work", agent, accept: [] }] },
  );
  if (admission?.admitted !== true) throw new Error(JSON.stringify(admission));
  const ended = await engine.whenEnded(admission.delegation.id);
  const total = performance.now() - began;
  if (ended.outcome !== "completed") throw new Error(`${ended.outcome ?? ""} ${ended.summary}`);
  const worker = times.workerMs();
  times.addTo(stages, began, admission.delegation.id);
  return total - worker;
}

/** What the one before left to do in the background is done: no agent hands out work every tenth of a second. */
async function quietly(work: () => Promise<number>): Promise<number> {
  await new Promise((wait) => setTimeout(wait, QUIET_MS));
  return work();
}

type Stages = Map<string, number[]>;

/** When each event of one delegation was stored; the worker's own time is what its process took. */
function watch({ engine }: ProjectRuntime) {
  const seen: { event: JournalEvent; at: number }[] = [];
  const leave = engine.tools.store.onEvent((event) => seen.push({ event, at: performance.now() }));
  return {
    workerMs: (): number => {
      leave();
      return seen.reduce(
        (sum, { event }) => sum + (event.type === "attempt-ended" ? event.data.durationMs : 0),
        0,
      );
    },
    addTo: (stages: Stages, began: number, id: string): void => {
      let before = began;
      for (const { event, at } of seen) {
        if (event.delegation !== id) continue;
        const worker = event.type === "attempt-ended" ? event.data.durationMs : 0;
        stages.set(event.type, [...(stages.get(event.type) ?? []), at - before - worker]);
        before = at;
      }
    },
  };
}

function describeStages(name: string, stages: Stages): readonly Result[] {
  return [...stages].map(([type, times]) => ({
    what: `${name}: until ${type}`,
    value: `${median(times).toFixed(1)} ms`,
  }));
}

function goal(
  what: string,
  ours: readonly number[],
  { plain, times }: { plain: readonly number[]; times: number },
): Result {
  const found = ratio(plain, ours);
  return {
    what,
    value: `${median(ours).toFixed(1)} ms, ${found.toFixed(1)}× less`,
    goal: `≥ ${times}×`,
    met: found >= times,
  };
}

/** What tools do today: a worktree per task, merged in the main checkout's twin, then removed. */
async function plainCycle(bench: BenchRepository, number: number): Promise<void> {
  const path = join(bench.folder, `plain-${number}`);
  const branch = `plain-${number}`;
  const env = { PATH: process.env["PATH"] ?? "", HOME: bench.home };
  const git = (folder: string, ...words: string[]): Promise<unknown> =>
    run("git", ["-C", folder, ...words], { env });
  if (number === 1)
    await git(bench.root, "worktree", "add", "-q", "-b", "plain-target", join(bench.folder, "target"));
  await git(bench.root, "worktree", "add", "-q", "-b", branch, path);
  writeFileSync(join(path, `plain-${number}.txt`), "x\n");
  await git(path, "add", "-A");
  await git(path, "commit", "-q", "-m", "work");
  await git(join(bench.folder, "target"), "merge", "-q", "--no-edit", branch);
  await git(bench.root, "worktree", "remove", "--force", path);
}
