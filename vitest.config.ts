import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Most of the time is spent waiting for processes, not computing.
    maxWorkers: 2,
    globalSetup: ["test/build-once.ts"],
    // One command can meet a supervisor that is just leaving because it is idle. Until the client starts a new one by
    // itself, such a test gets a second run; the goal is 0.
    retry: 1,
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
