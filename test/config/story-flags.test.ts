import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readStory } from "../../src/config/layers/from-story.ts";
import { keepSchemaCopy } from "../../src/config/schema-copy.ts";
import { listFlagSettings } from "../../src/config/story-flags.ts";
import { describeValue } from "../../src/config/values/describe-value.ts";

describe("the limits in a story's file", () => {
  it.each([
    ["enabled", false, ["delegation.enabled"]],
    ["maxDelegations", 4, ["delegation.maxDelegationsPerStory"]],
    ["maxWorkers", 15, ["delegation.fanOut.depth0"]],
    ["maxDepth", 1, ["delegation.maxDepth", "delegation.workflowMaxDepth"]],
    ["parallel", false, ["delegation.parallel.enabled"]],
    ["maxConcurrent", 2, ["delegation.parallel.maxConcurrent"]],
    ["timeoutSeconds", 90, ["delegation.parallel.timeoutSeconds"]],
    ["budgetUsd", 1.5, ["delegation.cost.perStoryUsd"]],
    ["maxContextPerAgent", 5000, ["delegation.maxContextPerAgent"]],
  ])("set with %s = %j what the setting of that name sets", (name, value, keys) => {
    const { settings, problems } = readStory({ id: "US-1", delegationConfig: { [name]: value } });
    const origin = { layer: "story", source: "US-1" };
    expect([settings, problems]).toStrictEqual([keys.map((key) => ({ key, value, origin })), []]);
  });

  it("are refused as a whole if they are not a mapping, and absent ones set nothing", () => {
    expect(readStory({ id: "US-1", delegationConfig: [1] }).problems).toMatchObject([
      { code: "CONFIG_INVALID", reason: "delegationConfig is a list; expected a mapping" },
    ]);
    for (const delegationConfig of [undefined, null, {}, { maxDepth: undefined }])
      expect(readStory({ id: "US-1", delegationConfig })).toMatchObject({ settings: [], problems: [] });
  });
});

it("flags of a story set what its file sets, under the names that a person typed (R108)", () => {
  const flags = { enabled: false, maxDepth: 1, maxDelegations: 4, maxConcurrent: 2 };
  expect(listFlagSettings(flags)).toStrictEqual([
    { flag: "--enable-delegation", keys: ["delegation.enabled"], value: false },
    { flag: "--depth", keys: ["delegation.maxDepth", "delegation.workflowMaxDepth"], value: 1 },
    { flag: "--delegations", keys: ["delegation.maxDelegationsPerStory"], value: 4 },
    { flag: "--parallel", keys: ["delegation.parallel.maxConcurrent"], value: 2 },
  ]);
  expect(listFlagSettings()).toStrictEqual([]);
});

describe("a value in an error message", () => {
  it.each([
    ["\u007f\u0085\u009f", String.raw`"\u007f\u0085\u009f"`],
    ["a\u202eb\u2066c", String.raw`"a\u202eb\u2066c"`],
    ["x".repeat(61), `"${"x".repeat(60)}…"`],
    ["x".repeat(60), `"${"x".repeat(60)}"`],
    [{ a: 1 }, "a mapping"],
    [undefined, "empty"],
  ])("is short and steers no terminal: %j", (value, shown) => {
    expect(describeValue(value)).toBe(shown);
  });
});

describe("the schema for editors", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "ambit-schema-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is written once for each version", async () => {
    const file = join(folder, "config-schema.json");
    await keepSchemaCopy(folder, "1.0.0");
    const written = readFileSync(file, "utf8");
    expect(JSON.parse(written)).toMatchObject({ properties: { delegation: {} } });
    writeFileSync(file, `${written} `);
    await keepSchemaCopy(folder, "1.0.0");
    expect(readFileSync(file, "utf8")).toBe(`${written} `);
    await keepSchemaCopy(folder, "1.0.1");
    expect(readFileSync(file, "utf8")).toContain("Ambit 1.0.1 wrote this");
  });
});
