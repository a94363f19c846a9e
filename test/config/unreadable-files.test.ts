import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadConfig, resolveConfig } from "../../src/config/load-config.ts";
import { configSchema } from "../../src/contract/config.ts";
import { errorOf, folderWith, temporaryFolder } from "./temporary-project.ts";

describe("a file of settings", () => {
  it.each([
    ["delegation:\n\tmaxDepth: 2\n", "ambit.yaml:2: not valid YAML: a tab cannot indent; use spaces"],
    ["version: 1\nversion: 1\n", "ambit.yaml:2: version is written twice, first on line 1"],
    [
      "delegation:\n  maxDepth: 1\n  enabled: true\n  maxDepth: 1\n",
      "ambit.yaml:4: delegation.maxDepth is written twice, first on line 2",
    ],
    [
      "delegation:\n<<<<<<< HEAD\n  maxDepth: 1\n=======\n  maxDepth: 2\n>>>>>>> other\n",
      "ambit.yaml:2: unresolved merge conflict",
    ],
    ["- a\n- b\n", "ambit.yaml:1: the file is a list; expected a mapping of settings"],
    ["just words\n", 'ambit.yaml:1: the file is "just words"; expected a mapping of settings'],
    ["42\n", "ambit.yaml:1: the file is 42; expected a mapping of settings"],
    ["version: 1\n---\nversion: 1\n", "ambit.yaml:2: not valid YAML: there must be one document only"],
    ["tasks:\n  dir: !env SPECS\n", "ambit.yaml:2: not valid YAML: Unresolved tag: !env"],
    ["version: 1\ndelegation: {\n", /^ambit\.yaml:\d: not valid YAML: /],
    ['version: 1\nagents:\n  default: "open\n', /^ambit\.yaml:\d: not valid YAML: /],
  ])("is refused with the line: %j", async (text, message) => {
    const error = await errorOf({ projectRoot: folderWith({ "ambit.yaml": text }) });
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message.split("\n")[0]).toEqual(
      typeof message === "string" ? message : expect.stringMatching(message),
    );
  });

  it("may contain conflict markers inside a text", async () => {
    const projectRoot = folderWith({ "ambit.yaml": "workspace:\n  setup: |\n    <<<<<<< x\n" });
    const { values } = await loadConfig({ projectRoot, environment: {} });
    expect(values.workspace.setup).toBe("<<<<<<< x");
  });

  it.each([
    ["[".repeat(1_000_000)],
    ["{a: ".repeat(200_000)],
    ["- ".repeat(500_000)],
    ["? ".repeat(500_000)],
    ["a: ".repeat(300_000)],
    [Array.from({ length: 1400 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ])("is refused harmlessly if nested without end (%#)", async (text) => {
    const error = await errorOf({ projectRoot: folderWith({ "ambit.yaml": text }) });
    expect(error).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/^ambit\.yaml:\d+: nested too deeply$/),
    });
  });

  it("may be one long line if it is flat, like a compact JSON file", async () => {
    const section = JSON.stringify(configSchema.parse({}).delegation);
    const projectRoot = folderWith({ ".ambit/delegation-config.json": section });
    await expect(loadConfig({ projectRoot, environment: {} })).resolves.toBeDefined();
  });

  it("is refused at once with thousands of keys", async () => {
    const text = Array.from({ length: 60_000 }, (_, index) => `key${index}: 1`).join("\n");
    expect((await errorOf({ projectRoot: folderWith({ "ambit.yaml": text }) })).message).toBe(
      "ambit.yaml:1: the file has 60000 keys; the most is 200",
    );
  });

  it("is refused above 1 MiB, and read up to that size", async () => {
    const most = 1024 * 1024;
    const padded = (size: number): string => `version: 1\n#${"x".repeat(size - 12)}`;
    const fits = folderWith({ "ambit.yaml": padded(most) });
    await expect(loadConfig({ projectRoot: fits, environment: {} })).resolves.toBeDefined();
    for (const size of [most + 1, 50_000_000]) {
      const projectRoot = folderWith({ "ambit.yaml": padded(size) });
      expect(await errorOf({ projectRoot })).toMatchObject({
        code: "INPUT_UNREADABLE",
        message: `ambit.yaml: has ${size} bytes; the most is ${most}`,
      });
    }
  });

  it("is refused when it is not a text file", async () => {
    const binary = folderWith({ "ambit.yaml": Uint8Array.of(0x76, 0xff, 0xfe) });
    expect((await errorOf({ projectRoot: binary })).message).toBe("ambit.yaml: not UTF-8 text");
    const folder = temporaryFolder();
    mkdirSync(join(folder, "ambit.yaml"));
    expect((await errorOf({ projectRoot: folder })).message).toBe("ambit.yaml: not a regular file");
    const pipe = temporaryFolder();
    execFileSync("mkfifo", [join(pipe, "ambit.yaml")]);
    expect((await errorOf({ projectRoot: pipe })).message).toBe("ambit.yaml: not a regular file");
    const loop = temporaryFolder();
    symlinkSync("ambit.yaml", join(loop, "ambit.yaml"));
    expect((await errorOf({ projectRoot: loop })).message).toMatch(/^ambit\.yaml: cannot be read: ELOOP/);
  });
});

it("a file of any content is either read or refused with problems that name it", async () => {
  const piece = fc.constantFrom(
    "delegation:",
    "\n",
    "  ",
    " ",
    "maxDepth: ",
    "2",
    "- ",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "#",
    "|",
    ">",
    "&a",
    "*a",
    "!!set",
    "? ",
    ": ",
    "\t",
    "---",
    "...",
    "%YAML 1.1",
    "null",
    "\0",
    "é",
    "\uFEFF",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const result = await resolveConfig({
        environment: {},
        projectRoot: folderWith({ "ambit.yaml": pieces.join("") }),
      });
      const places = result.ok ? [] : result.problems.map(({ origin }) => origin.source);
      expect(places.every((place) => place === "ambit.yaml")).toBe(true);
    }),
    { numRuns: 300 },
  );
});
