import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";

const contributing = readFileSync("CONTRIBUTING.md", "utf8");
const agents = readFileSync("AGENTS.md", "utf8");

describe("the pages for contributors", () => {
  it("list the steps of the gate in their order, in CONTRIBUTING.md", () => {
    const steps = readFileSync("scripts/verify.mjs", "utf8").matchAll(/^ {2}\["([a-z:-]+)", "/gm);
    const rows = contributing.matchAll(/^\| `npm run ([a-z:-]+)` \|/gm);
    expect([...rows].map(([, name]) => name)).toStrictEqual([...steps].map(([, name]) => name));
  });

  it("name only files and folders that exist", () => {
    const texts = [contributing, agents].join("\n");
    const named = [...texts.matchAll(/(?:^|[\s(`])((?:src|test|docs|scripts|bench)\/[\w./-]*\w)/gm)].map(
      ([, path = ""]) => path,
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((path) => !existsSync(path))).toStrictEqual([]);
  });

  it("give every folder the rank that the layer check enforces, in AGENTS.md", () => {
    const rules = z
      .object({ forbidden: z.array(z.object({ name: z.string() })) })
      .parse(createRequire(import.meta.url)(resolve(".dependency-cruiser.cjs")));
    const ranks = rules.forbidden.flatMap(({ name }) => {
      const [, rank, folder] = /^rank-(\d+)-(.+)$/.exec(name) ?? [];
      return folder === undefined ? [] : [`${folder} ${rank}`];
    });
    const rows = agents.matchAll(/^\| (\d) \| (.+) \|$/gm);
    const told = [...rows].flatMap(([, rank, cell = ""]) =>
      [...cell.matchAll(/`([a-z]+)`/g)].map(([, folder]) => `${folder} ${rank}`),
    );
    expect(told.toSorted()).toStrictEqual(ranks.toSorted());
  });
});
