import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { parseArgs } from "node:util";

const FILE = "docs/figures/performance.md";
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

interface Part {
  readonly title: string;
  readonly name: string;
  readonly options: readonly string[];
  /** The same at the smallest size, to see that it works. */
  readonly small: readonly string[];
}

/** What each part measures. Plain git is in the same run as ours wherever it can do the same. */
const PARTS: readonly Part[] = [
  { title: "How soon a command answers", name: "startup", options: [], small: ["--rounds", "2"] },
  {
    title: "One delegation, beside its worker",
    name: "delegation",
    options: [],
    small: ["--files", "50", "--rounds", "2", "--earlier", "100"],
  },
  { title: "Many workers", name: "parallel", options: [], small: ["--files", "50"] },
  {
    title: "A workspace for a worker",
    name: "workspace",
    options: ["--only", "warm", "--files", "20000,100000", "--rounds", "8"],
    small: ["--only", "warm", "--files", "100", "--rounds", "2"],
  },
  {
    title: "Merging",
    name: "merge",
    options: [],
    small: ["--files", "50", "--workers", "4", "--rounds", "1"],
  },
  {
    title: "The dashboard",
    name: "dashboard",
    options: [],
    small: ["--delegations", "100", "--events", "1000", "--idle", "1"],
  },
  { title: "A large repository", name: "first-story", options: [], small: ["--files", "500"] },
  {
    title: "A long journal",
    name: "scale",
    options: ["--delegations", "100000", "--events", "1000000"],
    small: ["--delegations", "100", "--events", "1000", "--rounds", "2"],
  },
];

/**
 * npm run figures:performance [-- --only startup,merge] [--no-peers] [--small] [--out <file>]: runs the benches one after the
 * other and writes their tables into one page.
 */
export function figures(words: readonly string[]): number {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: "string", default: "" },
      peers: { type: "boolean", default: true },
      small: { type: "boolean", default: false },
      out: { type: "string", default: FILE },
    },
    allowNegative: true,
  });
  const wanted = values.only.split(",").filter(Boolean);
  const parts = PARTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const head = formatHead(values.small);
  const sections = parts.map(({ title, name, options, small }) =>
    runSection(title, ["run", "bench", "--", name, ...(values.small ? small : options)]),
  );
  if (values.peers) {
    const small = ["--", "--steps", "5", "--concurrent", "10", "--passes", "1"];
    const command = ["run", "bench:peers", ...(values.small ? small : [])];
    sections.push(runSection("A durable step, against other engines", command));
  }
  writeFileSync(values.out, [head, ...sections.map(({ text }) => text)].join("\n"));
  console.error(`${values.out} is written`);
  return sections.every(({ isWhole }) => isWhole) ? 0 : 1;
}

function formatHead(isSmall: boolean): string {
  const commit = execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim();
  const [cpu] = cpus();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  const note = isSmall
    ? "\n**Measured at the smallest size, to see that it works. These are not figures.**\n"
    : "";
  return `# Performance

Written by \`npm run figures:performance\`; do not edit. Commit ${commit}, Node ${process.version}, Linux ${release()}, ${cpus().length} cores
(${cpu?.model ?? "unknown"}), ${memoryGb} GB, load ${(loadavg()[0] ?? 0).toFixed(1)} at the start. Times depend on the machine; ratios are taken within
one run, with the variants in turn. "Plain git" is \`git worktree add\`, \`git merge\` and \`git worktree remove\`, which other tools with worktrees call, too.
${note}`;
}

interface Section {
  readonly text: string;
  readonly isWhole: boolean;
}

/** The Markdown table at the end of a bench's output; a goal that is not met is part of the answer. */
function runSection(title: string, words: readonly string[]): Section {
  const command = `npm ${words.join(" ")}`;
  console.error(command);
  const { stdout, status } = spawnSync("npm", ["--silent", ...words], {
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const at = stdout.lastIndexOf("\n\n|");
  // The parts before it took an hour: they are written all the same.
  const table =
    at === -1 ? `It ended with status ${status} and printed no table.` : stdout.slice(at + 2).trim();
  return { text: `## ${title}\n\n\`${command}\`\n\n${table}\n`, isWhole: at !== -1 };
}
