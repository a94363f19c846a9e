import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Most of the time is spent waiting for processes, not computing.
    maxWorkers: 2,
    globalSetup: ["test/build-once.ts"],
    // Hundreds of tests race real processes against a loaded machine; what fails three times is broken.
    retry: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // Programs that tests start as processes of their own, through the build: what runs there is not counted here.
      exclude: [
        "src/mcp/**",
        "src/agents/acp/**",
        "src/agents/acp-client.ts",
        "src/agents/scripted/**",
        "src/dashboard/app/**",
        "src/cli/commands/{dashboard,demo,work,worker,workflow}/**",
        "src/orchestrator/workflow-errors.ts",
        "src/orchestrator/workflow/**",
      ],
      reporter: ["text-summary", "json-summary"],
      thresholds: { statements: 90, branches: 85, functions: 90, lines: 90 },
    },
  },
});
