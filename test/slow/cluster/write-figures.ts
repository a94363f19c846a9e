import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";

export interface FiguresRow {
  /** The words behind `npm run test:cluster --`. */
  readonly words: readonly string[];
  readonly outcome: string;
  readonly figures: readonly string[];
}

const FILE = "docs/figures/cluster.md";
const HEAD = `# Many machines

Written by \`npm run test:cluster -- <options> --figures\`; do not edit. Real \`ambit worker\` processes with a clone each, PostgreSQL and a
hub, all on one machine; agents are shells that wait, change a file and say when they ran. "With room" leaves out what waited for a free slot, for the limit, or
for something else that the run had taken away.

| options | commit, machine | outcome | seen |
|---|---|---|---|
`;

/** Adds a run to the page, in place of an earlier one with the same options. */
export function writeFigures({ words, outcome, figures }: FiguresRow): void {
  const options = `\`${words.filter((word) => word !== "--figures" && word !== "--keep").join(" ")}\``;
  const where = `${readCommit()}, Node ${process.version}, ${cpus().length} cores`;
  const row = `| ${[options, where, outcome, figures.join("; ")].join(" | ")} |`;
  const others = readRows().filter((one) => !one.startsWith(`| ${options} |`));
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, `${HEAD}${[...others, row].toSorted().join("\n")}\n`);
}

function readRows(): readonly string[] {
  if (!existsSync(FILE)) return [];
  return readFileSync(FILE, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
}

function readCommit(): string {
  const git = (...words: string[]): string => execFileSync("git", words, { encoding: "utf8" }).trim();
  const isChanged = git("status", "--porcelain", "--untracked-files=no", "src") !== "";
  return git("rev-parse", "--short=8", "HEAD") + (isChanged ? " with changes" : "");
}
