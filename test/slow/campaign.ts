/**
 * The built program under kills, full disks and meddling, judged from outside by a ledger that its workers keep:
 *   npm run test:campaign -- --stories 1300 --commands 50 --disks 50 --meddling 50 --seed 1 [--lanes 2] [--write]
 * A round of stories has 2 to 6 kills, one of commands about 20. Every round has a seed of its own, so that a run can be
 * divided: --seed 2 has other rounds. --write adds the run to docs/figures/campaign.json and writes campaign.md from all runs
 * there; --commit names what was built, where the program is not that of HEAD.
 */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { commandRound, diskRound, meddlingRound, storyRound, type RoundResult } from "./campaign/rounds.ts";
import { addRun, renderRuns, type CampaignRun } from "./campaign/summary.ts";
import { randomOfCase, type Random } from "./random.ts";

const { values } = parseArgs({
  options: {
    stories: { type: "string", default: "6" },
    commands: { type: "string", default: "1" },
    disks: { type: "string", default: "1" },
    meddling: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    lanes: { type: "string", default: "2" },
    minutes: { type: "string", default: "180" },
    commit: { type: "string" },
    write: { type: "boolean", default: false },
  },
});

interface Kind {
  readonly name: string;
  readonly rounds: number;
  readonly play: (random: Random) => Promise<RoundResult>;
}

interface Tally {
  rounds: number;
  noted: number;
  readonly kills: Map<string, number>;
  readonly faults: string[];
}

const kinds: readonly Kind[] = [
  { name: "stories", rounds: Number(values.stories), play: storyRound },
  { name: "commands", rounds: Number(values.commands), play: commandRound },
  { name: "full disks", rounds: Number(values.disks), play: diskRound },
  { name: "meddling", rounds: Number(values.meddling), play: meddlingRound },
];

const tallies = new Map<string, Tally>(
  kinds.map(({ name }) => [name, { rounds: 0, noted: 0, kills: new Map(), faults: [] }]),
);
const began = performance.now();
const commit =
  values.commit ?? execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
process.exitCode = await main();

async function main(): Promise<number> {
  // All kinds in turn, so that a run that is cut short has some of each.
  const queue = kinds
    .flatMap((kind, place) =>
      Array.from({ length: kind.rounds }, (_, index) => ({
        kind,
        index: index * kinds.length + place,
        share: (index + 0.5) / kind.rounds,
      })),
    )
    .toSorted((one, other) => one.share - other.share);
  const endAt = began + Number(values.minutes) * 60_000;
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined && performance.now() < endAt; next = queue.shift())
      await playRound(next.kind, next.index);
  };
  await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
  const run = describeRun();
  console.log(renderRuns([run]));
  if (values.write) addRun(run);
  const faults = [...tallies.values()].reduce((sum, tally) => sum + tally.faults.length, 0);
  const stories = tallies.get("stories");
  const isBlind = stories !== undefined && stories.rounds > 0 && stories.noted === 0;
  if (isBlind) console.log("no worker noted anything: nothing was judged");
  return faults === 0 && !isBlind ? 0 : 1;
}

async function playRound({ name, play }: Kind, index: number): Promise<void> {
  const tally = tallies.get(name);
  if (tally === undefined) return;
  const result = await play(randomOfCase(Number(values.seed), index)).catch((error: unknown) => ({
    kills: {},
    faults: [String(error)],
    noted: 0,
  }));
  tally.rounds += 1;
  tally.noted += result.noted;
  for (const [victim, count] of Object.entries(result.kills))
    tally.kills.set(victim, (tally.kills.get(victim) ?? 0) + count);
  tally.faults.push(...result.faults.map((fault) => `round ${index}: ${fault}`));
  for (const fault of result.faults) console.error(`${name}, round ${index}: ${fault}`);
}

function describeRun(): CampaignRun {
  return {
    commit,
    seed: Number(values.seed),
    minutes: Math.round((performance.now() - began) / 60_000),
    node: process.version,
    kinds: [...tallies].map(([name, { rounds, noted, kills, faults }]) => ({
      name,
      rounds,
      noted,
      blows: Object.fromEntries(kills),
      faults,
    })),
  };
}
