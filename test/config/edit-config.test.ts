import { chmodSync, lstatSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { setConfigValue } from "../../src/config/edit-config.ts";
import { entryOf, folderWith, temporaryFolder } from "./temporary-project.ts";

const DEPTH = "delegation.maxDepth";

async function edited(text: string, key: string, value: string): Promise<string> {
  const file = join(folderWith({ "ambit.yaml": text }), "ambit.yaml");
  await setConfigValue(file, key, value);
  return readFileSync(file, "utf8");
}

describe("changing an existing value", () => {
  it.each([
    [
      "delegation:\n  maxDepth: 2   # why two\n# end\n",
      DEPTH,
      "3",
      "delegation:\n  maxDepth: 3   # why two\n# end\n",
    ],
    [
      "# a\n\n\ndelegation:  # b\n\n      # c\n      maxDepth:    2\n\n\n",
      DEPTH,
      "1",
      "# a\n\n\ndelegation:  # b\n\n      # c\n      maxDepth:    1\n\n\n",
    ],
    [
      "delegation: {enabled: true,maxDepth: 2} # flow",
      DEPTH,
      "1",
      "delegation: {enabled: true,maxDepth: 1} # flow",
    ],
    ["delegation:\r\n  maxDepth: 2 # crlf\r\n", DEPTH, "1", "delegation:\r\n  maxDepth: 1 # crlf\r\n"],
    ["\uFEFFdelegation:\n  maxDepth: 2\n", DEPTH, "1", "\uFEFFdelegation:\n  maxDepth: 1\n"],
    ["'delegation':\n  \"maxDepth\": 2\n", DEPTH, "1", "'delegation':\n  \"maxDepth\": 1\n"],
    ["delegation:\n  maxDepth:   # empty\n", DEPTH, "1", "delegation:\n  maxDepth: 1   # empty\n"],
    ["delegation:\n  maxDepth:\n", DEPTH, "1", "delegation:\n  maxDepth: 1\n"],
    ["delegation:\n  maxDepth  :\n", DEPTH, "1", "delegation:\n  maxDepth  : 1\n"],
    ["delegation:\n  maxDepth: 9 # too much\n", DEPTH, "3", "delegation:\n  maxDepth: 3 # too much\n"],
    [
      "workspace:\n  setup: |\n    one\n    two\n\n  isolation: worktree # keep\n",
      "workspace.setup",
      "npm ci",
      "workspace:\n  setup: npm ci\n\n  isolation: worktree # keep\n",
    ],
    ["workspace:\n  setup: 'a: b' # q\n", "workspace.setup", "null", "workspace:\n  setup: null # q\n"],
    [
      "verification:\n  artifactTypes:\n    - a\n    - b\n  test: x # keep\n",
      "verification.artifactTypes",
      "c,d e",
      "verification:\n  artifactTypes: [c, d e]\n  test: x # keep\n",
    ],
    [
      "verification:\n  artifactTypes: [a, b] # l\n",
      "verification.artifactTypes",
      "",
      "verification:\n  artifactTypes: [] # l\n",
    ],
    ["workspace:\n", "workspace.include", '["a"]', "workspace:\n  include: [a]\n"],
    ["workspace:\n", "workspace.include", ' [".env", "a,b"] ', 'workspace:\n  include: [".env", "a,b"]\n'],
    [
      "workspace:\n",
      "workspace.include",
      "[ab].env,*.[cd]",
      'workspace:\n  include: ["[ab].env", "*.[cd]"]\n',
    ],
    ["workspace:\n", "workspace.services", "[5432]", "workspace:\n  services: [5432]\n"],
    ["delegation:\n  enabled: true\n", "delegation.enabled", "off", "delegation:\n  enabled: false\n"],
    ["agents:\n  default: x\n", "agents.default", "yes", 'agents:\n  default: "yes"\n'],
    ["agents:\n  default: x\n", "agents.default", "a: #b", 'agents:\n  default: "a: #b"\n'],
    ["agents:\n  default: x\n", "agents.default", "12", 'agents:\n  default: "12"\n'],
  ])("in %j touches nothing else", async (text, key, value, expected) => {
    expect(await edited(text, key, value)).toBe(expected);
  });
});

describe("adding a value", () => {
  it.each([
    ["", DEPTH, "delegation:\n  maxDepth: 1\n"],
    ["# only a comment", DEPTH, "# only a comment\ndelegation:\n  maxDepth: 1\n"],
    ["tasks:\n  dir: specs\n# end\n", DEPTH, "tasks:\n  dir: specs\n# end\ndelegation:\n  maxDepth: 1\n"],
    [
      "delegation:\n  # maxDepth: 3\ntasks:\n",
      DEPTH,
      "delegation:\n  maxDepth: 1\n  # maxDepth: 3\ntasks:\n",
    ],
    ["delegation: # empty", DEPTH, "delegation: # empty\n  maxDepth: 1"],
    [
      "delegation:\n    enabled: true # on\n    # about idle\n    idle:\n        warnSeconds: 5 # five\n    # tail\n\ntasks: {}\n",
      DEPTH,
      "delegation:\n    enabled: true # on\n    # about idle\n    idle:\n        warnSeconds: 5 # five\n    maxDepth: 1\n    # tail\n\ntasks: {}\n",
    ],
    ["delegation: {}\n", DEPTH, "delegation: { maxDepth: 1 }\n"],
    ["delegation: { enabled: true }\n", DEPTH, "delegation: { enabled: true, maxDepth: 1 }\n"],
    ["delegation: {enabled: true}\n", DEPTH, "delegation: {enabled: true, maxDepth: 1}\n"],
    [
      "  tasks:   {}\n  agents:   {}\n",
      DEPTH,
      "  tasks:   {}\n  agents:   {}\n  delegation:\n    maxDepth: 1\n",
    ],
    [
      "workspace:\n  setup: |\n    a\ntasks:   {}\nagents:   {}\n",
      "workspace.isolation",
      "workspace:\n  setup: |\n    a\n  isolation: sandbox\ntasks:   {}\nagents:   {}\n",
    ],
    [
      "delegation:\n  enabled: true",
      "delegation.parallel.maxConcurrent",
      "delegation:\n  enabled: true\n  parallel:\n    maxConcurrent: 1",
    ],
    [
      "delegation: { enabled: true }\n",
      "delegation.parallel.maxConcurrent",
      "delegation: { enabled: true, parallel: { maxConcurrent: 1 } }\n",
    ],
    [
      "workspace:\n  setup: |\n    a\n    b\ntasks:\n",
      "workspace.isolation",
      "workspace:\n  setup: |\n    a\n    b\n  isolation: sandbox\ntasks:\n",
    ],
    ["delegation:\r\n  enabled: true\r\n", DEPTH, "delegation:\r\n  enabled: true\r\n  maxDepth: 1\r\n"],
    ["delegation: null\n", DEPTH, "delegation:\n  maxDepth: 1\n"],
    ["tasks:\n  dir: a\n...\n", DEPTH, "tasks:\n  dir: a\ndelegation:\n  maxDepth: 1\n...\n"],
  ])("to %j keeps the rest", async (text, key, expected) => {
    expect(await edited(text, key, key === "workspace.isolation" ? "sandbox" : "1")).toBe(expected);
  });

  it("creates a missing file, with the line by which editors find the schema", async () => {
    const file = join(temporaryFolder(), "ambit.yaml");
    expect(await setConfigValue(file, DEPTH, "1")).toStrictEqual({
      key: DEPTH,
      value: 1,
      previous: undefined,
    });
    expect(readFileSync(file, "utf8")).toBe(
      "# yaml-language-server: $schema=./.git/ambit/config-schema.json\ndelegation:\n  maxDepth: 1\n",
    );
  });

  it("creates the user's file and its folders, without a schema line that would lead nowhere", async () => {
    const file = join(temporaryFolder(), ".config", "ambit", "config.yaml");
    await setConfigValue(file, "delegation.cost.perStoryUsd", "2.5");
    expect(readFileSync(file, "utf8")).toBe("delegation:\n  cost:\n    perStoryUsd: 2.5\n");
  });
});

describe("a file of settings that is changed", () => {
  it("may have other settings that are still wrong, so that it can be repaired step by step", async () => {
    const text = "delegation:\n  maxDepth: 9\n  workflowMaxDepth: 9\n  odd: 1\n";
    expect(await edited(text, DEPTH, "1")).toBe(text.replace("maxDepth: 9", "maxDepth: 1"));
  });

  it("is not written if nothing changes", async () => {
    const file = join(folderWith({ "ambit.yaml": "delegation:\n  maxDepth: 1\n" }), "ambit.yaml");
    const before = statSync(file);
    expect(await setConfigValue(file, DEPTH, "1")).toStrictEqual({ key: DEPTH, value: 1, previous: 1 });
    expect(statSync(file).ino).toBe(before.ino);
    expect(readdirSync(dirname(file))).toStrictEqual(["ambit.yaml"]);
  });

  it("keeps its mode, and stays a link if it is one", async () => {
    const folder = folderWith({ "real/config.yaml": "delegation:\n  maxDepth: 1\n" });
    const real = join(folder, "real", "config.yaml");
    const link = join(folder, "config.yaml");
    chmodSync(real, 0o600);
    symlinkSync(real, link);
    await setConfigValue(link, DEPTH, "2");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toBe("delegation:\n  maxDepth: 2\n");
    expect(statSync(real).mode & 0o777).toBe(0o600);
  });

  it("loses no change if several commands set different keys at once", async () => {
    const file = join(temporaryFolder(), "ambit.yaml");
    const keys = ["maxDepth", "workflowMaxDepth", "maxContextPerAgent", "maxDelegationsPerStory"];
    await Promise.all(keys.map(async (key) => setConfigValue(file, `delegation.${key}`, "1")));
    for (const key of keys) {
      expect((await entryOf(`delegation.${key}`, { projectRoot: dirname(file) }))?.origin.layer).toBe(
        "project",
      );
    }
  });
});
