import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { configKeys, findConfigKey } from "../../src/contract/config-keys.ts";
import { limitsFromConfig } from "../../src/contract/config-limits.ts";
import { toMicroUsd, usdSchema } from "../../src/contract/config-usd.ts";
import { configSchema, storyDelegationConfigSchema } from "../../src/contract/config.ts";
import { defaultLimits, limitsSchema } from "../../src/contract/limits.ts";

const sourcesFile = {
  enabled: true,
  maxDepth: 2,
  maxContextPerAgent: 100_000,
  maxDelegationsPerStory: 10,
  parallel: { enabled: false, maxConcurrent: 3, timeoutSeconds: 1800 },
  logging: { level: "info", detailedLogs: false, saveWorktrees: false },
  cost: { alertThreshold: 10, autoApproveThreshold: 5 },
  retry: { enabled: false, maxAttempts: 3, backoffMultiplier: 2 },
};

const accessRules = {
  depth_0: { file_access: "unrestricted", can_delegate: true, max_delegations: 10 },
  depth_1: { file_access: "fileScope only", can_delegate: true, max_delegations: 5 },
  depth_2: { file_access: "strict fileScope", can_delegate: false, max_delegations: 0 },
};

describe("the configuration file's schema", () => {
  it("gives every default for an empty file, equal to the default limits (R108, C1, C30)", () => {
    const values = configSchema.parse({});
    expect(limitsFromConfig(values, "story")).toStrictEqual(defaultLimits);
    expect(limitsFromConfig(values, "workflow")).toStrictEqual({ ...defaultLimits, maxDepth: 3 });
    expect(values).toMatchObject({
      tasks: { dir: "specs", commit: false },
      workspace: { isolation: "worktree", setup: null },
      verification: { test: null, artifactTypes: [] },
      agents: { default: null },
    });
  });

  it("accepts a delegation-config.json of other tools as its delegation section (R113)", () => {
    expect(configSchema.parse({ delegation: sourcesFile }).delegation).toMatchObject(sourcesFile);
  });

  it("accepts rules per depth in either place (R120)", () => {
    expect(configSchema.safeParse({ delegation_access_control: accessRules }).success).toBe(true);
    expect(configSchema.safeParse({ delegation: { accessControl: accessRules } }).success).toBe(true);
    const deeper = { depth_3: { max_delegations: 1 } };
    expect(configSchema.safeParse({ delegation_access_control: deeper }).success).toBe(false);
  });

  it.each([
    [{ maxDepht: 2 }],
    [{ delegation: { maxdepth: 2 } }],
    [{ delegation: { parallel: { concurrent: 2 } } }],
    [{ delegation: { maxDepth: 4 } }],
    [{ delegation: { workflowMaxDepth: 4 } }],
    [{ delegation: { maxDelegationsPerStory: 101 } }],
    [{ delegation: { parallel: { maxConcurrent: 65 } } }],
    [{ delegation: { parallel: { maxConcurrent: 0 } } }],
    [{ delegation: { parallel: { timeoutSeconds: 14_401 } } }],
    [{ delegation: { windDown: { softLimit: 0 } } }],
    [{ delegation: { windDown: { softLimit: 1.1 } } }],
    [{ delegation: { cost: { perStoryUsd: 0.000_000_1 } } }],
    [{ delegation: { cost: { perStoryUsd: -1 } } }],
    [{ delegation: { retry: { backoffMultiplier: 0.5 } } }],
    [{ version: 2 }],
    [{ tasks: { dir: "../elsewhere" } }],
    [{ tasks: { dir: "/etc" } }],
    [{ tasks: { dir: "" } }],
    [{ tasks: { dir: ".git/hooks" } }],
    [{ tasks: { dir: "a/.GIT" } }],
    [{ tasks: { dir: "a\\b" } }],
    [{ workspace: { setup: "  " } }],
  ])("refuses %j", (file) => {
    expect(configSchema.safeParse(file).success).toBe(false);
  });

  it.each([[{ tasks: { dir: ".claude/specs" } }], [{ tasks: { dir: "a..b/c" } }], [{ version: 1 }]])(
    "accepts %j",
    (file) => {
      expect(configSchema.safeParse(file).success).toBe(true);
    },
  );

  it("is also a JSON Schema that editors can use", () => {
    const schema = z.toJSONSchema(configSchema, { io: "input" });
    const validate = new Ajv2020().compile(schema);
    expect(validate({})).toBe(true);
    expect(validate({ delegation: sourcesFile, delegation_access_control: accessRules })).toBe(true);
    expect(validate({ delegation: { maxDepth: 4 } })).toBe(false);
    expect(validate({ delegation: { maxDeth: 2 } })).toBe(false);
  });
});

describe("a story's own configuration", () => {
  it("may raise the limits (R20, R114)", () => {
    const raised = { maxDelegations: 15, maxDepth: 3, parallel: true, maxConcurrent: 5 };
    expect(storyDelegationConfigSchema.parse(raised)).toStrictEqual(raised);
  });

  it.each([
    [{ maxDepth: 4 }],
    [{ maxDelegations: 101 }],
    [{ maxConcurrent: 65 }],
    [{ timeoutSeconds: 14_401 }],
    [{ budgetUsd: -1 }],
    [{ depth: 2 }],
  ])("is refused above a hard cap or with an unknown key: %j (R20)", (story) => {
    expect(storyDelegationConfigSchema.safeParse(story).success).toBe(false);
  });
});

describe("the limits from a configuration", () => {
  it("allow one worker at a time when parallel is off (C30)", () => {
    const values = configSchema.parse({ delegation: { parallel: { enabled: false, maxConcurrent: 8 } } });
    expect(limitsFromConfig(values, "story").maxConcurrent).toBe(1);
  });

  it("include a depth limit for each kind of root (C1)", () => {
    const values = configSchema.parse({ delegation: { maxDepth: 1, workflowMaxDepth: 2 } });
    expect(limitsFromConfig(values, "story").maxDepth).toBe(1);
    expect(limitsFromConfig(values, "workflow").maxDepth).toBe(2);
  });

  it("include every limit of the file, with dollars as micro-dollars", () => {
    const values = configSchema.parse({
      delegation: {
        enabled: false,
        maxContextPerAgent: 5,
        maxDelegationsPerStory: 6,
        fanOut: { depth0: 7, depth1: 8, depth2: 9 },
        parallel: { maxConcurrent: 10, timeoutSeconds: 11 },
        idle: { warnSeconds: 12, stopSeconds: 13 },
        maxTurns: 20,
        windDown: { softLimit: 0.5, graceSeconds: 14 },
        cost: {
          alertThreshold: 0.1,
          autoApproveThreshold: 0.29,
          perStoryUsd: 3.55,
          perDelegationUsd: 0.000001,
        },
        description: { policy: "warn", maxLength: 15 },
        output: { maxBytes: 16 },
        resources: { memoryBytes: 17, processes: 18, cpuSeconds: 19, diskBytes: 20 },
      },
    });
    expect(limitsFromConfig(values, "story")).toStrictEqual({
      enabled: false,
      maxDepth: 2,
      maxDelegations: 6,
      fanOut: [7, 8, 9],
      maxContextTokens: 5,
      maxConcurrent: 10,
      timeoutSeconds: 11,
      idleWarnSeconds: 12,
      idleStopSeconds: 13,
      maxTurns: 20,
      softLimit: 0.5,
      graceSeconds: 14,
      storyMicroUsd: 3_550_000,
      delegationMicroUsd: 1,
      alertMicroUsd: 100_000,
      autoApproveMicroUsd: 290_000,
      descriptionPolicy: "warn",
      descriptionMaxLength: 15,
      outputMaxBytes: 16,
      memoryMaxBytes: 17,
      maxProcesses: 18,
      cpuMaxSeconds: 19,
      diskMaxBytes: 20,
    });
  });

  it("stay within the allowed limits for any valid file", () => {
    const leaf = fc.oneof(
      fc.integer({ min: -1, max: 20_000 }),
      fc.double({ min: 0, max: 2 }),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.constantFrom(...configKeys), leaf, (key, value) => {
        const file = key.key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
        const parsed = configSchema.safeParse(file);
        return !parsed.success || limitsSchema.safeParse(limitsFromConfig(parsed.data, "workflow")).success;
      }),
      { numRuns: 2000 },
    );
  });
});

describe("dollars", () => {
  it("become micro-dollars exactly, however they are written", () => {
    const amount = fc.record({
      whole: fc.integer({ min: 0, max: 999_999_999 }),
      micro: fc.integer({ min: 0, max: 999_999 }),
    });
    fc.assert(
      fc.property(amount, ({ whole, micro }) => {
        const dollars = Number(`${whole}.${String(micro).padStart(6, "0")}`);
        expect(usdSchema.safeParse(dollars).success).toBe(true);
        expect(BigInt(toMicroUsd(dollars))).toBe(BigInt(whole) * 1_000_000n + BigInt(micro));
      }),
      { numRuns: 5000 },
    );
  });

  it("finer than a micro-dollar are refused", () => {
    const finer = fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(finer, ([whole, digit]) => {
        expect(usdSchema.safeParse(Number(`${whole}.000000${digit}`)).success).toBe(false);
      }),
    );
  });
});

describe("the list of keys", () => {
  it("has every setting with its default and hard cap (R10, R12, R72, R110, R113)", () => {
    expect(configKeys.map(({ key, default: value, hardCap }) => [key, value, hardCap])).toStrictEqual([
      ["version", 1, undefined],
      ["delegation.enabled", true, undefined],
      ["delegation.maxDepth", 2, 3],
      ["delegation.adaptDepth", "lower", undefined],
      ["delegation.ways", [], undefined],
      ["delegation.workflowMaxDepth", 3, 3],
      ["delegation.maxContextPerAgent", 100_000, undefined],
      ["delegation.maxDelegationsPerStory", 10, 100],
      ["delegation.fanOut.depth0", 10, undefined],
      ["delegation.fanOut.depth1", 5, undefined],
      ["delegation.fanOut.depth2", 3, undefined],
      ["delegation.parallel.enabled", true, undefined],
      ["delegation.parallel.maxConcurrent", 3, 64],
      ["delegation.parallel.timeoutSeconds", 1800, 14_400],
      ["delegation.idle.warnSeconds", 600, undefined],
      ["delegation.idle.stopSeconds", 900, undefined],
      ["delegation.idle.reassign", 0, 3],
      ["delegation.idle.reassignLate", 0, 3],
      ["delegation.maxTurns", 300, undefined],
      ["delegation.windDown.softLimit", 0.9, 1],
      ["delegation.windDown.graceSeconds", 30, undefined],
      ["delegation.cost.alertThreshold", 10, 1_000_000_000],
      ["delegation.cost.autoApproveThreshold", 5, 1_000_000_000],
      ["delegation.cost.perStoryUsd", null, 1_000_000_000],
      ["delegation.cost.perDelegationUsd", null, 1_000_000_000],
      ["delegation.description.policy", "neutralise", undefined],
      ["delegation.description.maxLength", 500, undefined],
      ["delegation.output.maxBytes", 67_108_864, undefined],
      ["delegation.resources.memoryBytes", null, undefined],
      ["delegation.resources.processes", null, undefined],
      ["delegation.resources.cpuSeconds", null, undefined],
      ["delegation.resources.diskBytes", null, undefined],
      ["delegation.retry.enabled", false, undefined],
      ["delegation.retry.maxAttempts", 3, undefined],
      ["delegation.retry.backoffMultiplier", 2, undefined],
      ["delegation.logging.level", "info", undefined],
      ["delegation.logging.detailedLogs", false, undefined],
      ["delegation.logging.saveWorktrees", false, undefined],
      ["tasks.dir", "specs", undefined],
      ["tasks.commit", false, undefined],
      ["workspace.isolation", "worktree", undefined],
      ["workspace.network", null, undefined],
      ["workspace.services", null, undefined],
      ["workspace.pool", 3, 64],
      ["workspace.dir", null, undefined],
      ["workspace.ownPath", true, undefined],
      ["workspace.include", [], undefined],
      ["workspace.setup", null, undefined],
      ["workspace.env.pass", [], undefined],
      ["workspace.env.set", {}, undefined],
      ["verification.test", null, undefined],
      ["verification.timeoutSeconds", 600, 14_400],
      ["verification.retries", 1, 5],
      ["verification.exclusive", false, undefined],
      ["verification.base", true, undefined],
      ["verification.reviewer", null, undefined],
      ["verification.artifactTypes", [], undefined],
      ["agents.default", null, undefined],
      ["agents.fallback", null, undefined],
      ["agents.metering", "auto", undefined],
      ["agents.addresses", [], undefined],
      ["agents.unmetered", "refuse", undefined],
      ["agents.environment", [], undefined],
      ["agents.mcp", {}, undefined],
      ["cluster.hub", null, undefined],
      ["cluster.dispatch", "postgres", undefined],
      ["cluster.lease", 30, 600],
      ["cluster.keepEvery", 60, 3600],
      ["cluster.maxConcurrent", null, 4096],
      ["cluster.pools", {}, undefined],
      ["templates.index", null, undefined],
      ["terminal.notify", "desktop", undefined],
      ["notify.command", null, undefined],
    ]);
  });

  it("describes every setting", () => {
    expect(configKeys.filter(({ description }) => description === "")).toStrictEqual([]);
  });

  it("knows the type, the choices and the hard cap of a setting", () => {
    expect(findConfigKey("delegation.logging.level")).toMatchObject({
      type: "choice",
      choices: ["debug", "info", "warn", "error"],
    });
    expect(findConfigKey("delegation.cost.perStoryUsd")).toMatchObject({ type: "number", nullable: true });
    expect(findConfigKey("delegation.maxDepth")).toMatchObject({
      type: "integer",
      nullable: false,
      hardCap: 3,
    });
    expect(findConfigKey("delegation.accessControl")).toBeUndefined();
  });
});
