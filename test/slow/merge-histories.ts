/**
 * Merges generated histories with Ambit and with git: npm run test:merges -- --histories 500 [--seed n]
 * It fails when the final tree or the conflicts differ, and prints the smallest such history.
 */
import { deepStrictEqual } from "node:assert/strict";
import { parseArgs } from "node:util";
import fc from "fast-check";
import {
  buildHistory,
  claimCommits,
  histories,
  mergeInOrder,
  tryMergeByGit,
} from "../workspace/merge-histories.ts";
import { makeRepository } from "../workspace/temporary-repository.ts";

const { values } = parseArgs({
  options: { histories: { type: "string", default: "200" }, seed: { type: "string" } },
});
process.exitCode = await run(
  Number(values.histories),
  values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed),
);

async function run(count: number, seed: number): Promise<number> {
  const project = await makeRepository();
  const seen = { merged: 0, contained: 0, conflict: 0 };
  try {
    const details = await fc.check(
      fc.asyncProperty(histories, async (history) => {
        const built = buildHistory(project, history);
        const expected = tryMergeByGit(project, built);
        fc.pre(expected !== undefined);
        const merged = await mergeInOrder(project, built, expected);
        for (const { status } of merged.outcomes) seen[status] += 1;
        deepStrictEqual(merged, expected);
        claimCommits(project, built);
        deepStrictEqual(await mergeInOrder(project, built, expected), expected);
      }),
      { numRuns: count, seed },
    );
    const report = { histories: details.numRuns, seed, ...seen, failed: details.failed };
    process.stdout.write(`${JSON.stringify(report)}\n`);
    if (details.failed)
      process.stdout.write(`${fc.defaultReportMessage(details) ?? ""}\n${String(details.errorInstance)}\n`);
    return details.failed ? 1 : 0;
  } finally {
    project.remove();
  }
}
