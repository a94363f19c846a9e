import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * Loads every module of some folders before the first test. Stryker tries a mutant only with the tests that reached it,
 * and what runs while a module loads would count as reached by the first test that imports it, and by no other.
 */
const folders = (process.env["AMBIT_MUTATION_LOADS"] ?? "").split(" ").filter((folder) => folder !== "");
for (const folder of folders)
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".ts")))
    await import(join(resolve(folder), name));
