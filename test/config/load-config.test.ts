import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  loadConfig,
  readProjectSettings,
  type ConfigInput,
  type FlagSetting,
} from "../../src/config/load-config.ts";
import { layers, formatOrigin, type Layer } from "../../src/config/model/resolved-config.ts";
import { configKeys } from "../../src/contract/config-keys.ts";
import { configSchema } from "../../src/contract/config.ts";
import { entryOf, errorOf, folderWith, temporaryFolder } from "./temporary-project.ts";

const DEPTH = "delegation.maxDepth";
const CONCURRENT = "delegation.parallel.maxConcurrent";

/** One setting given by each layer, with a value that names the layer. */
const byLayer: Readonly<Record<Exclude<Layer, "default">, number>> = {
  flag: 11,
  environment: 12,
  story: 13,
  project: 14,
  user: 15,
};

const sources: Readonly<Record<Layer, string>> = {
  flag: "--jobs",
  environment: "MAX_PARALLEL_DELEGATIONS",
  story: "US-040",
  project: "ambit.yaml:3",
  user: "~/.config/ambit/config.yaml:2",
  default: "default",
};

function inputOf(given: readonly Layer[]): ConfigInput {
  const has = (layer: Layer): boolean => given.includes(layer);
  return {
    projectRoot: has("project")
      ? folderWith({ "ambit.yaml": `delegation:\n  parallel:\n    maxConcurrent: ${byLayer.project}\n` })
      : undefined,
    homeDirectory: has("user")
      ? folderWith({
          ".config/ambit/config.yaml": `delegation:\n  { parallel: { maxConcurrent: ${byLayer.user} } }\n`,
        })
      : undefined,
    environment: has("environment") ? { MAX_PARALLEL_DELEGATIONS: String(byLayer.environment) } : {},
    flags: has("flag") ? [{ flag: "--jobs", keys: [CONCURRENT], value: String(byLayer.flag) }] : [],
    story: has("story") ? { id: "US-040", delegationConfig: { maxConcurrent: byLayer.story } } : undefined,
  };
}

describe("precedence", () => {
  const pairs = layers.flatMap((upper, index) =>
    layers.slice(index + 1).map((lower) => [upper, lower] as const),
  );

  it.each(pairs)("lets %s win over %s (R114)", async (upper, lower) => {
    const entry = await entryOf(CONCURRENT, inputOf([upper, lower]));
    expect(entry?.origin.layer).toBe(upper);
    expect(entry?.value).toBe(upper === "default" ? 3 : byLayer[upper]);
  });

  it("is given to the strongest layer that sets a key, whatever the others say", async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...layers]), async (given) => {
        const winner = layers.find((layer) => given.includes(layer)) ?? "default";
        const entry = await entryOf(CONCURRENT, inputOf(given));
        expect(entry?.value).toBe(winner === "default" ? 3 : byLayer[winner]);
        expect(entry && formatOrigin(entry.origin)).toBe(sources[winner]);
      }),
      { numRuns: 60 },
    );
  });

  it("is decided key by key", async () => {
    const projectRoot = folderWith({ "ambit.yaml": "delegation:\n  maxDepth: 1\n  workflowMaxDepth: 1\n" });
    const { values } = await loadConfig({
      projectRoot,
      environment: { MAX_CONTEXT_PER_AGENT: "5000" },
      flags: [{ flag: "--depth", keys: [DEPTH], value: 3 }],
    });
    expect(values.delegation).toMatchObject({ maxDepth: 3, workflowMaxDepth: 1, maxContextPerAgent: 5000 });
  });

  it("lets a higher layer's null win over a lower layer's value", async () => {
    const homeDirectory = folderWith({
      ".config/ambit/config.yaml": "delegation:\n  cost:\n    perStoryUsd: 3\n",
    });
    const projectRoot = folderWith({ "ambit.yaml": "delegation:\n  cost:\n    perStoryUsd: null\n" });
    const key = "delegation.cost.perStoryUsd";
    expect((await entryOf(key, { homeDirectory }))?.value).toBe(3);
    expect(await entryOf(key, { homeDirectory, projectRoot })).toMatchObject({
      value: null,
      origin: { layer: "project", line: 3 },
    });
  });
});

describe("the resolved configuration", () => {
  it("has all defaults without input, and names each key once", async () => {
    const { values, entries, warnings } = await loadConfig({ environment: {} });
    expect(values).toStrictEqual(configSchema.parse({}));
    expect(entries.map(({ key }) => key)).toStrictEqual(configKeys.map(({ key }) => key));
    expect(new Set(entries.map(({ origin }) => formatOrigin(origin)))).toStrictEqual(new Set(["default"]));
    expect(warnings).toStrictEqual([]);
  });

  it("names file and line of each value", async () => {
    const projectRoot = folderWith({
      "ambit.yaml":
        "# first\nversion: 1\ndelegation:\n  maxDepth: 1\n\n  idle: { warnSeconds: 1,\n    stopSeconds: 2 }\n",
      ".ambit/delegation-config.json": '{\n\t"maxContextPerAgent": 77,\n\t"retry": { "enabled": true }\n}\n',
    });
    const places = async (key: string): Promise<string> => {
      const entry = await entryOf(key, { projectRoot });
      return entry === undefined ? "" : formatOrigin(entry.origin);
    };
    expect(await places("version")).toBe("ambit.yaml:2");
    expect(await places(DEPTH)).toBe("ambit.yaml:4");
    expect(await places("delegation.idle.warnSeconds")).toBe("ambit.yaml:6");
    expect(await places("delegation.idle.stopSeconds")).toBe("ambit.yaml:7");
    expect(await places("delegation.maxContextPerAgent")).toBe(".ambit/delegation-config.json:2");
    expect(await places("delegation.retry.enabled")).toBe(".ambit/delegation-config.json:3");
  });

  it("reads delegation-config.json as the delegation section (R113)", async () => {
    const section = {
      enabled: true,
      maxDepth: 1,
      maxContextPerAgent: 50_000,
      maxDelegationsPerStory: 20,
      parallel: { enabled: false, maxConcurrent: 4, timeoutSeconds: 60 },
      logging: { level: "warn", detailedLogs: true, saveWorktrees: true },
      cost: { alertThreshold: 2.5, autoApproveThreshold: 1 },
      retry: { enabled: true, maxAttempts: 5, backoffMultiplier: 1.5 },
    };
    const projectRoot = folderWith({ ".ambit/delegation-config.json": JSON.stringify(section) });
    expect((await loadConfig({ projectRoot, environment: {} })).values.delegation).toMatchObject(section);
  });

  it("reads a mapping of lists, whichever way it is written", async () => {
    for (const text of [
      "cluster: { pools: { gpu: [painter, coder] } }\n",
      "cluster:\n  pools:\n    gpu:\n      - painter\n      - coder\n",
    ]) {
      const found = await entryOf("cluster.pools", { projectRoot: folderWith({ "ambit.yaml": text }) });
      expect(found).toMatchObject({ value: { gpu: ["painter", "coder"] } });
    }
  });

  it("shows the form of a mapping of lists if one is wrong", async () => {
    const projectRoot = folderWith({ "ambit.yaml": "cluster: { pools: { gpu: painter } }\n" });
    expect((await errorOf({ environment: {}, projectRoot })).message).toContain(
      'expected names with lists such as {"name": ["a", "b"]}',
    );
  });

  it("treats a section without keys as empty", async () => {
    const projectRoot = folderWith({ "ambit.yaml": "delegation:\n  # maxDepth: 3\n  parallel:\ntasks:\n" });
    expect((await loadConfig({ projectRoot, environment: {} })).values).toStrictEqual(configSchema.parse({}));
  });

  it.each([[""], ["# nothing\n"], ["---\n"], ["\uFEFFversion: 1\n"], ["version: 1\r\n"]])(
    "accepts a file of %j",
    async (text) => {
      const projectRoot = folderWith({ "ambit.yaml": text });
      await expect(loadConfig({ projectRoot, environment: {} })).resolves.toMatchObject({ warnings: [] });
    },
  );

  it("reports an ignored file with the other file ending", async () => {
    const projectRoot = folderWith({ "ambit.yml": "delegation:\n  maxDepth: 1\n" });
    const { warnings, values } = await loadConfig({ projectRoot, environment: {} });
    expect(warnings).toStrictEqual(["ambit.yml is ignored; rename it to ambit.yaml"]);
    expect(values.delegation.maxDepth).toBe(2);
  });
});

describe("the settings of a project", () => {
  it("are those of its files, or of the file that is named instead", async () => {
    const projectRoot = folderWith({
      "ambit.yaml": "delegation:\n  maxDepth: 1\n",
      "other.yaml": "version: 1\n",
    });
    const origin = { layer: "project", source: "ambit.yaml", line: 2 };
    expect(await readProjectSettings(projectRoot)).toStrictEqual([{ key: DEPTH, value: 1, origin }]);
    const other = join(projectRoot, "other.yaml");
    expect(await readProjectSettings(projectRoot, other)).toMatchObject([{ key: "version", value: 1 }]);
  });
});

describe("the user's file", () => {
  it("is below XDG_CONFIG_HOME if that is absolute", async () => {
    const configHome = folderWith({ "ambit/config.yaml": "delegation:\n  maxDepth: 1\n" });
    const homeDirectory = folderWith({ ".config/ambit/config.yaml": "delegation:\n  maxDepth: 0\n" });
    const environment = { XDG_CONFIG_HOME: configHome };
    expect(await entryOf(DEPTH, { environment, homeDirectory })).toMatchObject({
      value: 1,
      origin: { layer: "user", source: join(configHome, "ambit/config.yaml"), line: 2 },
    });
    for (const ignored of ["", "relative/folder"]) {
      const entry = await entryOf(DEPTH, { environment: { XDG_CONFIG_HOME: ignored }, homeDirectory });
      expect(entry?.value).toBe(0);
    }
  });
});

describe("a file named on the command line", () => {
  it("is read instead of the project's files", async () => {
    const projectRoot = folderWith({
      "ambit.yaml": "delegation:\n  maxDepth: 1\n",
      ".ambit/delegation-config.json": '{"maxContextPerAgent": 5}',
    });
    const configFile = join(folderWith({ "other.yaml": "delegation:\n  maxDepth: 0\n" }), "other.yaml");
    const { values, entries } = await loadConfig({ projectRoot, configFile, environment: {} });
    expect(values.delegation).toMatchObject({ maxDepth: 0, maxContextPerAgent: 100_000 });
    expect(entries.find(({ key }) => key === DEPTH)?.origin).toStrictEqual({
      layer: "project",
      source: configFile,
      line: 2,
    });
  });

  it("is refused if it does not exist", async () => {
    const configFile = join(temporaryFolder(), "missing.yaml");
    expect(await errorOf({ configFile })).toMatchObject({
      code: "INPUT_UNREADABLE",
      message: `${configFile}: does not exist`,
    });
  });
});

describe("flags", () => {
  const flag = (name: string, key: string, value: string | number | boolean): FlagSetting => ({
    flag: name,
    keys: [key],
    value,
  });

  it("may set a key of any type, as text or as a value", async () => {
    const { values } = await loadConfig({
      environment: {},
      flags: [
        flag("--no-parallel", "delegation.parallel.enabled", false),
        flag("--budget", "delegation.cost.perStoryUsd", "2.50"),
        flag("--set", "verification.artifactTypes", "diagram, table"),
        flag("--set", "delegation.resources.memoryBytes", "none"),
        flag("--set", "version", "1"),
        flag("--agent", "agents.default", "none"),
      ],
    });
    expect(values.delegation.parallel.enabled).toBe(false);
    expect(values.delegation.cost.perStoryUsd).toBe(2.5);
    expect(values.delegation.resources.memoryBytes).toBeNull();
    expect(values.verification.artifactTypes).toStrictEqual(["diagram", "table"]);
    expect(values.agents.default).toBe("none");
  });

  it("may set a mapping, as a list or as JSON", async () => {
    const servers = async (value: string): Promise<unknown> =>
      (await loadConfig({ environment: {}, flags: [flag("--set", "agents.mcp", value)] })).values.agents.mcp;
    expect(await servers("docs=npx docs, math=calc --form {x=1}")).toStrictEqual({
      docs: "npx docs",
      math: "calc --form {x=1}",
    });
    expect(await servers('{"docs": "npx a=b, c"}')).toStrictEqual({ docs: "npx a=b, c" });
  });

  it("use the last of two values", async () => {
    const flags = [flag("--depth", DEPTH, "1"), flag("--max-depth", DEPTH, "3")];
    expect(await entryOf(DEPTH, { flags })).toMatchObject({ value: 3, origin: { source: "--max-depth" } });
  });

  it.each([
    ["5", "CONFIG_OUT_OF_RANGE", "is 5; the hard cap is 3"],
    ["-1", "CONFIG_OUT_OF_RANGE", "is -1; the least is 0"],
    ["two", "CONFIG_INVALID", 'is "two"; expected a whole number'],
    ["1.5", "CONFIG_INVALID", "is 1.5; expected a whole number"],
    ["1e0", "CONFIG_INVALID", 'is "1e0"; expected a whole number'],
    ["0x1", "CONFIG_INVALID", 'is "0x1"; expected a whole number'],
    ["", "CONFIG_INVALID", 'is ""; expected a whole number'],
    ["99999999999999999999", "CONFIG_OUT_OF_RANGE", "is 100000000000000000000; the hard cap is 3"],
  ])("are named if their value %j is wrong (C1)", async (value, code, reason) => {
    const flags = [{ flag: "--depth", keys: [DEPTH, "delegation.workflowMaxDepth"], value }];
    expect(await errorOf({ flags })).toMatchObject({ code, message: `--depth: ${DEPTH} ${reason}` });
  });

  it("are refused with an unknown key", async () => {
    expect(await errorOf({ flags: [flag("--set", "delegation.maxDeph", "1")] })).toMatchObject({
      code: "UNKNOWN_CONFIG_KEY",
      message: "--set: delegation.maxDeph is not a setting; did you mean delegation.maxDepth?",
    });
  });
});
