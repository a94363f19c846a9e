import { describe, expect, it } from "vitest";
import { resolveConfig } from "../../src/config/load-config.ts";
import { errorOf, folderWith } from "./temporary-project.ts";

describe("a wrong value in a file", () => {
  it.each([
    [
      "delegation:\n\n\n  maxDepth: 5\n",
      4,
      "CONFIG_OUT_OF_RANGE",
      "delegation.maxDepth is 5; the hard cap is 3",
    ],
    [
      "delegation: { workflowMaxDepth: 4 }\n",
      1,
      "CONFIG_OUT_OF_RANGE",
      "delegation.workflowMaxDepth is 4; the hard cap is 3",
    ],
    [
      "delegation:\n  maxDepth: 'https://me:secret@example.org/x?mail=a@b'\n",
      2,
      "CONFIG_INVALID",
      'delegation.maxDepth is "https://me:…@example.org/x?mail=a@b"; expected a whole number',
    ],
    [
      "delegation:\n  maxDepth: 'https://me: no password @example.org'\n",
      2,
      "CONFIG_INVALID",
      'delegation.maxDepth is "https://me: no password @example.org"; expected a whole number',
    ],
    ["delegation:\n  maxDepth: -1\n", 2, "CONFIG_OUT_OF_RANGE", "delegation.maxDepth is -1; the least is 0"],
    [
      "delegation:\n  maxDepth: two\n",
      2,
      "CONFIG_INVALID",
      'delegation.maxDepth is "two"; expected a whole number',
    ],
    [
      "delegation:\n  maxDepth: '2'\n",
      2,
      "CONFIG_INVALID",
      'delegation.maxDepth is "2"; expected a whole number',
    ],
    [
      "delegation:\n  maxDepth:\n",
      2,
      "CONFIG_INVALID",
      "delegation.maxDepth is empty; expected a whole number",
    ],
    [
      "delegation:\n  maxDepth: [2]\n",
      2,
      "CONFIG_INVALID",
      "delegation.maxDepth is a list; expected a whole number",
    ],
    [
      "delegation:\n  maxDepth: {a: 2}\n",
      2,
      "CONFIG_INVALID",
      "delegation.maxDepth is a mapping; expected a whole number",
    ],
    [
      "delegation:\n  maxDepth: .inf\n",
      2,
      "CONFIG_INVALID",
      "delegation.maxDepth is Infinity; expected a whole number",
    ],
    [
      "delegation:\n  enabled: yes\n",
      2,
      "CONFIG_INVALID",
      'delegation.enabled is "yes"; expected true or false',
    ],
    [
      "delegation:\n  windDown:\n    softLimit: 0\n",
      3,
      "CONFIG_OUT_OF_RANGE",
      "delegation.windDown.softLimit is 0; it must be above 0",
    ],
    [
      "delegation:\n  description:\n    policy: deny\n",
      3,
      "CONFIG_INVALID",
      'delegation.description.policy is "deny"; expected neutralise, warn, refuse',
    ],
    [
      "delegation:\n  cost:\n    perStoryUsd: 0.1234567\n",
      3,
      "CONFIG_INVALID",
      "delegation.cost.perStoryUsd is 0.1234567; it must have at most 6 decimal places",
    ],
    ["delegation: 3\n", 1, "CONFIG_INVALID", "delegation is 3; expected a mapping of settings"],
    [
      "delegation:\n  parallel: [1]\n",
      2,
      "CONFIG_INVALID",
      "delegation.parallel is a list; expected a mapping of settings",
    ],
    [
      "tasks:\n  dir: ../up\n",
      2,
      "CONFIG_INVALID",
      'tasks.dir is "../up"; it must be a folder inside the project',
    ],
    [
      "verification:\n  artifactTypes: [a, 3]\n",
      2,
      "CONFIG_INVALID",
      'verification.artifactTypes is a list; expected a list of texts such as ["a", "b"]',
    ],
    ["workspace:\n  setup: ''\n", 2, "CONFIG_INVALID", 'workspace.setup is ""; expected text'],
    ["version: 2\n", 1, "CONFIG_INVALID", "version is 2; expected 1"],
    [
      "a: &x 1\n".replace("a", "version") + "delegation:\n  maxDepth: *x\n",
      3,
      "CONFIG_INVALID",
      'delegation.maxDepth is "*x"; expected a whole number',
    ],
  ])("%j is reported with file, line and key", async (text, line, code, reason) => {
    const projectRoot = folderWith({ "ambit.yaml": text });
    expect(await errorOf({ projectRoot })).toMatchObject({ code, message: `ambit.yaml:${line}: ${reason}` });
  });

  it("is reported for delegation-config.json and the user's file as well", async () => {
    const projectRoot = folderWith({ ".ambit/delegation-config.json": '{\n  "maxDepth": 4\n}' });
    expect((await errorOf({ projectRoot })).message).toBe(
      ".ambit/delegation-config.json:2: delegation.maxDepth is 4; the hard cap is 3",
    );
    const homeDirectory = folderWith({ ".config/ambit/config.yaml": "tasks:\n  dir: /tmp\n" });
    expect((await errorOf({ homeDirectory })).message).toBe(
      '~/.config/ambit/config.yaml:2: tasks.dir is "/tmp"; it must be a folder inside the project',
    );
  });
});

describe("an unknown key", () => {
  it.each([
    [
      "delegation:\n  maxDeth: 2\n",
      2,
      "delegation.maxDeth is not a setting; did you mean delegation.maxDepth?",
    ],
    [
      "delegation:\n  maxdepth: 2\n",
      2,
      "delegation.maxdepth is not a setting; did you mean delegation.maxDepth?",
    ],
    ["maxDepth: 2\n", 1, "maxDepth is not a setting; did you mean delegation.maxDepth?"],
    ["delgation:\n  maxDepth: 2\n", 1, "delgation is not a setting; did you mean delegation?"],
    [
      "delegation:\n  paralel: {}\n",
      2,
      "delegation.paralel is not a setting; did you mean delegation.parallel?",
    ],
    ["zebra: 1\n", 1, "zebra is not a setting"],
    ["1: 1\n", 1, "1 is not a setting"],
    ["? [a]\n: 1\n", 1, "(not a plain key) is not a setting"],
    ["<<: 1\n", 1, "<< is not a setting"],
    ["__proto__: 1\n", 1, "__proto__ is not a setting"],
    ["delegation.maxDepth: 1\n", 1, "delegation.maxDepth is not a setting; write it as nested keys"],
  ])("%j is refused, with a suggestion where one is known", async (text, line, reason) => {
    const projectRoot = folderWith({ "ambit.yaml": text });
    expect(await errorOf({ projectRoot })).toMatchObject({
      code: "UNKNOWN_CONFIG_KEY",
      message: `ambit.yaml:${line}: ${reason}`,
    });
  });

  it("cannot write to the terminal through its name", async () => {
    const projectRoot = folderWith({ "ambit.yaml": '"\\e[31mred": 1\n' });
    expect((await errorOf({ projectRoot })).message).toBe("ambit.yaml:1: \\u001b[31mred is not a setting");
  });
});

describe("several problems", () => {
  it("in all layers are reported together, one line each", async () => {
    const input = {
      flags: [{ flag: "--depth", keys: ["delegation.maxDepth"], value: "9" }],
      environment: { MAX_CONTEXT_PER_AGENT: "many", DELEGATION_PARALLEL: "perhaps" },
      story: { id: "US-1", delegationConfig: { maxConcurrent: 65 } },
      projectRoot: folderWith({
        "ambit.yaml": "delegation:\n  maxDepth: 7\n  what: 1\n",
        ".ambit/delegation-config.json": '{"retry": {"maxAttempts": 0}}',
      }),
      homeDirectory: folderWith({ ".config/ambit/config.yaml": "{" }),
    };
    const result = await resolveConfig(input);
    expect(result.ok ? [] : result.problems.map(({ code }) => code)).toStrictEqual([
      "CONFIG_OUT_OF_RANGE",
      "CONFIG_INVALID",
      "CONFIG_INVALID",
      "CONFIG_OUT_OF_RANGE",
      "CONFIG_OUT_OF_RANGE",
      "UNKNOWN_CONFIG_KEY",
      "CONFIG_OUT_OF_RANGE",
      "CONFIG_INVALID",
    ]);
    const error = await errorOf(input);
    expect(error.code).toBe("CONFIG_OUT_OF_RANGE");
    expect(error.recommendation).toBe("Correct the 8 settings, then run the command again.");
    expect(error.message.split("\n").map((line) => line.split(": ")[0])).toStrictEqual([
      "--depth",
      "MAX_CONTEXT_PER_AGENT",
      "DELEGATION_PARALLEL",
      "US-1",
      "ambit.yaml:2",
      "ambit.yaml:3",
      ".ambit/delegation-config.json:1",
      "~/.config/ambit/config.yaml:1",
    ]);
  });

  it("beyond fifty are counted", async () => {
    const text = Array.from({ length: 60 }, (_, index) => `key${index}: 1`).join("\n");
    const { message } = await errorOf({ projectRoot: folderWith({ "ambit.yaml": text }) });
    expect(message.split("\n")).toHaveLength(51);
    expect(message.endsWith("\nand 10 more")).toBe(true);
  });
});
