import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import * as z from "zod";
import { interleave, median, printResults, ratio, type Result } from "./measure.ts";

const run = promisify(execFile);

const options = {
  commit: { type: "string" },
  /** How often both run, in random order. */
  pairs: { type: "string", default: "7" },
  /** Only rows with one of these texts. */
  rows: { type: "string", default: "" },
  /** A row is met if its time now is at most this many times the time then. */
  most: { type: "string", default: "1.1" },
} as const;

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * npm run bench -- against --commit <commit> [--rows a,b] <bench> -- <its options>: the same bench of this checkout and of an
 * earlier commit, which is built in a temporary folder, interleaved in one run; prints ratios of the times.
 */
export async function against(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
  const [name, ...rest] = positionals;
  if (values.commit === undefined || name === undefined)
    throw new Error("usage: npm run bench -- against --commit <commit> <bench> -- <its options>");
  const here = resolve(".");
  return withEarlier(here, values.commit, async (earlier, signal) => {
    const bench = { words: [name, ...rest], signal };
    const runs = {
      now: new Runs({ ...bench, folder: here }),
      earlier: new Runs({ ...bench, folder: earlier }),
    };
    await interleave(Number(values.pairs), { now: () => runs.now.add(), earlier: () => runs.earlier.add() });
    const wanted = values.rows.split(",").filter((text) => text !== "");
    return printResults(
      `${name} against ${values.commit}`,
      compareRows(runs, Number(values.most)).filter(
        ({ what }) => wanted.length === 0 || wanted.some((text) => what.includes(text)),
      ),
    );
  });
}

/** Builds the earlier commit in a temporary folder, which goes in the end, after Ctrl-C too. */
async function withEarlier<Found>(
  here: string,
  commit: string,
  use: (folder: string, signal: AbortSignal) => Promise<Found>,
): Promise<Found> {
  const parent = mkdtempSync(join(tmpdir(), "ambit-earlier-"));
  const folder = join(parent, "ambit");
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.on("SIGINT", end).on("SIGTERM", end);
  try {
    buildEarlier(here, { folder, commit });
    return await use(folder, stop.signal);
  } finally {
    process.off("SIGINT", end).off("SIGTERM", end);
    rmSync(parent, { recursive: true, force: true });
    execFileSync("git", ["worktree", "prune"]);
  }
}

/** Dependencies are those of this checkout. */
function buildEarlier(
  here: string,
  { folder, commit }: { readonly folder: string; readonly commit: string },
): void {
  execFileSync("git", ["worktree", "add", "--quiet", "--detach", folder, commit]);
  symlinkSync(join(here, "node_modules"), join(folder, "node_modules"));
  for (const place of [folder, here])
    execFileSync(process.execPath, ["scripts/build.mjs", "--no-types"], { cwd: place, stdio: "ignore" });
}

const outputSchema = z.looseObject({
  results: z.array(z.looseObject({ what: z.string(), value: z.string() })),
});

interface Bench {
  readonly folder: string;
  readonly words: readonly string[];
  readonly signal: AbortSignal;
}

/** The runs of one version's own bench: the milliseconds of each row, run by run. */
class Runs {
  readonly times = new Map<string, number[]>();
  readonly #bench: Bench;

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  async add(): Promise<number> {
    const began = performance.now();
    const { folder, signal } = this.#bench;
    signal.throwIfAborted();
    const words = ["scripts/run-ts.mjs", "bench/main.ts", ...this.#bench.words];
    // A goal that is not met is not the question here.
    const { stdout } = await run(process.execPath, words, {
      cwd: folder,
      signal,
      maxBuffer: MAX_OUTPUT_BYTES,
    }).catch(readOutput);
    const { results } = outputSchema.parse(JSON.parse(stdout.split("\n\n|")[0] ?? ""));
    for (const { what, value } of results) {
      const ms = readMs(value);
      if (ms !== undefined) this.times.set(what, [...(this.times.get(what) ?? []), ms]);
    }
    return performance.now() - began;
  }
}

const failureSchema = z.looseObject({ code: z.literal(1), stdout: z.string().min(1) });

function readOutput(error: unknown): { readonly stdout: string } {
  const failed = failureSchema.safeParse(error);
  if (failed.success) return failed.data;
  throw error;
}

/** The last time in a text such as `41 ms / 1.20 ms, 34×`. */
function readMs(value: string): number | undefined {
  const found = [...value.matchAll(/(\d+(?:\.\d+)?) ms/g)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}

function compareRows(
  runs: { readonly now: Runs; readonly earlier: Runs },
  most: number,
): readonly (Result & { readonly what: string })[] {
  return [...runs.now.times].flatMap(([what, now]) => {
    const earlier = runs.earlier.times.get(what);
    if (earlier === undefined || earlier.length !== now.length) return [];
    const found = ratio(now, earlier);
    const times = `${median(now).toFixed(1)} ms now, ${median(earlier).toFixed(1)} ms then`;
    return [{ what, value: `${found.toFixed(2)}× (${times})`, goal: `≤ ${most}×`, met: found <= most }];
  });
}
