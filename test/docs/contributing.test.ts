import { existsSync, readdirSync, readFileSync } from "node:fs";
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

  it("name no source file that has moved or gone, in ARCHITECTURE.md and the decision records", () => {
    const decisions = readdirSync("docs/decisions").map((name) => `docs/decisions/${name}`);
    const folders = ["src", "test", "scripts", "bench"];
    const present = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `/${folder}/${path}`),
    );
    const pages = ["ARCHITECTURE.md", ...decisions].map((page) => ({
      page,
      text: readFileSync(page, "utf8"),
    }));
    const named = pages.flatMap(({ page, text }) =>
      [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|cjs))`/g)].map(([, path = ""]) => ({ page, path })),
    );
    expect(named.length).toBeGreaterThan(100);
    const gone = named.filter(
      ({ path }) => !existsSync(path) && !present.some((one) => one.endsWith(`/${path}`)),
    );
    expect(gone).toStrictEqual([]);
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
