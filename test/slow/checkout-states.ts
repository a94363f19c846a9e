/**
 * Random states of a user's checkout, each with a story that is merged and undone:
 * npm run test:checkouts -- --states 10000 [--seed n]
 * It fails when a byte, mode, index entry, branch or stash of the user's is not what it must be, and prints the
 * smallest such state.
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { checkoutStates, makeCheckout } from "../workspace/checkout-states.ts";
import { mergeInCheckout } from "../workspace/merge-in-checkout.ts";

const { values } = parseArgs({
  options: { states: { type: "string", default: "10000" }, seed: { type: "string" } },
});
process.exitCode = await run(
  Number(values.states),
  values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed),
);

async function run(count: number, seed: number): Promise<number> {
  const project = await makeCheckout();
  const seen: Record<string, number> = {};
  try {
    const details = await fc.check(
      fc.asyncProperty(checkoutStates, async (state) => {
        const ending = await mergeInCheckout(project, state);
        seen[ending] = (seen[ending] ?? 0) + 1;
      }),
      { numRuns: count, seed },
    );
    const report = { states: details.numRuns, seed, endings: seen, failed: details.failed };
    process.stdout.write(`${JSON.stringify(report)}\n`);
    if (details.failed)
      process.stdout.write(`${fc.defaultReportMessage(details) ?? ""}\n${String(details.errorInstance)}\n`);
    return details.failed ? 1 : 0;
  } finally {
    project.remove();
  }
}
