import { defineConfig } from "vitest/config";

const all = "test/**/*.test.ts";
/** No file of these leaves anything that another one sees, so that each process of the tests loads the program once for all of them. */
const sharing = [
  "agents",
  "base",
  "cli",
  "config",
  "contract",
  "guards",
  "ledger",
  "mailbox",
  "pins",
  "project",
  "redaction",
  "reports",
  "routing",
  "scheduler",
  "tasks",
  "templates",
  "trust",
].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "alone", include: [all], exclude: sharing } },
      { extends: true, test: { name: "sharing", include: sharing, isolate: false } },
    ],
    // One for each core; a third gains nothing, because all of them are busy.
    maxWorkers: 2,
    globalSetup: ["test/build-once.ts"],
    retry: 0,
    // Projects of tests name agents and commands; where trust itself is tested, the tests say so.
    env: { AMBIT_TRUST: "1" },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The usual second is too short for a browser on a busy machine.
    expect: { poll: { timeout: 90_000 } },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // The browser app is counted in the browser, all else here and in child processes (scripts/merge-coverage.mjs).
      exclude: ["src/dashboard/app/**"],
      reporter: ["json"],
      reportOnFailure: true,
    },
  },
});
