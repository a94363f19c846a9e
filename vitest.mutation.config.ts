import { defineConfig } from "vitest/config";

/** Only the fast, pure tests: mutation runs them thousands of times. */
export default defineConfig({
  test: {
    include: [
      "test/guards/**/*.test.ts",
      "test/ledger/**/*.test.ts",
      "test/contract/**/*.test.ts",
      "test/base/json-scanner.test.ts",
    ],
  },
});
