import { describe, expect, it } from "vitest";
import { makePlanProject, runPlanCase } from "../slow/loops/plan-case.ts";
import { makePrdProject, runPrdCase } from "../slow/loops/prd-case.ts";
import { randomOfCase } from "../slow/random.ts";

const CASES = [1, 2, 3, 4, 5];
/** One phase of one plan hangs. */
const PLAN_SEED = 74;
/** A worker has this long to start on a loaded machine. */
const TIMEOUT_SECONDS = 12;
/** Each case starts several commands, one after the other. */
const TEST_TIMEOUT_MS = 400_000;
const PRD_SEED = 1;

// The first cases of npm run test:plans and test:prds, which try a hundred.
describe.concurrent("random cases", { timeout: TEST_TIMEOUT_MS }, () => {
  it("of plans with timeouts are resumed to completion, and no phase is done twice (R74, R129, R155)", async () => {
    const project = makePlanProject(CASES.length);
    try {
      const timeouts: number[] = [];
      for (const task of CASES) {
        const random = randomOfCase(PLAN_SEED, task);
        const result = await runPlanCase(project, task, { random, timeoutSeconds: TIMEOUT_SECONDS });
        expect(result.faults).toEqual([]);
        timeouts.push(result.timeouts);
      }
      expect(Math.max(...timeouts)).toBeGreaterThan(0);
    } finally {
      await project.remove();
    }
  });

  it("of PRD files have the order, start, passes and branch that their rules say (R78, R132)", async () => {
    const project = makePrdProject();
    try {
      for (const number of CASES) {
        const { faults } = await runPrdCase(project, number, randomOfCase(PRD_SEED, number));
        expect(faults).toEqual([]);
      }
    } finally {
      await project.remove();
    }
  });
});
