import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import type { AgentCli } from "./clis.ts";
import { binFolder, workFolder } from "./places.ts";
import type { Job } from "./play.ts";
import type { Play } from "./plays.ts";
import { castsFor, type Scenario } from "./scenario.ts";

interface Column {
  readonly title: string;
  /** The first that suits an agent is played. */
  readonly scenarios: readonly string[];
  /** In the cell of an agent that none of them suits. */
  readonly otherwise: string;
}

const columns: readonly Column[] = [
  { title: "worker with a check", scenarios: ["alone"], otherwise: "–" },
  { title: "manager", scenarios: ["tool", "shell"], otherwise: "–" },
  { title: "endless equal calls", scenarios: ["loop"], otherwise: "–" },
  { title: "budget for one request", scenarios: ["budget"], otherwise: "no meter for it" },
  { title: "agents of its own", scenarios: ["ownAgents"], otherwise: "has none" },
  { title: "budget without a meter", scenarios: ["unmetered"], otherwise: "reports itself" },
  { title: "in the sandbox", scenarios: ["sandbox"], otherwise: "–" },
];

/** One job for each cell: every agent leads each scenario once. An interrupted run has whole columns. */
export function listTableJobs(scenarios: readonly Scenario[], clis: readonly AgentCli[]): readonly Job[] {
  return columns.flatMap((column) => clis.flatMap((cli) => findJob(column, scenarios, cli, clis) ?? []));
}

function findJob(
  column: Column,
  scenarios: readonly Scenario[],
  cli: AgentCli,
  clis: readonly AgentCli[],
): Job | undefined {
  const jobs = column.scenarios
    .flatMap((name) => scenarios.filter((scenario) => scenario.name === name))
    .flatMap((scenario) => castsFor(scenario, clis).map((cast) => ({ scenario, cast })));
  return jobs.find(({ cast }) => cast[0]?.name === cli.name);
}

export interface TableFacts {
  readonly build: string;
  readonly plays: readonly Play[];
  readonly clis: readonly AgentCli[];
}

/** The page of docs/figures. */
export function renderTable({ build, plays, clis }: TableFacts): string {
  const rows = clis.map((cli) => [
    `${cli.name} ${readVersion(cli.name)}`,
    describeDriver(cli),
    ...columns.map((column) =>
      renderCell(
        column,
        plays.filter(({ agent }) => agent === cli.name),
      ),
    ),
  ]);
  const head = ["agent", "driven by", ...columns.map(({ title }) => title)];
  const [first, ...others] = [head, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  const cells = rows.flat().filter((cell) => cell.startsWith("ok") || cell.startsWith("**"));
  const good = cells.filter((cell) => cell.startsWith("ok")).length;
  return `# Real agents

Written by \`npm run test:real-cli -- --table\`; do not edit.
Commit ${build}, Node ${process.version}, Linux ${release()}.

${good} of ${cells.length} scenarios hold.

Each cell is a story of the built command with the real program, in a home folder with nothing but the lines that the
guides name, against a scripted model without a network.

- **Worker with a check**: it writes a file, a check proves it, and its usage is booked as the model counted it.
- **Manager**: a worker of another agent works for it, and its result is merged.
- **Endless equal calls**: its model repeats the same call.
- **Budget for one request**: the requests that were made.
- **Agents of its own**: its model asks for one.
- **Budget without a meter**: its requests are not counted, so the story is refused before the first, and runs with
  \`--allow-unmetered\`.
- **In the sandbox**: the first column again, in a sandbox.

${[first, `|${"---|".repeat(head.length)}`, ...others].join("\n")}
`;
}

function renderCell({ scenarios, otherwise }: Column, plays: readonly Play[]): string {
  const own = plays.filter(({ scenario }) => scenarios.includes(scenario));
  const last = own.at(-1);
  if (last === undefined) return otherwise;
  const note = last.note.replaceAll("|", "\\|").replaceAll("\n", " ");
  if (!last.holds) return `**fails**: ${note}`;
  const held = own.filter(({ holds }) => holds).length;
  const tries = held === own.length ? "" : ` (${held} of ${own.length} plays)`;
  return `ok${note === "" ? "" : `: ${note}`}${tries}`;
}

function describeDriver({ name, acpCommand }: AgentCli): string {
  if (acpCommand === undefined) return `\`${name}\``;
  return acpCommand.length === 0 ? "the shipped definition" : `\`acp\`, \`${acpCommand.join(" ")}\``;
}

const VERSION = /\d+\.\d+\.\d+/;
const PROBE_LIMIT_MS = 60_000;

function readVersion(name: string): string {
  const home = join(workFolder, "home-of-probe");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { stdout, stderr } = spawnSync(join(binFolder, name), ["--version"], {
    env: { HOME: home, PATH: process.env["PATH"] },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PROBE_LIMIT_MS,
    killSignal: "SIGKILL",
  });
  rmSync(home, { recursive: true, force: true });
  return VERSION.exec(`${stdout} ${stderr}`)?.[0] ?? "";
}
