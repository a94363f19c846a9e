import { parseArgs } from "node:util";
import { type BenchManager, MANAGER, RETURN, withManager } from "./bench-manager.ts";
import { printResults, type Result } from "./measure.ts";

const options = { files: { type: "string", default: "200" } } as const;

const WARM_UP_MS = 3000;
const MAX_CPU_MS = 15;

/** npm run bench -- parallel: how much of the time of waiting workers is really worked, ideal ÷ wall, and what each costs. */
export async function parallel(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...words], options });
  const results: Result[] = [];
  for (const [workers, seconds, slots, least] of [
    [100, 0.5, 10, 0.93],
    [12, 5, 6, 0.985],
  ] as const) {
    const agents = { sleeper: `sleep ${seconds}; ${RETURN}` };
    const request = { files: Number(values.files), slots, agents };
    const { efficiency, cpuMs } = await withManager(request, (manager) =>
      handOut(manager, { workers, seconds, slots }),
    );
    const what = `${workers} workers of ${seconds} s on ${slots} slots`;
    results.push(
      { what, value: efficiency.toFixed(3), goal: `≥ ${least}`, met: efficiency >= least },
      {
        what: `${what}: CPU of the supervisor for each worker`,
        value: `${cpuMs.toFixed(1)} ms`,
        ...(workers < 100 ? {} : { goal: `≤ ${MAX_CPU_MS} ms`, met: cpuMs <= MAX_CPU_MS }),
      },
    );
  }
  return printResults("parallel", results);
}

interface Load {
  readonly workers: number;
  readonly seconds: number;
  readonly slots: number;
}

async function handOut(
  { runtime: { engine } }: BenchManager,
  { workers, seconds, slots }: Load,
): Promise<{ readonly efficiency: number; readonly cpuMs: number }> {
  // No agent hands out work in its first second; places for its workers are made meanwhile.
  await new Promise((wait) => setTimeout(wait, WARM_UP_MS));
  const tasks = Array.from({ length: workers }, (_, index) => ({
    description: `Part ${index}`,
    agent: "sleeper",
    accept: [],
  }));
  const before = process.cpuUsage();
  const began = performance.now();
  const admissions = await engine.delegate({ id: MANAGER, attempt: 1 }, { tasks });
  await Promise.all(admissions.flatMap((one) => (one.admitted ? [engine.whenEnded(one.delegation.id)] : [])));
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return {
    efficiency: (Math.ceil(workers / slots) * seconds * 1000) / wall,
    cpuMs: (user + system) / 1000 / workers,
  };
}
