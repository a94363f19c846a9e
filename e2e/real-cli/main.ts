/**
 * Real agent CLIs against the scripted model, without a network:
 * npm run test:real-cli -- [--fast] [--only alone,tool] [--cli codex,gemini] [--keep] [--lanes 2] [--table]
 * Installs what is missing first. Fails when a scenario falls short, or when none was played. --table plays what every
 * agent promises, leaves out what has already held with the same build, and writes docs/figures/agents.md.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { optionalPrograms, presentClis, type AgentCli } from "./harness/clis.ts";
import { describeNetwork, rerunWithoutNetwork } from "./harness/cut-network.ts";
import { prepareMachine } from "./harness/install.ts";
import { repository, runsFolder } from "./harness/places.ts";
import { playAll, type Job } from "./harness/play.ts";
import { readBuild, readPlays } from "./harness/plays.ts";
import { castsFor } from "./harness/scenario.ts";
import { listTableJobs, renderTable } from "./harness/table.ts";
import { scenarios } from "./scenarios/all.ts";
import { removeFolder } from "../../test/e2e/remove-folder.ts";

const { values } = parseArgs({
  options: {
    fast: { type: "boolean", default: false },
    only: { type: "string" },
    cli: { type: "string" },
    keep: { type: "boolean", default: false },
    lanes: { type: "string", default: "1" },
    table: { type: "boolean", default: false },
  },
});

process.exitCode = await main();

async function main(): Promise<number> {
  if (process.env["AMBIT_REAL_CLI_INSIDE"] === undefined) prepareMachine(optionalPrograms);
  const ended = await rerunWithoutNetwork();
  if (ended !== undefined) return ended;
  if (values.table) return playTable();
  const jobs = chooseJobs();
  if (jobs.length === 0) {
    const names = scenarios.map(({ name }) => name).join(", ");
    console.error(
      `Nothing to play. Scenarios: ${names}. CLIs: ${presentClis()
        .map(({ name }) => name)
        .join(", ")}.`,
    );
    return 2;
  }
  return playJobs(jobs);
}

async function playJobs(jobs: readonly Job[]): Promise<number> {
  console.log(`${jobs.length} to play; ${await describeNetwork()}`);
  const failures = await playAll(jobs, { keep: values.keep, lanes: Number(values.lanes) });
  if (failures === 0 && !values.keep) removeFolder(runsFolder);
  return failures === 0 ? 0 : 1;
}

/** Written only when every cell was played with this build. */
async function playTable(): Promise<number> {
  const build = readBuild();
  const clis = presentClis();
  const all = listTableJobs(scenarios, clis);
  const isPlayed = ({ scenario, cast }: Job, onlyHeld: boolean): boolean =>
    readPlays(build).some(
      ({ scenario: name, agent, holds }) =>
        name === scenario.name && agent === cast[0]?.name && (holds || !onlyHeld),
    );
  const chosen = all.filter(({ cast }) => split(values.cli)?.includes(cast[0]?.name ?? "") ?? true);
  const status = await playJobs(chosen.filter((job) => !isPlayed(job, true)));
  if (!all.every((job) => isPlayed(job, false))) return status;
  const file = join(repository, "docs/figures/agents.md");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, renderTable({ build, plays: readPlays(build), clis }));
  console.log(`written: ${file}`);
  return status;
}

function chooseJobs(): readonly Job[] {
  const only = split(values.only);
  const clis = presentClis().filter(({ name }) => split(values.cli)?.includes(name) ?? true);
  return scenarios
    .filter(({ name, isFast }) =>
      only === undefined ? !values.fast || isFast === true : only.includes(name),
    )
    .flatMap((scenario) => castsFor(scenario, clis).map((cast) => ({ scenario, cast })))
    .filter(({ cast }) => !values.fast || isFastCast(cast));
}

/** One real CLI as manager is enough to notice that something broke; the whole suite tells what. */
function isFastCast([manager, worker]: readonly AgentCli[]): boolean {
  return manager?.name === "codex" && (worker === undefined || worker.name === "gemini");
}

function split(text: string | undefined): readonly string[] | undefined {
  return text?.split(",").map((word) => word.trim());
}
