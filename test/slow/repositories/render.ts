import { execFileSync } from "node:child_process";
import { release } from "node:os";
import type { Trial } from "./try-project.ts";

/** One line for the terminal, with every fault below it. */
export function renderRow({ project, faults, ...seen }: Trial, progress: string): string {
  const { name, version, tools, tests } = project;
  const counts = [seen.home, seen.workspace, seen.again].map((count) => count ?? "red").join(" / ");
  const what = `${name} ${version} (${tools}; tests ${tests})`;
  const mark = faults.length === 0 ? "ok  " : "FAIL";
  const line = `${mark} ${progress.padEnd(6)} ${what.padEnd(62)} ${counts.padEnd(18)} ${seen.broken}, ${seen.nothing}  ${seen.seconds.toFixed(0)} s`;
  return [line, ...faults.map((fault) => `  - ${fault}`)].join("\n");
}

export function renderSummary(trials: readonly Trial[]): string {
  const good = trials.filter(({ faults }) => faults.length === 0);
  const tests = good.reduce((sum, { home }) => sum + (home ?? 0), 0);
  const seconds = trials.reduce((sum, trial) => sum + trial.seconds, 0);
  return `${good.length} of ${trials.length} projects as at home, ${tests} tests each time, ${seconds.toFixed(0)} s`;
}

/** The newest commit of the product; read it before the projects are tried. */
export function readCommit(): string {
  return execFileSync("git", ["log", "-1", "--format=%h", "--", "src"], { encoding: "utf8" }).trim();
}

/** The page of docs/figures. */
export function renderFigures(trials: readonly Trial[], commit: string): string {
  const rows = trials.map(({ project, faults, ...seen }) => {
    const { name, version, tools, tests, command } = project;
    const cells = [`${name} ${version}`, tools, tests, `\`${command.replaceAll("|", "\\|")}\``];
    const counts = [seen.home, seen.workspace, seen.again].map((count) => String(count ?? "red"));
    const rest = [seen.broken, seen.nothing, faults.length === 0 ? "ok" : "**not as at home**"];
    return `| ${[...cells, ...counts, ...rest].join(" | ")} |`;
  });
  return `# Real repositories

Written by \`npm run test:repositories\`; do not edit. Commit ${commit}, Node ${process.version}, Linux ${release()}.

${renderSummary(trials)}.

Each project is a pinned release from the npm registry or from Debian's sources. Its own command runs at home (in a
plain checkout), in the workspace of a worker that edits something harmless, and at home again while the supervisor
lives.

- **home**, **workspace**, **again**: what the tool counts: tests, or files for a linter and a compiler, or lines for a
  plain program.
- **broken**, **nothing**: what Ambit says about the check of a worker that breaks the project, and of one that does
  nothing.
- **tests**: \`shipped\` with the release, or \`own\`: written here, because the release has none.

| project | tools | tests | command | home | workspace | again | broken | nothing | |
|---|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}
`;
}
