import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Most of the time is spent waiting for processes, not computing.
    maxWorkers: 2,
    globalSetup: ["test/build-once.ts"],
    retry: 0,
    // Projects of tests name agents and commands; where trust itself is tested, the tests say so.
    env: { AMBIT_TRUST: "1" },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // The browser app runs in a browser; everything else is counted, in child processes too (scripts/merge-coverage.mjs).
      exclude: ["src/dashboard/app/**"],
      reporter: ["json"],
      reportOnFailure: true,
    },
  },
});
