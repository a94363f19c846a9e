import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";

const kindSchema = z.strictObject({
  name: z.string(),
  rounds: z.int(),
  noted: z.int(),
  blows: z.record(z.string(), z.int()),
  faults: z.array(z.string()),
});
const runSchema = z.strictObject({
  commit: z.string(),
  seed: z.int(),
  minutes: z.int(),
  node: z.string(),
  kinds: z.array(kindSchema),
});

/** One run of the campaign, with one seed. */
export type CampaignRun = z.infer<typeof runSchema>;

const FOLDER = "docs/figures";

/** Adds a run to those that are written down, in place of an earlier one with the same seed and commit. */
export function addRun(run: CampaignRun): void {
  const file = `${FOLDER}/campaign.json`;
  mkdirSync(FOLDER, { recursive: true });
  const before = existsSync(file) ? z.array(runSchema).parse(JSON.parse(readFileSync(file, "utf8"))) : [];
  const others = before.filter(({ commit, seed }) => commit !== run.commit || seed !== run.seed);
  const runs = [...others, run];
  writeFileSync(file, `${JSON.stringify(runs, null, 2)}\n`);
  writeFileSync(`${FOLDER}/campaign.md`, renderRuns(runs));
}

/** The summary of some runs, and the sum of each kind of round over all of them. */
export function renderRuns(runs: readonly CampaignRun[]): string {
  const rows = runs.flatMap(({ commit, seed, minutes, kinds }) =>
    kinds
      .filter(({ rounds }) => rounds > 0)
      .map((kind) => `| ${commit} | ${seed} | ${minutes} | ${renderKind(kind)} |`),
  );
  const names = [...new Set(runs.flatMap(({ kinds }) => kinds.map(({ name }) => name)))];
  const sums = names.map((name) => `| all | | | ${renderKind(sumKinds(runs, name))} |`);
  const faults = runs.flatMap(({ seed, kinds }) =>
    kinds.flatMap(({ name, faults: found }) => found.map((fault) => `- seed ${seed}, ${name}, ${fault}`)),
  );
  return `# The campaign

Written by \`npm run test:campaign -- --write\`; do not edit.

Stories of a manager and two workers run in the built program while processes are killed, commands are killed, the disk is full
or a person runs git's own tools. Each worker notes outside the project what it wrote and spent. Afterwards every noted file must be on a ref,
every noted cent booked, every delegation ended exactly once and merged at most once, the journal whole, the user's files as they were, \`ambit doctor\`
content, and no process or mount left.

| commit | seed | minutes | rounds of | rounds | blows | which | files noted | faults |
|---|---|---|---|---|---|---|---|---|
${[...rows, ...sums].join("\n")}
${faults.length === 0 ? "" : `\n${faults.join("\n")}\n`}`;
}

type Kind = z.infer<typeof kindSchema>;

function renderKind({ name, rounds, noted, blows, faults }: Kind): string {
  const counted = Object.entries(blows).filter(([blow]) => !blow.startsWith("then "));
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  const each = Object.entries(blows).map(([blow, count]) => `${blow} ${count}`);
  return [name, rounds, total, each.join(", "), noted, faults.length].join(" | ");
}

function sumKinds(runs: readonly CampaignRun[], name: string): Kind {
  const kinds = runs.flatMap((run) => run.kinds.filter((kind) => kind.name === name));
  const blows: Record<string, number> = {};
  for (const kind of kinds)
    for (const [blow, count] of Object.entries(kind.blows)) blows[blow] = (blows[blow] ?? 0) + count;
  const add = (pick: (kind: Kind) => number): number => kinds.reduce((sum, kind) => sum + pick(kind), 0);
  const faults = kinds.flatMap((kind) => kind.faults);
  return { name, rounds: add((kind) => kind.rounds), noted: add((kind) => kind.noted), blows, faults };
}
