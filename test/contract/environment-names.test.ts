import { describe, expect, it } from "vitest";
import { debugName, environmentNames } from "../../src/contract/environment-names.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { findConfigKey } from "../../src/contract/config-keys.ts";
import { limitsFromConfig } from "../../src/contract/config-limits.ts";
import { entryOf, errorOf } from "../config/temporary-project.ts";

describe("environment variables", () => {
  it.each([
    // R108
    ["ENABLE_DELEGATION", "false", "delegation.enabled", false],
    ["ENABLE_DELEGATION", "true", "delegation.enabled", true],
    // R109
    ["MAX_DELEGATION_DEPTH", "1", "delegation.maxDepth", 1],
    ["MAX_DELEGATION_DEPTH", "1", "delegation.workflowMaxDepth", 1],
    ["MAX_CONTEXT_PER_AGENT", "50000", "delegation.maxContextPerAgent", 50_000],
    ["MAX_DELEGATIONS_PER_STORY", "25", "delegation.maxDelegationsPerStory", 25],
    // R110
    ["DELEGATION_PARALLEL", "false", "delegation.parallel.enabled", false],
    ["MAX_PARALLEL_DELEGATIONS", "8", "delegation.parallel.maxConcurrent", 8],
    ["DELEGATION_TIMEOUT_SECONDS", "60", "delegation.parallel.timeoutSeconds", 60],
    // R111
    ["DELEGATION_LOG_LEVEL", "warn", "delegation.logging.level", "warn"],
    ["DELEGATION_DETAILED_LOGS", "true", "delegation.logging.detailedLogs", true],
    ["DELEGATION_SAVE_WORKTREES", "1", "delegation.logging.saveWorktrees", true],
    // R112
    ["DELEGATION_COST_ALERT_USD", "12.5", "delegation.cost.alertThreshold", 12.5],
    ["DELEGATION_AUTO_APPROVE_COST", "0.25", "delegation.cost.autoApproveThreshold", 0.25],
    ["DELEGATION_RETRY_ENABLED", "yes", "delegation.retry.enabled", true],
    ["MAX_RETRY_ATTEMPTS", "7", "delegation.retry.maxAttempts", 7],
    // R115
    ["DEBUG_DELEGATION", "1", "delegation.logging.level", "debug"],
  ])("%s=%s sets %s", async (name, text, key, value) => {
    expect(await entryOf(key, { environment: { [name]: text } })).toStrictEqual({
      key,
      value,
      origin: { layer: "environment", source: name },
    });
  });

  it("all map to settings that exist", () => {
    const keys = [...environmentNames, debugName].flatMap((entry) => entry.keys);
    expect(keys.filter((key) => findConfigKey(key) === undefined)).toStrictEqual([]);
    expect(environmentNames).toHaveLength(14);
  });

  it("limit stories and workflow commands to one depth (R109, C1)", async () => {
    const { values } = await loadConfig({ environment: { MAX_DELEGATION_DEPTH: "1" } });
    expect(limitsFromConfig(values, "story").maxDepth).toBe(1);
    expect(limitsFromConfig(values, "workflow").maxDepth).toBe(1);
  });

  it.each([[""], ["  "]])("count as unset if empty (%j)", async (text) => {
    const environment = { MAX_DELEGATION_DEPTH: text, ENABLE_DELEGATION: text, DEBUG_DELEGATION: text };
    expect((await entryOf("delegation.maxDepth", { environment }))?.origin.layer).toBe("default");
    expect((await entryOf("delegation.logging.level", { environment }))?.origin.layer).toBe("default");
  });

  it("may have spaces around the value, as .env files do", async () => {
    expect(
      (await entryOf("delegation.maxDepth", { environment: { MAX_DELEGATION_DEPTH: " 1\r" } }))?.value,
    ).toBe(1);
  });

  it("switch on debug output above the log level, and only if on (R115)", async () => {
    const level = async (debug: string): Promise<unknown> => {
      const environment = { DEBUG_DELEGATION: debug, DELEGATION_LOG_LEVEL: "error" };
      return (await entryOf("delegation.logging.level", { environment }))?.value;
    };
    expect(await level("1")).toBe("debug");
    expect(await level("0")).toBe("error");
    expect(await level("false")).toBe("error");
  });

  it.each([
    ["MAX_DELEGATION_DEPTH", "5", "CONFIG_OUT_OF_RANGE", "delegation.maxDepth is 5; the hard cap is 3"],
    [
      "MAX_DELEGATION_DEPTH",
      "deep",
      "CONFIG_INVALID",
      'delegation.maxDepth is "deep"; expected a whole number',
    ],
    [
      "MAX_DELEGATIONS_PER_STORY",
      "101",
      "CONFIG_OUT_OF_RANGE",
      "delegation.maxDelegationsPerStory is 101; the hard cap is 100",
    ],
    [
      "DELEGATION_TIMEOUT_SECONDS",
      "0",
      "CONFIG_OUT_OF_RANGE",
      "delegation.parallel.timeoutSeconds is 0; the least is 1",
    ],
    ["ENABLE_DELEGATION", "maybe", "CONFIG_INVALID", 'delegation.enabled is "maybe"; expected true or false'],
    [
      "DELEGATION_LOG_LEVEL",
      "loud",
      "CONFIG_INVALID",
      'delegation.logging.level is "loud"; expected debug, info, warn, error',
    ],
    [
      "DELEGATION_COST_ALERT_USD",
      "1.0000001",
      "CONFIG_INVALID",
      "delegation.cost.alertThreshold is 1.0000001; it must have at most 6 decimal places",
    ],
    ["DEBUG_DELEGATION", "all", "CONFIG_INVALID", 'is "all"; expected 1 or 0'],
  ])("are named if wrong: %s=%s", async (name, text, code, reason) => {
    expect(await errorOf({ environment: { [name]: text } })).toMatchObject({
      code,
      message: `${name}: ${reason}`,
    });
  });

  it("cannot write to the terminal through an error", async () => {
    const { message } = await errorOf({
      environment: { DELEGATION_LOG_LEVEL: `\u001b[31m\u202e${"x".repeat(500)}` },
    });
    expect(message).toContain("\\u001b[31m\\u202e");
    expect(message.length).toBeLessThan(200);
  });
});

describe("a story's delegationConfig", () => {
  it("sets the story's limits, even above the project's (R20, R114)", async () => {
    const delegationConfig = {
      maxDelegations: 15,
      maxDepth: 3,
      parallel: true,
      maxConcurrent: 5,
      timeoutSeconds: 90,
      budgetUsd: 1.5,
      maxContextPerAgent: 9000,
    };
    const { values, entries } = await loadConfig({
      environment: {},
      story: { id: "US-040", delegationConfig },
    });
    expect(limitsFromConfig(values, "story")).toMatchObject({
      maxDelegations: 15,
      maxDepth: 3,
      maxConcurrent: 5,
      timeoutSeconds: 90,
      storyMicroUsd: 1_500_000,
      maxContextTokens: 9000,
    });
    expect(limitsFromConfig(values, "workflow").maxDepth).toBe(3);
    expect(entries.find(({ key }) => key === "delegation.maxDelegationsPerStory")?.origin).toStrictEqual({
      layer: "story",
      source: "US-040",
    });
  });

  it.each([[undefined], [null], [{}], [{ maxDepth: undefined }]])(
    "of %j sets nothing",
    async (delegationConfig) => {
      const entry = await entryOf("delegation.maxDepth", { story: { id: "US-1", delegationConfig } });
      expect(entry?.origin.layer).toBe("default");
    },
  );

  it.each([
    [{ maxDepth: 4 }, "CONFIG_OUT_OF_RANGE", "delegationConfig.maxDepth is 4; the hard cap is 3"],
    [
      { maxDelegations: 101 },
      "CONFIG_OUT_OF_RANGE",
      "delegationConfig.maxDelegations is 101; the hard cap is 100",
    ],
    [{ parallel: "yes" }, "CONFIG_INVALID", 'delegationConfig.parallel is "yes"; expected true or false'],
    [{ budgetUsd: null }, "CONFIG_INVALID", "delegationConfig.budgetUsd is empty; expected a number"],
    [
      { maxDept: 1 },
      "UNKNOWN_CONFIG_KEY",
      "delegationConfig.maxDept is not a setting; did you mean delegationConfig.maxDepth?",
    ],
    [{ constructor: 1 }, "UNKNOWN_CONFIG_KEY", "delegationConfig.constructor is not a setting"],
    [[], "CONFIG_INVALID", "delegationConfig is a list; expected a mapping"],
    ["deep", "CONFIG_INVALID", 'delegationConfig is "deep"; expected a mapping'],
  ])("of %j is refused with the story's name (R20)", async (delegationConfig, code, reason) => {
    const story = { id: "US-040", delegationConfig };
    expect(await errorOf({ story })).toMatchObject({ code, message: `US-040: ${reason}` });
  });
});
