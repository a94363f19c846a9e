import { defineConfig } from "vitest/config";

/** Only the fast, pure tests: mutation runs them thousands of times. `scripts/test-mutation.mjs` names those of a part. */
const limits = [
  "test/guards/**/*.test.ts",
  "test/ledger/**/*.test.ts",
  "test/contract/**/*.test.ts",
  "test/base/json-scanner.test.ts",
];

export default defineConfig({
  test: {
    include: process.env["AMBIT_MUTATION_TESTS"]?.split(" ") ?? limits,
    // Stryker ends what hangs; a busy machine must not fail the first run.
    testTimeout: 120_000,
  },
});
