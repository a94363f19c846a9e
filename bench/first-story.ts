import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { printResults } from "./measure.ts";
import { type BenchRepository, makeBenchRepository } from "./workspace-repository.ts";

const options = { files: { type: "string", default: "200000" } } as const;

const MAX_FIRST_MS = 6000;

/** npm run bench -- first-story: the first `ambit run` in a large repository, and a second one, with a worker that does nothing. */
export async function firstStory(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...words], options });
  const bench = await makeBenchRepository(Number(values.files));
  try {
    const [firstMs, secondMs] = [runStory(bench, "S-1"), runStory(bench, "S-2")];
    ambit(bench, "supervisor", "stop");
    return printResults("first-story", [
      {
        what: `first story in a repository of ${values.files} files`,
        value: `${firstMs.toFixed(0)} ms`,
        goal: `≤ ${MAX_FIRST_MS} ms`,
        met: firstMs <= MAX_FIRST_MS,
      },
      { what: "the second story", value: `${secondMs.toFixed(0)} ms` },
    ]);
  } finally {
    bench.remove();
  }
}

function runStory(bench: BenchRepository, id: string): number {
  const began = performance.now();
  ambit(bench, "run", "Do nothing", "--id", id, "--check", "true", "--", "true");
  return performance.now() - began;
}

function ambit(bench: BenchRepository, ...words: readonly string[]): void {
  execFileSync(process.execPath, [resolve("dist/cli/main.cjs"), ...words], {
    cwd: bench.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: bench.home },
    stdio: ["ignore", "ignore", "inherit"],
  });
}
