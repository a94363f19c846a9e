import { describe, expect, it } from "vitest";
import {
  accessControlKeys,
  configKeys,
  findConfigKey,
  storyConfigKeys,
  type ConfigKey,
} from "../../src/contract/config-keys.ts";

const typesOf = (keys: readonly ConfigKey[]) =>
  keys.map(({ key, type, nullable }) => `${key}: ${type}${nullable ? " or null" : ""}`);

describe("the values that each setting accepts", () => {
  it("are known for every setting of the file", () => {
    expect(typesOf(configKeys)).toStrictEqual([
      "version: integer",
      "delegation.enabled: boolean",
      "delegation.maxDepth: integer",
      "delegation.adaptDepth: choice",
      "delegation.ways: list",
      "delegation.workflowMaxDepth: integer",
      "delegation.maxContextPerAgent: integer",
      "delegation.maxDelegationsPerStory: integer",
      "delegation.fanOut.depth0: integer",
      "delegation.fanOut.depth1: integer",
      "delegation.fanOut.depth2: integer",
      "delegation.parallel.enabled: boolean",
      "delegation.parallel.maxConcurrent: integer",
      "delegation.parallel.timeoutSeconds: integer",
      "delegation.idle.warnSeconds: integer",
      "delegation.idle.stopSeconds: integer",
      "delegation.idle.reassign: integer",
      "delegation.idle.reassignLate: integer",
      "delegation.maxTurns: integer or null",
      "delegation.windDown.softLimit: number",
      "delegation.windDown.graceSeconds: integer",
      "delegation.cost.alertThreshold: number",
      "delegation.cost.autoApproveThreshold: number",
      "delegation.cost.perStoryUsd: number or null",
      "delegation.cost.perDelegationUsd: number or null",
      "delegation.description.policy: choice",
      "delegation.description.maxLength: integer",
      "delegation.output.maxBytes: integer",
      "delegation.resources.memoryBytes: integer or null",
      "delegation.resources.processes: integer or null",
      "delegation.resources.cpuSeconds: integer or null",
      "delegation.resources.diskBytes: integer or null",
      "delegation.retry.enabled: boolean",
      "delegation.retry.maxAttempts: integer",
      "delegation.retry.backoffMultiplier: number",
      "delegation.logging.level: choice",
      "delegation.logging.detailedLogs: boolean",
      "delegation.logging.saveWorktrees: boolean",
      "tasks.dir: text",
      "tasks.commit: boolean",
      "workspace.isolation: choice",
      "workspace.network: boolean or null",
      "workspace.services: list or null",
      "workspace.pool: integer",
      "workspace.dir: text or null",
      "workspace.ownPath: boolean",
      "workspace.include: list",
      "workspace.setup: text or null",
      "workspace.env.pass: list",
      "workspace.env.set: map",
      "verification.test: text or null",
      "verification.timeoutSeconds: integer",
      "verification.retries: integer",
      "verification.exclusive: boolean",
      "verification.base: boolean",
      "verification.reviewer: text or null",
      "verification.artifactTypes: list",
      "agents.default: text or null",
      "agents.fallback: text or null",
      "agents.metering: choice",
      "agents.addresses: list",
      "agents.unmetered: choice",
      "agents.environment: list",
      "agents.mcp: map",
      "cluster.hub: text or null",
      "cluster.dispatch: choice",
      "cluster.lease: integer",
      "cluster.keepEvery: integer",
      "cluster.maxConcurrent: integer or null",
      "cluster.pools: map",
      "templates.index: text or null",
      "terminal.notify: choice",
      "notify.command: text or null",
    ]);
  });

  it("are known for the rules per depth (R120)", () => {
    const depths = ["depth_0", "depth_1", "depth_2", "depth_3"];
    const rulesBelow = (prefix: string) =>
      depths.flatMap((depth) => [
        `${prefix}.${depth}.file_access: choice`,
        `${prefix}.${depth}.can_delegate: boolean`,
        `${prefix}.${depth}.max_delegations: integer`,
      ]);
    expect(typesOf(accessControlKeys)).toStrictEqual([
      ...rulesBelow("delegation.accessControl"),
      ...rulesBelow("delegation_access_control"),
    ]);
  });

  it("are known for the settings of a story, without prefix, default or description", () => {
    expect(typesOf(storyConfigKeys)).toStrictEqual([
      "enabled: boolean",
      "maxDelegations: integer",
      "maxWorkers: integer",
      "maxDepth: integer",
      "parallel: boolean",
      "maxConcurrent: integer",
      "timeoutSeconds: integer",
      "budgetUsd: number",
      "maxContextPerAgent: integer",
    ]);
    expect(storyConfigKeys.map((key) => [key.description, key.default])).toStrictEqual(
      storyConfigKeys.map(() => ["", undefined]),
    );
  });

  it("are a list of choices for exactly these settings", () => {
    const choicesOf = (keys: readonly ConfigKey[]) =>
      keys.flatMap(({ key, choices }) => (choices.length > 0 ? [[key, choices]] : []));
    expect(choicesOf([...configKeys, ...storyConfigKeys])).toStrictEqual([
      ["delegation.adaptDepth", ["off", "lower", "both"]],
      ["delegation.description.policy", ["neutralise", "warn", "refuse"]],
      ["delegation.logging.level", ["debug", "info", "warn", "error"]],
      ["workspace.isolation", ["worktree", "sandbox"]],
      ["agents.metering", ["auto", "none", "proxy"]],
      ["agents.unmetered", ["refuse", "allow"]],
      ["cluster.dispatch", ["postgres", "redis"]],
      ["terminal.notify", ["desktop", "bell", "off"]],
    ]);
    for (const { key, choices } of accessControlKeys) {
      const access = ["unrestricted", "fileScope only", "strict fileScope"];
      expect(choices).toStrictEqual(key.endsWith(".file_access") ? access : []);
    }
  });
});

it("finds a setting by its whole name only", () => {
  expect(findConfigKey("delegation.maxDepth")).toBe(
    configKeys.find(({ key }) => key === "delegation.maxDepth"),
  );
  expect(findConfigKey("maxDepth")).toBeUndefined();
  expect(findConfigKey("delegation_access_control.depth_0.can_delegate")).toBeUndefined();
});
