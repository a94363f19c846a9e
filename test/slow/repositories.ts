/**
 * Real projects of other people, in pinned versions: npm run test:repositories [-- --only zod,pflag] [--parallel 2] [--keep]
 * Each has its own test command run at home, in a workspace below a worker that edits something harmless, and at home
 * again: the results must be the same, down to the number of tests. A worker that breaks the project must end red, and
 * one that does nothing must be told that its green check proves nothing. Prints a table; a complete run writes it to
 * docs/figures/repositories.md. Downloads are kept in node_modules/.cache/ambit or $XDG_CACHE_HOME.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { debianProjects } from "./repositories/debian-projects.ts";
import { nodeProjects } from "./repositories/node-projects.ts";
import { ownTestProjects } from "./repositories/own-test-projects.ts";
import type { RealProject } from "./repositories/real-project.ts";
import { readCommit, renderFigures, renderRow, renderSummary } from "./repositories/render.ts";
import { tryProject, type Trial } from "./repositories/try-project.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    keep: { type: "boolean", default: false },
    parallel: { type: "string", default: "2" },
  },
});
process.exitCode = await run();

async function run(): Promise<number> {
  const names = values.only?.split(",");
  const commit = readCommit();
  const chosen = [...nodeProjects, ...ownTestProjects, ...debianProjects].filter(
    ({ name }) => names?.includes(name) ?? true,
  );
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-repositories-")));
  const done = new Map<RealProject, Trial>();
  const waiting = chosen.values();
  const tryNext = async (): Promise<void> => {
    for (const project of waiting) {
      const trial = await tryOrReport(project, folder);
      done.set(project, trial);
      console.log(renderRow(trial, `${done.size}/${chosen.length}`));
    }
  };
  try {
    await Promise.all(Array.from({ length: Number(values.parallel) }, tryNext));
  } finally {
    if (values.keep) console.log(`kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
  const trials = chosen.flatMap((project) => done.get(project) ?? []);
  console.log(renderSummary(trials));
  if (names === undefined) {
    mkdirSync("docs/figures", { recursive: true });
    writeFileSync("docs/figures/repositories.md", renderFigures(trials, commit));
  }
  return trials.every(({ faults }) => faults.length === 0) ? 0 : 1;
}

/** A project that cannot be fetched or installed is a failure like any other; the next ones are still tried. */
async function tryOrReport(project: RealProject, folder: string): Promise<Trial> {
  try {
    return await tryProject(project, folder);
  } catch (error) {
    const none = { home: null, workspace: null, again: null, broken: "-", nothing: "-", seconds: 0 };
    const { stdout = "", stderr = "" } = z
      .object({ stdout: z.unknown(), stderr: z.unknown() })
      .partial()
      .parse(error);
    return { project, ...none, faults: [[error, stdout, stderr].map(String).join("\n").trim()] };
  }
}
