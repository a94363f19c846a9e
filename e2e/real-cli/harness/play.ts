import { relative } from "node:path";
import type { Machine } from "./machine.ts";
import { openMachine } from "./machine.ts";
import { repository } from "./places.ts";
import { readBuild, recordPlay } from "./plays.ts";
import type { Cast, Scenario } from "./scenario.ts";
import { removeFolder } from "../../../test/e2e/remove-folder.ts";

export interface Job {
  readonly scenario: Scenario;
  readonly cast: Cast;
}

export interface PlayOptions {
  /** Keep what every scenario left, not only what failed ones did. */
  readonly keep: boolean;
  readonly lanes: number;
}

/** Plays every job and reports one line each; answers how many fell short. */
export async function playAll(jobs: readonly Job[], options: PlayOptions): Promise<number> {
  const queue = [...jobs];
  const build = readBuild();
  let failures = 0;
  const began = performance.now();
  const lane = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      if (!(await play(job, { ...options, build }))) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: options.lanes }, lane));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${jobs.length - failures} of ${jobs.length} hold, ${seconds} s`);
  return failures;
}

async function play(
  { scenario, cast }: Job,
  { keep, build }: PlayOptions & { readonly build: string },
): Promise<boolean> {
  const [manager, worker = manager] = cast;
  if (manager === undefined || worker === undefined) throw new TypeError(`${scenario.name} without a cast`);
  const name = [scenario.name, ...cast.map((cli) => cli.name)].join("-");
  const machines: Machine[] = [];
  let told = "";
  const began = performance.now();
  const failure = await scenario
    .play({
      cast,
      manager,
      worker,
      tell: (words) => (told = words),
      open: async (order) => {
        const machine = await openMachine({ ...order, name, clis: cast });
        machines.push(machine);
        return machine;
      },
    })
    .then(() => undefined)
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  for (const machine of machines) await machine.close();
  const result = { holds: failure === undefined, note: failure ?? told };
  recordPlay({ build, scenario: scenario.name, agent: manager.name, ...result });
  const who = cast.map((cli) => cli.name).join(" → ");
  const folder = machines[0] === undefined ? "" : relative(repository, machines[0].folder);
  console.log(
    [
      failure === undefined ? "pass" : "FAIL",
      scenario.name.padEnd(12),
      who.padEnd(26),
      `${seconds} s`.padStart(8),
    ].join("  "),
  );
  if (failure !== undefined) console.log(`      ${failure}\n      logs: ${folder}`);
  if (failure === undefined && !keep) for (const machine of machines) removeFolder(machine.folder);
  return failure === undefined;
}
