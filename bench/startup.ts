/** How long until a command answers, against a program that does nothing: npm run bench -- startup --rounds 40 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../src/journal/open-store.ts";
import { fillStore } from "./fill-store.ts";
import { interleave, median, printResults, ratio } from "./measure.ts";
import { ownStoreFile } from "../test/own-store-file.ts";

const GOALS: ReadonlyMap<string, number> = new Map([
  ["version", 1.1],
  ["status", 1.6],
  ["list", 1.6],
]);

export async function startup(options: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...options],
    options: { rounds: { type: "string", default: "40" } },
  });
  const project = mkdtempSync(join(tmpdir(), "ambit-startup-"));
  const program = resolve("dist/cli/main.cjs");
  const empty = join(project, "empty.js");
  try {
    mkdirSync(join(project, ".git"));
    writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(empty, "");
    const store = openStore(ownStoreFile(project));
    await fillStore(store, { delegations: 1000, eventsPerDelegation: 10 });
    await store.close();
    const times = await interleave(Number(values.rounds), {
      empty: () => run(project, [empty]),
      version: () => run(project, [program, "--version"]),
      status: () => run(project, [program, "status"]),
      list: () => run(project, [program, "list"]),
      help: () => run(project, [program, "--help"]),
    });
    const baseline = times.get("empty") ?? [];
    const results = [...times].map(([name, list]) => {
      const factor = ratio(list, baseline);
      const goal = GOALS.get(name);
      // The best round of each is what remains when other work keeps the machine busy.
      const best = Math.min(...list) / Math.min(...baseline);
      const value = `${median(list).toFixed(1)} ms, ${factor.toFixed(2)}× (best against best ${best.toFixed(2)}×)`;
      const what = {
        empty: "node empty.js",
        version: "ambit --version",
        status: "ambit status, 1,000 delegations",
        list: "ambit list, 1,000 delegations",
      }[name];
      if (goal === undefined) return { what: what ?? `ambit --${name}`, value };
      return { what: what ?? name, value, goal: `≤ ${goal}×`, met: factor <= goal };
    });
    return printResults("startup", results);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** An empty environment: extra certificates alone would cost Node 20 more than everything measured here. */
function run(project: string, args: readonly string[]): number {
  const began = performance.now();
  const child = spawnSync(process.execPath, args, {
    cwd: project,
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ms = performance.now() - began;
  if (child.status !== 0) throw new Error(`${args.join(" ")} failed: ${String(child.stderr)}`);
  return ms;
}
