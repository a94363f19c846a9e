import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { IgnoreRules } from "../../src/workspace/capture/ignore-rules.ts";
import { createRandom, type Random } from "../slow/random.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

let project: TemporaryRepository;
beforeEach(async () => {
  project = await makeRepository();
});
afterEach(() => project.remove());

const PARTS = ["a", "ab", "abc", "b", "b.c", "a b", "a ", "#a", "!a", "[a]", "a\\b", "ü", "*", "a*", "a\r"];
const PIECES = [
  "a",
  "b",
  "ab",
  "c",
  "*",
  "**",
  "?",
  "[ab]",
  "[a/]",
  "[!a]",
  "\\",
  "\\*",
  " ",
  "/",
  "/",
  ".",
  "#",
  "!",
];

function makePath(random: Random): string {
  return Array.from({ length: 1 + random.below(4) }, () => random.pick(PARTS)).join("/");
}

function makeRule(random: Random): string {
  const rule = Array.from({ length: 1 + random.below(5) }, () => random.pick(PIECES)).join("");
  return rule + random.pick(["", "", "", " ", "\r", "/"]);
}

/** Those of the paths that git ignores; no file has to be there. */
function listIgnored(paths: readonly string[]): ReadonlySet<string> {
  const { stdout } = spawnSync("git", ["check-ignore", "--no-index", "-z", "--stdin"], {
    cwd: project.root,
    input: paths.map((path) => `${path}\0`).join(""),
    env: { PATH: process.env["PATH"] ?? "", HOME: project.home },
  });
  return new Set(stdout.toString("utf8").split("\0"));
}

const toBytes = (path: string): string => Buffer.from(path).toString("latin1");

function openRules(): IgnoreRules {
  const files = [join(project.root, ".git/info/exclude")];
  return new IgnoreRules({ workTree: project.root, files, patterns: [] });
}

describe("the rules for ignored files, taken widely", () => {
  it.each(Array.from({ length: 8 }, (_, seed) => seed + 1))(
    "leave out none that git ignores, seed %i",
    (seed) => {
      const random = createRandom(seed);
      let ignored = 0;
      for (let round = 0; round < 40; round += 1) {
        const place = random.pick([".gitignore", ".git/info/exclude", "a/.gitignore", "a/b/.gitignore"]);
        for (const folder of ["a", "a/b"]) mkdirSync(join(project.root, folder), { recursive: true });
        const rules = Array.from({ length: 1 + random.below(3) }, () => makeRule(random));
        writeFileSync(join(project.root, place), `${random.pick(["", "\uFEFF"])}${rules.join("\n")}`);
        const paths = Array.from({ length: 60 }, () => makePath(random)).filter(
          (path) => !path.split("/").some((part) => part === "." || part === ".."),
        );
        const byGit = listIgnored(paths);
        const own = openRules();
        const missed = paths.filter((path) => byGit.has(path) && !own.mayIgnore(toBytes(path)));
        expect({ rules, missed }).toStrictEqual({ rules, missed: [] });
        ignored += byGit.size - 1;
        writeFileSync(join(project.root, place), "");
      }
      expect(ignored).toBeGreaterThan(0);
    },
  );

  it("let the new files of usual projects pass, so that git need not be asked", () => {
    const rules = [
      "# dependencies",
      "node_modules/",
      "/dist",
      "*.log",
      ".env*",
      "!.env.example",
      "*.py[cod]",
      "__pycache__/",
      "build/**",
      "**/coverage/*",
      ".idea/*.xml",
      "target/debug",
      "",
    ];
    writeFileSync(join(project.root, ".gitignore"), rules.join("\n"));
    const own = openRules();
    const plain = [
      "src/new.ts",
      "README.de.md",
      "lib/tool.py",
      "docs/target.md",
      "edited-1.txt",
      "a/debug/x",
    ];
    expect(plain.filter((path) => own.mayIgnore(path))).toStrictEqual([]);
    const ignored = [
      "x/node_modules/a.js",
      "dist/a.js",
      "a.log",
      ".env.local",
      "lib/tool.pyc",
      "build/a/b.o",
    ];
    expect(ignored.filter((path) => !own.mayIgnore(path))).toStrictEqual([]);
  });

  it.each([
    ["a rule that matches everything", () => writeFileSync(join(project.root, ".gitignore"), "*\n")],
    ["a link", () => symlinkSync("elsewhere", join(project.root, ".gitignore"))],
    ["a folder", () => mkdirSync(join(project.root, ".gitignore"))],
    ["a large file", () => writeFileSync(join(project.root, ".gitignore"), "x\n".repeat(200_000))],
    ["a file with a zero", () => writeFileSync(join(project.root, ".gitignore"), "x\0y\n")],
    ["a folder of the repository", () => replaceExclude()],
  ])("leave every file to git where there is %s", (_, prepare) => {
    expect(openRules().mayIgnore("src/new.ts")).toBe(false);
    prepare();
    expect(openRules().mayIgnore("src/new.ts")).toBe(true);
  });

  it("leave every file to git where the user's own rules have no certain place", () => {
    const own = new IgnoreRules({ workTree: project.root, files: ["ignore"], patterns: [] });
    expect(own.mayIgnore("src/new.ts")).toBe(true);
  });
});

function replaceExclude(): void {
  rmSync(join(project.root, ".git/info/exclude"), { force: true });
  mkdirSync(join(project.root, ".git/info/exclude"), { recursive: true });
}
