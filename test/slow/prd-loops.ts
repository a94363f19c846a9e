/**
 * PRD files with random dependencies and failing stories: npm run test:prds -- --files 100 --seed 1 [--from 1]
 * Through the built command line, with one supervisor. For each file the order, the outcome and the start of every story,
 * `passes`, the branch and the one merge at the end are compared with a second, simple reading of the rules. Fails
 * with the first file that is wrong.
 */
import { parseArgs } from "node:util";
import { makePrdProject, runPrdCase } from "./loops/prd-case.ts";
import { randomOfCase } from "./random.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "1" },
  },
});

const first = Number(values.from);
const count = Number(values.files);
const project = makePrdProject();
const totals = { stories: 0, failed: 0, skipped: 0 };
try {
  for (let number = first; number < first + count; number += 1) {
    const result = await runPrdCase(project, number, randomOfCase(Number(values.seed), number));
    totals.stories += result.stories;
    totals.failed += result.failed;
    totals.skipped += result.skipped;
    process.stdout.write(`${number} ${JSON.stringify(result)}\n`);
    if (result.faults.length > 0) throw new Error(`file ${number} of seed ${values.seed} is wrong`);
  }
  process.stdout.write(`${count} files: ${JSON.stringify(totals)}, all right\n`);
} finally {
  await project.remove();
}
