import { describe, expect, it } from "vitest";
import { findRemedy } from "../../../src/app/init/trial/find-remedy.ts";
import {
  combineRemedies,
  findLikely,
  joinCommands,
  listRemedies,
  type Remedy,
} from "../../../src/app/init/trial/remedies.ts";

const nothing = { ignored: [], submodules: [], filters: [], variables: [] };
const file = (pattern: string): Remedy => ({ kind: "include", pattern, paths: [pattern] });

describe("something that a workspace may lack", () => {
  it("becomes a setting, and files with the same name or the same ending share one pattern", () => {
    const ignored = [
      "dist/",
      ".env",
      "a/local.json",
      "b/local.json",
      ...[1, 2, 3, 4, 5, 6].map((n) => `src/${n}.o`),
    ];
    const found = listRemedies({
      ignored,
      submodules: ["lib"],
      filters: ["lfs"],
      variables: ["DATABASE_URL"],
    });
    expect(combineRemedies(found)).toStrictEqual({
      include: ["dist/", ".env", "local.json", "*.o"],
      pass: ["DATABASE_URL"],
      setup: "git submodule update --init --recursive --quiet && git lfs checkout",
    });
  });

  it("is one folder in several places, and files without an ending stay apart", () => {
    const include = (ignored: readonly string[]): readonly string[] =>
      combineRemedies(listRemedies({ ...nothing, ignored })).include;
    expect(include(["a/dist/", "b/dist/"])).toStrictEqual(["dist/"]);
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    expect(include(names)).toStrictEqual(names);
  });

  it("is not looked for in a project that ignores too much, or under a name that is too long", () => {
    const ignored = Array.from({ length: 40 }, (_, index) => `folder-${index}/`);
    expect(listRemedies({ ...nothing, ignored })).toHaveLength(30);
    const [longest, longer] = ["a".repeat(200), "b".repeat(201)];
    expect(listRemedies({ ...nothing, ignored: [longest, longer] })).toMatchObject([{ pattern: longest }]);
  });

  it("needs no setup unless a command makes it, and one that is there already runs first", () => {
    expect(combineRemedies([file("a")])).toStrictEqual({ include: ["a"], pass: [], setup: null });
    expect(joinCommands("npm ci", "git lfs checkout")).toBe("npm ci && git lfs checkout");
    expect([joinCommands(null, "npm ci"), joinCommands("npm ci", null)]).toStrictEqual(["npm ci", "npm ci"]);
    expect(joinCommands(null, null)).toBeNull();
  });

  it("is left to the person if its name has a meaning in a pattern", () => {
    expect(listRemedies({ ...nothing, ignored: ["a b", "!x", "*", "[a]", "#c", "d"] })).toMatchObject([
      { pattern: "d" },
    ]);
  });

  it("is suspected first if the output of the failed run mentions it", () => {
    const all = listRemedies({
      ...nothing,
      ignored: ["config/local.json", "dist/"],
      variables: ["A_KEY", "B_KEY"],
    });
    const output = "Error: cannot open /x/config/local.json\nB_KEY is not set";
    expect(combineRemedies(findLikely(all, output))).toMatchObject({
      include: ["config/local.json"],
      pass: ["B_KEY"],
    });
    const submodules = listRemedies({ ...nothing, submodules: ["lib"] });
    expect(findLikely(submodules, "git submodule update --init: lib is missing")).toStrictEqual([]);
    const objects = [1, 2, 3, 4, 5, 6].map((n) => `src/${n}.o`);
    const grouped = listRemedies({ ...nothing, ignored: [...objects, "dist/"] });
    expect(combineRemedies(findLikely(grouped, "ld: cannot find src/3.o"))).toMatchObject({
      include: ["*.o"],
    });
  });
});

describe("the settings that suffice", () => {
  const all = ["a", "b", "c", "d", "e", "f", "g"].map(file);
  const install: Remedy = { kind: "setup", command: "npm ci" };
  const patterns = (remedies: readonly Remedy[]): readonly string[] => combineRemedies(remedies).include;

  it.each([[["c"]], [["a", "g"]], [["b", "c", "f"]], [["a", "b", "c", "d", "e", "f", "g"]]])(
    "are %j and no others",
    async (needed) => {
      const asked: (readonly Remedy[])[] = [];
      const found = await findRemedy({ likely: [], all, install }, async (remedies) => {
        asked.push(remedies);
        return needed.every((one) => patterns(remedies).includes(one));
      });
      expect(found).toStrictEqual(needed.map(file));
      expect(asked).not.toContainEqual([]);
      expect(asked.length).toBeLessThan(20);
    },
  );

  it("are found without a run that can tell nothing new", async () => {
    const ask = async (choice: { likely: readonly Remedy[]; all: readonly Remedy[] }, enough: Remedy) => {
      const asked: (readonly Remedy[])[] = [];
      await findRemedy({ ...choice, install }, async (remedies) => {
        asked.push(remedies);
        return remedies.includes(enough);
      });
      return asked;
    };
    const [one, other] = [file("a"), file("b")];
    expect(await ask({ likely: [], all: [] }, one)).toStrictEqual([[install]]);
    expect(await ask({ likely: [one], all: [one] }, install)).toStrictEqual([[one], [install]]);
    expect(await ask({ likely: [one], all: [one, other] }, other)).toStrictEqual([
      [one],
      [one, other],
      [other],
    ]);
  });

  it("are only the suspected ones if those suffice, and no other is tried", async () => {
    const asked: (readonly string[])[] = [];
    const found = await findRemedy({ likely: [file("c")], all, install }, async (remedies) => {
      asked.push(patterns(remedies));
      return patterns(remedies).includes("c");
    });
    expect(patterns(found ?? [])).toStrictEqual(["c"]);
    expect(asked).toStrictEqual([["c"]]);
  });

  it("include an installation only if nothing else suffices, and are undefined if even that does not", async () => {
    const isInstalled = async (remedies: readonly Remedy[]): Promise<boolean> => remedies.includes(install);
    expect(await findRemedy({ likely: [], all, install }, isInstalled)).toStrictEqual([install]);
    expect(await findRemedy({ likely: [], all, install }, async () => false)).toBeUndefined();
    expect(await findRemedy({ likely: [], all: [], install: undefined }, async () => true)).toBeUndefined();
  });

  it("are an installation together with files if neither suffices alone", async () => {
    const found = await findRemedy(
      { likely: [], all, install },
      async (remedies) => remedies.includes(install) && patterns(remedies).includes("e"),
    );
    expect(combineRemedies(found ?? [])).toMatchObject({ include: ["e"], setup: "npm ci" });
  });
});
