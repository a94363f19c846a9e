/**
 * Plans with timeouts at random phases: npm run test:plans -- --plans 100 --seed 1
 * Through the built command line, with one supervisor. Half of the plans are committed, the others are not; between two
 * runs the person edits files and the plan, and the agent claims phases that it has not done. Every plan must be
 * resumed to completion, no phase may be done twice, and the branch must merge. Fails with the first case that is wrong.
 */
import { parseArgs } from "node:util";
import { makePlanProject, runPlanCase } from "./loops/plan-case.ts";
import { randomOfCase } from "./random.ts";

const { values } = parseArgs({
  options: {
    plans: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    timeout: { type: "string", default: "6" },
  },
});

const count = Number(values.plans);
const project = makePlanProject(count);
const totals = { phases: 0, timeouts: 0, runs: 0 };
try {
  for (let task = 1; task <= count; task += 1) {
    const random = randomOfCase(Number(values.seed), task);
    const timeoutSeconds = Number(values.timeout);
    const result = await runPlanCase(project, task, { random, timeoutSeconds });
    totals.phases += result.phases;
    totals.timeouts += result.timeouts;
    totals.runs += result.runs;
    process.stdout.write(`${task} ${JSON.stringify(result)}\n`);
    if (result.faults.length > 0) throw new Error(`plan ${task} of seed ${values.seed} is wrong`);
  }
  process.stdout.write(`${count} plans: ${JSON.stringify(totals)}, all resumed to completion\n`);
} finally {
  await project.remove();
}
