import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";

const CRUISER = resolve("node_modules/dependency-cruiser/bin/dependency-cruise.mjs");

const cruiseSchema = z.object({
  modules: z.array(z.object({ source: z.string() })),
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
    ruleSetUsed: z.object({ forbidden: z.array(z.object({ name: z.string() })) }),
  }),
});

const temporaryFolders: string[] = [];

afterEach(() => {
  for (const folder of temporaryFolders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("the layers of src", () => {
  const cruised = cruise(process.cwd());
  const ranks = readRanks(cruised);

  it("has no import against the ranks, into a private folder, or in a cycle", () => {
    expect(cruised.summary.violations).toStrictEqual([]);
  });

  // With a compiler it does not know, dependency-cruiser reports success after reading no file at all.
  it("is checked file by file, without exception", () => {
    const sources = cruised.modules.map(({ source }) => source).filter((source) => source.startsWith("src/"));
    // The browser app's files come twice: as they are found, and as they are imported.
    const checked = [...new Set(sources)].filter(isCode);
    expect(checked.toSorted()).toStrictEqual(sourceFiles());
    expect(checked.length).toBeGreaterThan(8);
  });

  it("gives every folder a rank", () => {
    const folders = new Set(sourceFiles().flatMap((file) => file.split("/").slice(1, -1).slice(0, 1)));
    expect([...folders].filter((folder) => !ranks.has(folder))).toStrictEqual([]);
  });

  it("is described by the table in ARCHITECTURE.md", () => {
    const rows = readFileSync("ARCHITECTURE.md", "utf8").matchAll(/^\| `([a-z]+)\/` \| (\d) \|/gm);
    expect(new Map([...rows].map(([, folder = "", rank]) => [folder, Number(rank)]))).toStrictEqual(ranks);
  });
});

describe("a planted violation is reported", () => {
  it("an import from a higher rank", () => {
    const found = violationsWith({
      "base/planted.ts": 'export { planted } from "../contract/planted.ts";\n',
      "contract/planted.ts": "export const planted = 1;\n",
    });
    expect(found).toStrictEqual([{ from: "src/base/planted.ts", rule: "rank-0-base" }]);
  });

  it("an import of a type from a higher rank", () => {
    const found = violationsWith({
      "base/planted.ts":
        'import type { Higher } from "../contract/planted.ts";\nexport type Planted = Higher;\n',
      "contract/planted.ts": "export type Higher = 1;\n",
    });
    expect(found).toStrictEqual([{ from: "src/base/planted.ts", rule: "rank-0-base" }]);
  });

  it("an import from a sibling of equal rank", () => {
    const found = violationsWith({
      "guards/planted.ts": 'export { planted } from "../ledger/planted.ts";\n',
      "ledger/planted.ts": "export const planted = 1;\n",
    });
    expect(found).toStrictEqual([{ from: "src/guards/planted.ts", rule: "rank-3-guards" }]);
  });

  it("an import from another folder's private subfolder", () => {
    const found = violationsWith({
      "guards/planted.ts": 'export { planted } from "../contract/planted/hidden.ts";\n',
      "contract/planted/hidden.ts": "export const planted = 1;\n",
    });
    expect(found).toStrictEqual([{ from: "src/guards/planted.ts", rule: "private-contract" }]);
  });

  it("a cycle made of types alone", () => {
    const found = violationsWith({
      "base/planted-one.ts":
        'import type { Two } from "./planted-two.ts";\nexport type One = { two?: Two };\n',
      "base/planted-two.ts":
        'import type { One } from "./planted-one.ts";\nexport type Two = { one?: One };\n',
    });
    expect(found).toContainEqual({ from: "src/base/planted-one.ts", rule: "no-cycles" });
  });

  it("two subfolders that import each other, without a cycle of files", () => {
    const found = violationsWith({
      "base/planted-one/low.ts": "export const low = 1;\n",
      "base/planted-one/high.ts": 'export { middle } from "../planted-two/middle.ts";\n',
      "base/planted-two/middle.ts": "export const middle = 2;\n",
      "base/planted-two/deep/user.ts": 'export { low } from "../../planted-one/low.ts";\n',
    });
    expect(found).toContainEqual({ from: "src/base/planted-one", rule: "no-two-way-folders" });
  });

  it("a contract file that needs more than zod", () => {
    const found = violationsWith({
      "contract/planted.ts": 'export { readFileSync as planted } from "node:fs";\n',
    });
    expect(found).toStrictEqual([{ from: "src/contract/planted.ts", rule: "contract-needs-only-zod" }]);
  });
});

/** The rules are those of the project; a tree of the planted files alone is read in a moment. */
function violationsWith(
  planted: Readonly<Record<string, string>>,
): readonly { from: string; rule: string }[] {
  const copy = mkdtempSync(join(tmpdir(), "ambit-layering-"));
  temporaryFolders.push(copy);
  for (const file of ["package.json", "tsconfig.json", ".dependency-cruiser.cjs"])
    cpSync(file, join(copy, file));
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
  for (const [file, text] of Object.entries(planted)) {
    const path = join(copy, "src", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const { violations } = cruise(copy).summary;
  return violations
    .map(({ from, rule }) => ({ from, rule: rule.name }))
    .filter(({ from }) => from.includes("planted"));
}

function cruise(folder: string): z.infer<typeof cruiseSchema> {
  const argv = [CRUISER, "src", "--config", ".dependency-cruiser.cjs", "--output-type", "json"];
  // Its exit status counts the violations, so a failing run still carries the report on stdout.
  const { stdout } = spawnSync(process.execPath, argv, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 });
  return cruiseSchema.parse(JSON.parse(stdout));
}

function readRanks(cruised: z.infer<typeof cruiseSchema>): ReadonlyMap<string, number> {
  const names = cruised.summary.ruleSetUsed.forbidden.map(({ name }) => /^rank-(\d+)-(.+)$/.exec(name));
  return new Map(names.flatMap((match) => (match?.[2] === undefined ? [] : [[match[2], Number(match[1])]])));
}

function sourceFiles(): readonly string[] {
  const entries = readdirSync("src", { recursive: true, encoding: "utf8" });
  return entries
    .filter(isCode)
    .map((entry) => `src/${entry}`)
    .toSorted();
}

function isCode(file: string): boolean {
  return file.endsWith(".ts") || file.endsWith(".tsx");
}
