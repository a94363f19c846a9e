import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as z from "zod";

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

const texts = [
  ...readdirSync(".").filter((name) => name.endsWith(".md")),
  ...["docs", "bench", "test/slow", "e2e", "scripts"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(md|ts|mjs)$/.test(name) && !name.includes("node_modules"))
      .map((name) => join(folder, name)),
  ),
];

/** Every script that a text of ours tells people to run. */
function namedIn(path: string): readonly string[] {
  const found = readFileSync(path, "utf8").matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g);
  return [...found].flatMap(([, name]) => name ?? []);
}

it("package.json has every script that documents and programs tell people to run", () => {
  const named = new Set(texts.flatMap(namedIn));
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((name) => scripts[name] === undefined)).toStrictEqual([]);
});

it("package.json has a script for every slow suite that names one", () => {
  const suites = texts.filter((path) => /^test.slow.[^/\\]*$/.test(path) && namedIn(path).length > 0);
  expect(suites.length).toBeGreaterThan(10);
  const commands = Object.values(scripts);
  expect(suites.filter((path) => !commands.some((command) => command.includes(path)))).toStrictEqual([]);
});
