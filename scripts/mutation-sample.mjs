import { createHash } from "node:crypto";

/**
 * A checker for Stryker that lets a seeded random share of the mutants through: where all of them would take hours, the
 * score of a fair sample says nearly as much. Stryker leaves the others out of its score.
 */
class Sample {
  check(mutants) {
    return Promise.resolve(Object.fromEntries(mutants.map((mutant) => [mutant.id, judge(mutant)])));
  }

  group(mutants) {
    return Promise.resolve([mutants.map(({ id }) => id)]);
  }

  init() {
    return Promise.resolve();
  }
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", injectableClass: Sample }];

const share = Number(process.env["AMBIT_MUTATION_SHARE"] ?? "1");
const seed = process.env["AMBIT_MUTATION_SEED"] ?? "1";

function judge({ fileName, location, mutatorName, replacement }) {
  const place = fileName.slice(fileName.lastIndexOf("/src/"));
  const name = JSON.stringify([seed, place, location, mutatorName, replacement]);
  const drawn = createHash("sha256").update(name).digest().readUInt32BE() / 2 ** 32;
  return drawn < share ? { status: "passed" } : { status: "compileError", reason: "not in the sample" };
}
