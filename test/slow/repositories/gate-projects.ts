import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import type { RealProject } from "./real-project.ts";

const installed = resolve("node_modules");
/** Links to packages, as `npm link` makes them; the tools are those that our own tests use. */
const linkPackages = (...names: readonly string[]): string =>
  `mkdir node_modules && ln -s ${names.map((name) => `'${join(installed, name)}'`).join(" ")} node_modules/`;

/** Projects that need nothing beyond what `npm ci` has installed, for the gate. */
export const gateProjects: readonly RealProject[] = [
  {
    name: "zod",
    version: readVersion("zod"),
    tools: "Vitest, linked packages",
    from: { folder: join(installed, "zod") },
    tests: "shipped",
    files: {
      ".gitignore": "node_modules\n.cache/\n",
      "vitest.config.mjs": `const conditions = ["@zod/source", "default"];
export default { cacheDir: ".cache", resolve: { conditions }, ssr: { resolve: { conditions } } };
`,
    },
    install: linkPackages("vitest"),
    runner: "vitest",
    command: "node node_modules/vitest/vitest.mjs run src/v3/tests/array src/v3/tests/map",
    breaks: "sed -i 's/data.length > def/data.length < def/' src/v3/types.ts",
  },
  {
    name: "commander",
    version: readVersion("commander"),
    tools: "node:test",
    from: { folder: join(installed, "commander") },
    tests: "own",
    files: {
      "test/options.test.js": `const assert = require("node:assert");
const { test } = require("node:test");
const { Command } = require("..");

const parse = (...words) => new Command().option("-n, --number <n>").parse(words, { from: "user" }).opts();
test("reads a long option", () => assert.deepEqual(parse("--number", "1"), { number: "1" }));
test("reads a short option", () => assert.deepEqual(parse("-n", "2"), { number: "2" }));
test("has no option by default", () => assert.deepEqual(parse(), {}));
`,
    },
    runner: "node",
    command: "node --test test",
    breaks: "sed -i 's/return this._optionValues;/return [];/' lib/command.js",
  },
  {
    name: "yaml",
    version: readVersion("yaml"),
    tools: "TypeScript references, built tests",
    from: { folder: join(installed, "yaml") },
    tests: "own",
    files: {
      ".gitignore": "node_modules\nout/\n",
      "tsconfig.json": '{ "files": [], "references": [{ "path": "core" }, { "path": "checks" }] }\n',
      "core/tsconfig.json": tsconfig("core", []),
      "core/count.ts": `import { parse } from "yaml";
export const count = (text: string): number => Object.keys(parse(text)).length;
`,
      "checks/tsconfig.json": tsconfig("checks", [{ path: "../core" }]),
      "checks/count-all.ts": `import { count } from "../core/count";
export const countAll = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + count(text), 0);
`,
      "test/count.test.js": `const assert = require("node:assert");
const { test } = require("node:test");
const { countAll } = require("../out/checks/count-all.js");
test("counts", () => assert.equal(countAll(["a: 1\\nb: 2\\n", "c: 3"]), 3));
test("counts nothing", () => assert.equal(countAll([]), 0));
`,
    },
    install: linkPackages("typescript", "yaml"),
    runner: "node",
    command: "node node_modules/typescript/bin/tsc -b && node --test test",
    breaks: "sed -i 's/length;/length + 1;/' core/count.ts",
  },
];

function readVersion(name: string): string {
  const text = readFileSync(join(installed, name, "package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

function tsconfig(name: string, references: readonly unknown[]): string {
  const compilerOptions = {
    composite: true,
    target: "es2022",
    module: "node16",
    types: [],
    skipLibCheck: true,
    rootDir: ".",
    outDir: `../out/${name}`,
  };
  return `${JSON.stringify({ compilerOptions, references }, undefined, 2)}\n`;
}
