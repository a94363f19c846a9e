import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { parseArgs } from "node:util";

const FILE = "docs/figures/performance.md";
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** What each part measures, and the command that repeats it. */
const PARTS = [
  { title: "How soon a command answers", words: ["startup"] },
  { title: "One delegation, beside its worker", words: ["delegation"] },
  { title: "Many workers", words: ["parallel"] },
  {
    title: "A workspace for a worker",
    words: ["workspace", "--only", "warm", "--files", "20000,100000", "--rounds", "8"],
  },
  { title: "Merging", words: ["merge"] },
  { title: "The dashboard", words: ["dashboard"] },
  { title: "A large repository", words: ["first-story"] },
] as const;

/** npm run bench -- figures [--only startup,merge]: runs the benches one after the other and writes docs/figures/performance.md. */
export function figures(words: readonly string[]): number {
  const { values } = parseArgs({
    args: [...words],
    options: { only: { type: "string", default: "" }, peers: { type: "boolean", default: true } },
    allowNegative: true,
  });
  const wanted = values.only.split(",").filter(Boolean);
  const parts = PARTS.filter(({ words: [name] }) => wanted.length === 0 || wanted.includes(name));
  const sections = parts.map(({ title, words: own }) => {
    console.error(`bench ${own.join(" ")}`);
    return formatSection(
      title,
      `npm run bench -- ${own.join(" ")}`,
      runTable(["run", "bench", "--", ...own]),
    );
  });
  const peers = values.peers
    ? [
        formatSection(
          "A durable step, against other engines",
          "npm run bench:peers",
          runTable(["run", "bench:peers"]),
        ),
      ]
    : [];
  writeFileSync(FILE, [formatHead(), ...sections, ...peers].join("\n"));
  console.error(`${FILE} is written`);
  return 0;
}

function formatHead(): string {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const [cpu] = cpus();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return `# Performance

Written by \`npm run bench -- figures\`; do not edit. Commit ${commit}, Node ${process.version}, Linux ${release()}, ${cpus().length} cores
(${cpu?.model ?? "unknown"}), ${memoryGb} GB. Times depend on the machine; ratios are taken within one run, with the variants
in turn.
`;
}

function formatSection(title: string, command: string, table: string): string {
  return `## ${title}\n\n\`${command}\`\n\n${table}\n`;
}

/** The Markdown table at the end of a bench's output; a goal that is not met is part of the answer. */
function runTable(words: readonly string[]): string {
  const { stdout } = spawnSync("npm", ["--silent", ...words], {
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const at = stdout.lastIndexOf("\n\n|");
  if (at === -1) throw new Error(`npm ${words.join(" ")} printed no table`);
  return stdout.slice(at + 2).trim();
}
