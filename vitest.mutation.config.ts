import { defineConfig } from "vitest/config";

/** Only the fast tests: mutation runs them thousands of times. `scripts/test-mutation.mjs` names those of each part. */
export default defineConfig({
  test: {
    include: process.env["AMBIT_MUTATION_TESTS"]?.split(" ") ?? [],
    setupFiles: ["scripts/mutation-setup.ts"],
    // Stryker ends what hangs; a busy machine must not fail the first run.
    testTimeout: 120_000,
  },
});
