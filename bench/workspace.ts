import { parseArgs } from "node:util";
import { printResults, type Result } from "./measure.ts";
import { churn } from "./workspace-churn.ts";
import { cold } from "./workspace-cold.ts";
import { spawnTiers } from "./workspace-spawn.ts";
import { storm } from "./workspace-storm.ts";
import { warm } from "./workspace-warm.ts";

const options = {
  only: { type: "string", default: "warm,cold,churn,storm,spawn" },
  rounds: { type: "string", default: "12" },
  /** Sizes of the repositories for warm workspaces. */
  files: { type: "string", default: "2000,20000" },
  /** Size of the repository, and of its node_modules, for cold workspaces. */
  coldfiles: { type: "string", default: "20000" },
  modules: { type: "string", default: "20000" },
  coldrounds: { type: "string", default: "4" },
  cycles: { type: "string", default: "200" },
  churnfiles: { type: "string", default: "20000" },
  atonce: { type: "string", default: "50" },
  storms: { type: "string", default: "20" },
  spawns: { type: "string", default: "40" },
} as const;

/** npm run bench -- workspace [--only warm,cold,churn,storm,spawn] …: how soon a worker has its own checkout. */
export async function workspace(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...words], options });
  const parts = new Set(values.only.split(","));
  const results: Result[] = [];
  if (parts.has("warm"))
    for (const files of values.files.split(","))
      results.push(...(await warm(Number(files), Number(values.rounds))));
  if (parts.has("cold"))
    results.push(
      ...(await cold({
        files: Number(values.coldfiles),
        modules: Number(values.modules),
        rounds: Number(values.coldrounds),
      })),
    );
  if (parts.has("churn")) results.push(...(await churn(Number(values.churnfiles), Number(values.cycles))));
  if (parts.has("storm")) results.push(...(await storm(Number(values.atonce), Number(values.storms))));
  if (parts.has("spawn")) results.push(...(await spawnTiers(Number(values.spawns))));
  return printResults("workspace", results);
}
