import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";

export interface RunFigures {
  /** The words behind `npm run test:cluster --`. */
  readonly words: readonly string[];
  readonly outcome: string;
  readonly figures: readonly string[];
}

const FILE = "docs/figures/cluster.md";
const SECTION = "\n## ";
const HEAD = `# Many machines

Written by \`npm run test:cluster -- <options> --figures\`; do not edit. Each section is one run with the options in its
heading: real \`ambit worker\` processes with a clone each, PostgreSQL and a hub, all on one machine. Agents are shells
that wait, change a file and say when they ran.

- **with room** leaves out what waited for a free slot, for the limit, or for something that the run had taken away.
- **p50**, **p99**: half of all values, or 99 of 100, are not above this one.
- A run with \`--without\` takes a defence out. It must have faults, and its outcome names the one that shows it.
`;

/** Adds a run to the page, in place of an earlier one with the same options. */
export function writeFigures({ words, outcome, figures }: RunFigures): void {
  const options = words.filter((word) => word !== "--figures" && word !== "--keep").join(" ");
  const heading = `\`${options}\`\n`;
  const where = `Commit ${readCommit()}, Node ${process.version}, ${cpus().length} cores: ${outcome}.`;
  const section = `${heading}\n${where}\n\n${figures.map((figure) => `- ${figure}\n`).join("")}`;
  const others = readSections().filter((one) => !one.startsWith(heading));
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, [HEAD, ...[...others, section].toSorted()].join(SECTION));
}

function readSections(): readonly string[] {
  return existsSync(FILE) ? readFileSync(FILE, "utf8").split(SECTION).slice(1) : [];
}

function readCommit(): string {
  const git = (...words: string[]): string => execFileSync("git", words, { encoding: "utf8" }).trim();
  const isChanged = git("status", "--porcelain", "--untracked-files=no", "src") !== "";
  return git("rev-parse", "--short=8", "HEAD") + (isChanged ? " with changes" : "");
}
