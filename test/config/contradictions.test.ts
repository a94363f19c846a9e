import { describe, expect, it } from "vitest";
import { loadConfig, resolveConfig, type ConfigInput } from "../../src/config/load-config.ts";
import { limitsFromConfig } from "../../src/contract/config-limits.ts";
import { errorOf, folderWith } from "./temporary-project.ts";

function project(text: string, section?: unknown): string {
  return folderWith({
    "ambit.yaml": text,
    ...(section === undefined ? {} : { ".ambit/delegation-config.json": JSON.stringify(section) }),
  });
}

async function isAccepted(input: Partial<ConfigInput>): Promise<boolean> {
  return (await resolveConfig({ environment: {}, ...input })).ok;
}

describe("contradictory settings", () => {
  it.each([
    [
      "delegation:\n  idle:\n    warnSeconds: 60\n    stopSeconds: 60\n",
      4,
      "delegation.idle.stopSeconds is 60; it must be above delegation.idle.warnSeconds, which is 60 (ambit.yaml:3)",
    ],
    [
      "delegation:\n  idle:\n    stopSeconds: 300\n",
      3,
      "delegation.idle.stopSeconds is 300; it must be above delegation.idle.warnSeconds, which is 600 (default)",
    ],
    [
      "delegation:\n  idle:\n    warnSeconds: 900\n",
      3,
      "delegation.idle.warnSeconds is 900; it must be below delegation.idle.stopSeconds, which is 900 (default)",
    ],
    [
      "delegation:\n  cost:\n    perStoryUsd: 1\n    perDelegationUsd: 2\n",
      4,
      "delegation.cost.perDelegationUsd is 2; it cannot be above delegation.cost.perStoryUsd, which is 1 (ambit.yaml:3)",
    ],
  ])("are refused: %j", async (text, line, reason) => {
    expect(await errorOf({ projectRoot: project(text) })).toMatchObject({
      code: "CONFIG_CONTRADICTION",
      message: `ambit.yaml:${line}: ${reason}`,
    });
  });

  it("do not include a stronger layer that only tightens the story's budget", async () => {
    const projectRoot = project("delegation:\n  cost:\n    perDelegationUsd: 2\n");
    const story = { id: "US-1", delegationConfig: { budgetUsd: 1 } };
    expect(await isAccepted({ projectRoot, story })).toBe(true);
    const flags = [{ flag: "--delegation-budget", keys: ["delegation.cost.perDelegationUsd"], value: "2" }];
    expect(await isAccepted({ flags, story })).toBe(false);
  });

  it("do not include a delegation that may cost as much as its story", async () => {
    const text = "delegation:\n  cost:\n    perStoryUsd: 2\n    perDelegationUsd: 2\n";
    expect(await isAccepted({ projectRoot: project(text) })).toBe(true);
  });

  it("are found between ambit.yaml and delegation-config.json (R113)", async () => {
    const text = "delegation:\n  maxDepth: 1\n  enabled: true\n";
    expect(await isAccepted({ projectRoot: project(text, { maxDepth: 1, enabled: true }) })).toBe(true);
    expect(await errorOf({ projectRoot: project(text, { maxDepth: 2, enabled: true }) })).toMatchObject({
      code: "CONFIG_CONTRADICTION",
      message: ".ambit/delegation-config.json:1: delegation.maxDepth is 2 here but 1 at ambit.yaml:2",
    });
  });
});

describe("the workers that a story may have of its own", () => {
  it.each([
    ["more delegations mean more of them", "maxDelegationsPerStory: 15", 15],
    ["fewer delegations leave the default", "maxDelegationsPerStory: 4", 10],
    ["as many delegations as the default leave it", "maxDelegationsPerStory: 10", 10],
    ["a setting of their own wins", "{ maxDelegationsPerStory: 15, fanOut: { depth0: 7 } }", 7],
  ])("%s (R20)", async (_, text, depth0) => {
    const { values } = await loadConfig({
      projectRoot: project(`delegation:\n  ${text}\n`),
      environment: {},
    });
    expect(values.delegation.fanOut.depth0).toBe(depth0);
  });

  it("have the origin of the number of delegations that they follow (R20)", async () => {
    const projectRoot = project("delegation:\n  maxDelegationsPerStory: 15\n");
    const { entries } = await loadConfig({ projectRoot, environment: {} });
    expect(entries.find(({ key }) => key === "delegation.fanOut.depth0")?.origin).toMatchObject({
      layer: "project",
      source: "ambit.yaml",
    });
  });
});

describe("rules per depth (R119, R120)", () => {
  const table = `
  depth_0: { file_access: unrestricted, can_delegate: true, max_delegations: 8 }
  depth_1: { file_access: fileScope only, can_delegate: true, max_delegations: 4 }
  depth_2: { file_access: strict fileScope, can_delegate: false, max_delegations: 0 }
`;

  it.each([
    ["at the top of ambit.yaml", `delegation_access_control:${table}`],
    ["in the delegation section", `delegation:\n  accessControl:${table.replaceAll("\n  ", "\n    ")}`],
  ])("set the fan-out limits, %s (C31)", async (_, text) => {
    const { values, entries, warnings } = await loadConfig({ projectRoot: project(text), environment: {} });
    expect(limitsFromConfig(values, "workflow").fanOut).toStrictEqual([8, 4, 0]);
    expect(warnings).toStrictEqual([]);
    expect(entries.some(({ key }) => key.includes("accessControl"))).toBe(false);
    expect(entries.find(({ key }) => key === "delegation.fanOut.depth0")?.origin.source).toBe("ambit.yaml");
  });

  it.each([["delegation_access_control"], ["accessControl"]])(
    "are read from delegation-config.json as %s",
    async (name) => {
      const projectRoot = project("", { [name]: { depth_1: { max_delegations: 2 } } });
      const { values } = await loadConfig({ projectRoot, environment: {} });
      expect(values.delegation.fanOut).toStrictEqual({ depth0: 10, depth1: 2, depth2: 3 });
    },
  );

  it("mean no workers at a depth that may not delegate", async () => {
    const projectRoot = project("delegation_access_control:\n  depth_1: { can_delegate: false }\n");
    expect((await loadConfig({ projectRoot, environment: {} })).values.delegation.fanOut.depth1).toBe(0);
  });

  it.each([
    [
      "delegation_access_control:\n  depth_3: { can_delegate: true }\n",
      "ambit.yaml:2: delegation.accessControl.depth_3.can_delegate is true, but agents at depth 3 cannot delegate: delegation.workflowMaxDepth, which is 3 (default)",
    ],
    [
      "delegation:\n  maxDepth: 1\n  workflowMaxDepth: 1\n  accessControl:\n    depth_1:\n      can_delegate: true\n",
      "ambit.yaml:6: delegation.accessControl.depth_1.can_delegate is true, but agents at depth 1 cannot delegate: delegation.maxDepth, which is 1 (ambit.yaml:2)",
    ],
    [
      "delegation:\n  fanOut: { depth0: 3 }\ndelegation_access_control:\n  depth_0: { max_delegations: 4 }\n",
      "ambit.yaml:4: delegation.fanOut.depth0 is 4 here but 3 at ambit.yaml:2",
    ],
    [
      "delegation_access_control:\n  depth_1:\n    can_delegate: false\n    max_delegations: 5\n",
      "ambit.yaml:4: delegation.fanOut.depth1 is 5 here but 0 at ambit.yaml:3",
    ],
  ])("that contradict the limits are refused: %j (C31)", async (text, message) => {
    expect(await errorOf({ projectRoot: project(text) })).toMatchObject({
      code: "CONFIG_CONTRADICTION",
      message,
    });
  });

  it("may allow delegations that a stronger layer forbids (C31)", async () => {
    const projectRoot = project("delegation_access_control:\n  depth_1: { can_delegate: true }\n");
    expect(await isAccepted({ projectRoot, environment: { MAX_DELEGATION_DEPTH: "1" } })).toBe(true);
    const limited = project(
      "delegation:\n  workflowMaxDepth: 1\n  accessControl:\n    depth_1: { can_delegate: true }\n",
    );
    const flags = [{ flag: "--depth", keys: ["delegation.maxDepth"], value: "1" }];
    expect(await isAccepted({ projectRoot: limited, flags })).toBe(true);
  });

  it("are refused by name if they are wrong", async () => {
    const projectRoot = project(
      "delegation_access_control:\n  depth_0: { max_delegations: many, can_delegat: true }\n  depth_3: { max_delegations: 1 }\n  depth_4: {}\n",
    );
    expect((await errorOf({ projectRoot })).message.split("\n")).toStrictEqual([
      'ambit.yaml:2: delegation_access_control.depth_0.max_delegations is "many"; expected a whole number',
      "ambit.yaml:2: delegation_access_control.depth_0.can_delegat is not a setting; did you mean delegation_access_control.depth_0.can_delegate?",
      "ambit.yaml:3: delegation_access_control.depth_3.max_delegations is 1; the hard cap is 0",
      "ambit.yaml:4: delegation_access_control.depth_4 is not a setting; did you mean delegation_access_control.depth_0?",
    ]);
  });

  it("cause a warning if they state a file access that does not fit the depth (R119)", async () => {
    const projectRoot = project("delegation_access_control:\n  depth_1: { file_access: unrestricted }\n");
    expect((await loadConfig({ projectRoot, environment: {} })).warnings).toStrictEqual([
      "ambit.yaml:2: delegation.accessControl.depth_1.file_access changes nothing; a delegation's file scope decides",
    ]);
  });
});
