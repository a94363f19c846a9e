import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openProjectRuntime, type ProjectRuntime } from "../src/supervisor/project-runtime.ts";
import { type BenchRepository, makeBenchRepository } from "./workspace-repository.ts";

/** The end of every scripted worker: its return. */
export const RETURN = `printf '{"status":"completed","summary":"Done. It is short.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`;

/** The story whose manager hands out work, and whose program only waits. */
export const MANAGER = "BENCH";

export interface BenchManager {
  readonly bench: BenchRepository;
  readonly runtime: ProjectRuntime;
}

interface ManagerRequest {
  readonly files: number;
  readonly slots?: number;
  /** Shell scripts by the name of their agent. */
  readonly agents: Readonly<Record<string, string>>;
  readonly prepare?: (bench: BenchRepository) => Promise<void>;
}

/** A project with a manager that may hand out 100 parts. */
export async function withManager<Found>(
  { files, slots = 3, agents, prepare }: ManagerRequest,
  use: (manager: BenchManager) => Promise<Found>,
): Promise<Found> {
  const bench = await makeBenchRepository(files);
  try {
    writeFileSync(
      join(bench.root, "ambit.yaml"),
      `delegation:\n  maxDelegationsPerStory: 100\n  fanOut: {depth0: 100}\n  parallel: {maxConcurrent: ${slots}}\n`,
    );
    for (const [name, script] of Object.entries(agents)) writeAgent(bench, name, script);
    mkdirSync(bench.stateDirectory, { recursive: true });
    await prepare?.(bench);
    const runtime = await openBenchRuntime(bench);
    try {
      await openManager(runtime);
      return await use({ bench, runtime });
    } finally {
      await runtime.engine.stop(MANAGER, { reason: "done", by: "bench" });
      await runtime.close();
    }
  } finally {
    bench.remove();
  }
}

function openBenchRuntime(bench: BenchRepository): Promise<ProjectRuntime> {
  const dist = resolve("dist/cli/main.cjs");
  return openProjectRuntime({
    projectRoot: bench.root,
    version: "bench",
    environment: { PATH: process.env["PATH"], HOME: bench.home },
    program: [process.execPath, dist],
    workerProgram: [process.execPath, dist, "__worker"],
    onQuiet: () => undefined,
    onShutdown: () => undefined,
  });
}

async function openManager({ engine }: ProjectRuntime): Promise<void> {
  await engine.openStory({
    id: MANAGER,
    title: "Manager",
    adapter: "command",
    command: ["sleep", "86400"],
    timeoutSeconds: 14_400,
  });
  while ((await engine.read(MANAGER)).workspace === null) await new Promise((wait) => setTimeout(wait, 20));
}

function writeAgent(bench: BenchRepository, name: string, script: string): void {
  const folder = join(bench.root, ".ambit/agents");
  mkdirSync(folder, { recursive: true });
  const command = JSON.stringify(["/bin/sh", "-c", script]);
  writeFileSync(join(folder, `${name}.md`), `---\nadapter: command\ncommand: ${command}\n---\n`);
}
