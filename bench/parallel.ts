import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openProjectRuntime } from "../src/supervisor/project-runtime.ts";
import { printResults, type Result } from "./measure.ts";
import { makeBenchRepository, type BenchRepository } from "./workspace-repository.ts";

const options = { files: { type: "string", default: "200" } } as const;

const WARM_UP_MS = 3000;
const RETURN = `printf '{"status":"completed","summary":"Done. It is short.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`;

/** npm run bench -- parallel: how much of the time of waiting workers is really worked, ideal ÷ wall. */
export async function parallel(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...words], options });
  const results: Result[] = [];
  for (const [workers, seconds, slots, least] of [
    [100, 0.5, 10, 0.93],
    [12, 5, 6, 0.98],
  ] as const) {
    const efficiency = await measure(Number(values.files), { workers, seconds, slots });
    results.push({
      what: `${workers} workers of ${seconds} s on ${slots} slots`,
      value: efficiency.toFixed(3),
      goal: `≥ ${least}`,
      met: efficiency >= least,
    });
  }
  return printResults("parallel", results);
}

interface Load {
  readonly workers: number;
  readonly seconds: number;
  readonly slots: number;
}

async function measure(files: number, { workers, seconds, slots }: Load): Promise<number> {
  const bench = await makeBenchRepository(files);
  try {
    mkdirSync(join(bench.root, ".ambit/agents"), { recursive: true });
    const command = JSON.stringify(["/bin/sh", "-c", `sleep ${seconds}; ${RETURN}`]);
    writeFileSync(
      join(bench.root, ".ambit/agents/sleeper.md"),
      `---\nadapter: command\ncommand: ${command}\n---\n`,
    );
    writeFileSync(
      join(bench.root, "ambit.yaml"),
      `delegation:\n  maxDelegationsPerStory: 100\n  fanOut: {depth0: 100}\n  parallel: {maxConcurrent: ${slots}}\n`,
    );
    return await run(bench, { workers, seconds, slots });
  } finally {
    bench.remove();
  }
}

async function run(bench: BenchRepository, { workers, seconds, slots }: Load): Promise<number> {
  const dist = resolve("dist/cli/main.cjs");
  const runtime = await openProjectRuntime({
    projectRoot: bench.root,
    version: "bench",
    environment: { PATH: process.env["PATH"], HOME: bench.home },
    program: [process.execPath, dist],
    workerProgram: [process.execPath, dist, "__worker"],
    onQuiet: () => undefined,
    onShutdown: () => undefined,
  });
  const { engine } = runtime;
  await engine.openStory({ id: "BENCH", title: "Manager", adapter: "command", command: ["sleep", "86400"] });
  while ((await engine.read("BENCH")).workspace === null) await new Promise((wait) => setTimeout(wait, 20));
  // No agent hands out work in its first second; places for its workers are made meanwhile.
  await new Promise((wait) => setTimeout(wait, WARM_UP_MS));
  const tasks = Array.from({ length: workers }, (_, index) => ({
    description: `Part ${index}`,
    agent: "sleeper",
    accept: [],
  }));
  const began = performance.now();
  const admissions = await engine.delegate({ id: "BENCH", attempt: 1 }, { tasks });
  await Promise.all(admissions.flatMap((one) => (one.admitted ? [engine.whenEnded(one.delegation.id)] : [])));
  const wall = performance.now() - began;
  await engine.stop("BENCH", { reason: "done", by: "bench" });
  await runtime.close();
  return (Math.ceil(workers / slots) * seconds * 1000) / wall;
}
