import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { setConfigValue } from "../../src/config/edit-config.ts";
import { folderWith, refusalOf, temporaryFolder } from "./temporary-project.ts";

const DEPTH = "delegation.maxDepth";

describe("a refused change", () => {
  it.each([
    [
      "delegation:\n  maxDepth: 2\n",
      "delegation.maxDeth",
      "1",
      "UNKNOWN_CONFIG_KEY",
      "config set: delegation.maxDeth is not a setting; did you mean delegation.maxDepth?",
    ],
    [
      "delegation:\n  maxDepth: 2\n",
      "delegation",
      "1",
      "UNKNOWN_CONFIG_KEY",
      "config set: delegation is not a setting",
    ],
    [
      "delegation:\n  maxDepth: 2\n",
      DEPTH,
      "4",
      "CONFIG_OUT_OF_RANGE",
      "config set: delegation.maxDepth is 4; the hard cap is 3",
    ],
    [
      "delegation:\n  maxDepth: 2\n",
      DEPTH,
      "x",
      "CONFIG_INVALID",
      'config set: delegation.maxDepth is "x"; expected a whole number',
    ],
    [
      "workspace:\n",
      "workspace.include",
      "[.env, dist/]",
      "CONFIG_INVALID",
      'config set: workspace.include is "[.env, dist/]"; expected a list of texts such as ["a", "b"]',
    ],
    [
      "workspace:\n",
      "workspace.include",
      '["a", 1]',
      "CONFIG_INVALID",
      'config set: workspace.include is a list; expected a list of texts such as ["a", "b"]',
    ],
    [
      "workspace:\n",
      "workspace.env.set",
      "{A: b}",
      "CONFIG_INVALID",
      'config set: workspace.env.set is "{A: b}"; expected names with their values such as {"NAME": "value"}',
    ],
    [
      "delegation:\n\tmaxDepth: 2\n",
      DEPTH,
      "1",
      "CONFIG_INVALID",
      "ambit.yaml:2: not valid YAML: a tab cannot indent; use spaces",
    ],
    ["<<<<<<< HEAD\nversion: 1\n", DEPTH, "1", "CONFIG_INVALID", "ambit.yaml:1: unresolved merge conflict"],
    [
      "delegation:\n  idle:\n    warnSeconds: 60\n    stopSeconds: 90\n",
      "delegation.idle.stopSeconds",
      "60",
      "CONFIG_CONTRADICTION",
      "ambit.yaml:4: delegation.idle.stopSeconds is 60; it must be above delegation.idle.warnSeconds, which is 60 (ambit.yaml:3)",
    ],
    [
      "delegation_access_control:\n  depth_0: { max_delegations: 3 }\n",
      "delegation.fanOut.depth0",
      "4",
      "CONFIG_CONTRADICTION",
      "ambit.yaml:2: delegation.fanOut.depth0 is 3 here but 4 at ambit.yaml:5",
    ],
    [
      "- a list\n",
      DEPTH,
      "1",
      "CONFIG_INVALID",
      "ambit.yaml:1: the file is a list; expected a mapping of settings",
    ],
    [
      "delegation: 3\n",
      DEPTH,
      "1",
      "CONFIG_INVALID",
      "ambit.yaml:1: delegation is 3; expected a mapping of settings",
    ],
    [
      "x: &a {}\ndelegation: *a\n",
      DEPTH,
      "1",
      "CONFIG_INVALID",
      'ambit.yaml:2: delegation is "*a"; expected a mapping of settings',
    ],
  ])("leaves %j as it is: %s=%s", async (text, key, value, code, message) => {
    const file = join(folderWith({ "ambit.yaml": text }), "ambit.yaml");
    const error = await refusalOf(setConfigValue(file, key, value));
    expect(error.code).toBe(code);
    expect(error.message).toBe(message);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(readdirSync(dirname(file))).toStrictEqual(["ambit.yaml"]);
  });

  it("creates no file for a bad value", async () => {
    const file = join(temporaryFolder(), "ambit.yaml");
    await refusalOf(setConfigValue(file, DEPTH, "9"));
    expect(existsSync(file)).toBe(false);
  });

  it("reports a folder in place of the file, and leaves it there", async () => {
    const file = join(temporaryFolder(), "ambit.yaml");
    mkdirSync(file);
    expect(await refusalOf(setConfigValue(file, DEPTH, "1"))).toMatchObject({
      code: "INPUT_UNREADABLE",
      message: "ambit.yaml: not a regular file",
    });
    expect(readdirSync(dirname(file))).toStrictEqual(["ambit.yaml"]);
  });

  it("leaves a file alone that another command is changing", async () => {
    const file = join(folderWith({ "ambit.yaml": "", ".ambit.yaml.lock": "" }), "ambit.yaml");
    expect(await refusalOf(setConfigValue(file, DEPTH, "1"))).toMatchObject({ code: "STORE_BUSY" });
    expect(readFileSync(file, "utf8")).toBe("");
    expect(existsSync(join(dirname(file), ".ambit.yaml.lock"))).toBe(true);
  });

  it("reports a place where no file can be written", async () => {
    const folder = folderWith({ plain: "" });
    expect(await refusalOf(setConfigValue(join(folder, "plain", "ambit.yaml"), DEPTH, "1"))).toMatchObject({
      code: "STORE_UNUSABLE",
    });
  });
});
