/**
 * List and look-up in a task file of 1,000 entries against `jq` on the same file, start-up included:
 * npm run bench -- tasks --rounds 40 [--file a-state.json]
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { interleave, median, printResults, ratio } from "./measure.ts";
import { makeTaskFile, makeTodoFile } from "./task-file.ts";

const GOAL = 1.5;
const ENTRIES = 1000;
const WANTED = ENTRIES / 2;
const LIST = ".active_projects[] | [.project_number, .status, .language, .priority, .project_name] | @tsv";
const SHOW = `.active_projects[] | select(.project_number == ${WANTED})`;

export async function tasks(options: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...options],
    options: { rounds: { type: "string", default: "40" }, file: { type: "string" } },
  });
  const project = mkdtempSync(join(tmpdir(), "ambit-tasks-"));
  try {
    const file = prepare(project, values.file);
    const ambit = (...words: string[]): number =>
      run(project, process.execPath, [resolve("dist/cli/main.cjs"), "task", ...words]);
    const jq = (filter: string): number => run(project, "jq", ["-r", filter, file]);
    const times = await interleave(Number(values.rounds), {
      empty: () => run(project, process.execPath, [join(project, "empty.js")]),
      "jq list": () => jq(LIST),
      "ambit list": () => ambit("list"),
      "ambit list --json": () => ambit("list", "--json"),
      "jq show": () => jq(SHOW),
      "ambit show": () => ambit("show", String(WANTED)),
      "ambit show --json": () => ambit("show", String(WANTED), "--json"),
    });
    return printResults("tasks", compare(times));
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function prepare(project: string, given: string | undefined): string {
  const file = join(project, "specs", "state.json");
  mkdirSync(join(project, ".git"));
  writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
  mkdirSync(join(project, "specs"));
  writeFileSync(join(project, "empty.js"), "");
  const real = given === undefined ? [] : entriesOf(JSON.parse(readFileSync(given, "utf8")));
  const state = makeTaskFile(ENTRIES, real);
  writeFileSync(file, state);
  writeFileSync(join(project, "specs", "TODO.md"), makeTodoFile(state));
  return file;
}

/** The entries of a real file, active or archived. */
function entriesOf(document: unknown): readonly object[] {
  const lists = Object.values(Object(document)).filter((value) => Array.isArray(value));
  return lists.flat().filter((entry) => Number.isInteger(Object(entry).project_number));
}

function compare(times: ReadonlyMap<string, readonly number[]>) {
  return [...times].map(([what, list]) => {
    const baseline = times.get(what.includes("list") ? "jq list" : "jq show") ?? [];
    const factor = ratio(list, baseline);
    // The best round of each is what remains when other work keeps the machine busy.
    const best = Math.min(...list) / Math.min(...baseline);
    const value = `${median(list).toFixed(1)} ms, ${factor.toFixed(2)}× jq (best against best ${best.toFixed(2)}×)`;
    if (!what.startsWith("ambit")) return { what, value };
    return { what, value, goal: `≤ ${GOAL}×`, met: factor <= GOAL };
  });
}

/** An environment with next to nothing: extra certificates alone would cost Node 20 more than all that is measured. */
function run(project: string, program: string, args: readonly string[]): number {
  const began = performance.now();
  const child = spawnSync(program, args, {
    cwd: project,
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
  const ms = performance.now() - began;
  if (child.status !== 0) throw new Error(`${args.join(" ")} failed: ${String(child.error ?? child.stderr)}`);
  return ms;
}
