import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentSettingsPaths as agentSettings } from "../../src/agents/agent-programs.ts";
import { checkScope, judgeChanges, type ChangedFile, type ScopeReport } from "../../src/workspace/scope.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

let project: TemporaryRepository;

async function makeProject(): Promise<void> {
  project = await makeRepository({
    "src/a.txt": "a\n",
    "src/old.sh": "#!/bin/sh\n",
    "package.json": '{"name":"x","scripts":{"test":"true"}}\n',
    Makefile: "all:\n",
  });
}

/** Commits what `change` does to the checkout and judges it. */
async function judge(change: () => void, fileScope: readonly string[] = []): Promise<ScopeReport> {
  const base = project.git("rev-parse", "HEAD").trim();
  change();
  project.git("add", "-A");
  project.git("commit", "-qm", "Change");
  const tip = project.git("rev-parse", "HEAD").trim();
  return checkScope(project.repository, { base, tip, fileScope, agentSettings });
}

function changed(path: string, newMode = "100644"): ChangedFile {
  const bytes = Buffer.from(path);
  return { path, bytes, kind: "added", oldMode: "000000", newMode, oldId: "", newId: "" };
}

function outside(fileScope: readonly string[], path: string): boolean {
  const facts = { changes: [changed(path)], twins: [], scripts: [], fileScope, agentSettings };
  return judgeChanges(facts).outsideScope.length === 1;
}

describe("the scope of a delegation", () => {
  beforeEach(makeProject);
  afterEach(() => project.remove());

  it("is clear if every change lies inside it", async () => {
    const report = await judge(() => project.write("src/new/b.txt", "b\n"), ["src/**"]);
    expect(report).toMatchObject({ isClear: true, outsideScope: [], sensitive: [], modes: [], twins: [] });
    expect(report.filesChanged.map(({ path }) => path)).toStrictEqual(["src/new/b.txt"]);
  });

  it("names changes, additions and removals outside it", async () => {
    const report = await judge(() => {
      project.write("docs/x.md", "x\n");
      project.git("rm", "-q", "src/old.sh");
      project.write("src/a.txt", "changed\n");
    }, ["src/*.txt"]);
    expect(report.outsideScope).toStrictEqual(["docs/x.md", "src/old.sh"]);
    expect(report.isClear).toBe(false);
  });
});

describe("scope patterns", () => {
  it.each([
    [["src/**"], "src/deep/er/x.ts", false],
    [["src/**"], "src2/x.ts", true],
    [["src"], "src/x.ts", false],
    [["src/"], "src/x.ts", false],
    [["./src/*"], "src/x.ts", false],
    [["src/*"], "src/deep/x.ts", false],
    [["src/*.ts"], "src/deep/x.ts", true],
    [["**/*.test.ts"], "x.test.ts", false],
    [["**/*.test.ts"], "a/b/x.test.ts", false],
    [["a/**/z"], "a/z", false],
    [["a/**/z"], "a/b/c/z", false],
    [["a/**/z"], "a/b/c/y", true],
    [["{src,test}/**/*.{ts,tsx}"], "test/a/b.tsx", false],
    [["{src,test}/**/*.{ts,tsx}"], "docs/a/b.tsx", true],
    [["app/[slug]/page.tsx"], "app/[slug]/page.tsx", false],
    [["app/[slug]/page.tsx"], "app/s/page.tsx", true],
    [["src/**", "!src/secret/**"], "src/secret/key", true],
    [["src/**", "!src/secret/**"], "src/open/key", false],
    [["?.txt"], "a.txt", false],
    [["?.txt"], "ab.txt", true],
    [["*"], ".hidden", false],
    [["a{b,{c,d}e}"], "ade", false],
    [["a{b"], "a{b", false],
    [["../other/**"], "other/x", true],
  ] as const)("%j: %s is outside: %s", (fileScope, path, isOutside) => {
    expect(outside(fileScope, path)).toBe(isOutside);
  });

  it("judge any path without hanging or throwing, for any pattern", () => {
    const piece = fc.constantFrom("*", "**", "?", "a", "b", "/", "{", "}", ",", "!", "[", "]", ".", "\\");
    const text = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), text, (fileScope, path) => {
        expect(typeof outside(fileScope, path)).toBe("boolean");
      }),
    );
  });

  it("match a literal path with itself, and not with a longer one", () => {
    const name = fc.stringMatching(/^[a-z0-9._[\]-]{1,10}$/).filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (segments) => {
        const path = segments.join("/");
        expect(outside([path], path)).toBe(false);
        expect(outside([`${path}x`], path)).toBe(true);
      }),
    );
  });

  it("are fast even if they are made to be slow", () => {
    const start = performance.now();
    expect(outside([`${"**/a*".repeat(100)}/b`], `${"a".repeat(200)}/`.repeat(100))).toBe(true);
    expect(outside(["{a,b}".repeat(200)], "a".repeat(200))).toBe(true);
    expect(outside(["{".repeat(5000)], "x")).toBe(true);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe("changes that need consent", () => {
  beforeEach(makeProject);
  afterEach(() => project.remove());

  it("are changes to files that control other programs", async () => {
    const names = [
      ".gitattributes",
      ".gitmodules",
      ".husky/pre-commit",
      ".github/workflows/ci.yml",
      ".gitlab-ci.yml",
      ".vscode/tasks.json",
      ".claude/settings.json",
      ".codex/config.toml",
      "sub/.mcp.json",
      "AGENTS.md",
      "sub/CLAUDE.md",
      ".envrc",
      "sub/.npmrc",
      "package-lock.json",
      "Cargo.lock",
      "makefile",
      "Dockerfile.dev",
      "ambit.yaml",
      ".worktreeinclude",
    ];
    const report = await judge(() => {
      for (const name of names) project.write(name, "x\n");
    });
    expect(report.sensitive.map(({ path }) => path).toSorted()).toStrictEqual(names.toSorted());
  });

  it("are package scripts, but not other fields of package.json", async () => {
    const harmless = await judge(() =>
      project.write("package.json", '{"name":"y","scripts":{"test":"true"}}\n'),
    );
    expect(harmless.isClear).toBe(true);
    const harmful = await judge(() =>
      project.write("package.json", '{"name":"y","scripts":{"test":"true","postinstall":"evil"}}\n'),
    );
    expect(harmful.sensitive).toStrictEqual([{ path: "package.json", reason: "package-scripts" }]);
    const broken = await judge(() => project.write("sub/package.json", "{"));
    expect(broken.sensitive).toStrictEqual([{ path: "sub/package.json", reason: "package-scripts" }]);
  });

  it("are links, gitlinks and new executable bits", async () => {
    const report = await judge(() => {
      symlinkSync("/etc/passwd", join(project.root, "link"));
      chmodSync(join(project.root, "src/old.sh"), 0o755);
      mkdirSync(join(project.root, "nested"));
      execFileSync("git", ["init", "-q"], { cwd: join(project.root, "nested") });
      execFileSync(
        "git",
        ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x", "--allow-empty"],
        {
          cwd: join(project.root, "nested"),
        },
      );
    });
    expect(report.modes).toStrictEqual([
      { path: "link", change: "link" },
      { path: "nested", change: "gitlink" },
      { path: "src/old.sh", change: "executable" },
    ]);
  });

  it("are names that only differ by case or accent form", async () => {
    const report = await judge(() => {
      project.write("SRC/b.txt", "x\n");
      project.write("src/A.txt", "x\n");
      project.write("caf\u00e9", "x\n");
      project.write("cafe\u0301", "x\n");
      project.write("plain", "x\n");
    });
    const spellings = report.twins.map((pair) => pair.toSorted().join(" "));
    expect(spellings.toSorted()).toStrictEqual(["SRC src", "cafe\u0301 caf\u00e9", "src/A.txt src/a.txt"]);
  });

  it("are such names in folders that are not UTF-8 or have a line break", async () => {
    const report = await judge(() => {
      const folder = (last: string): Buffer =>
        Buffer.concat([Buffer.from(`${project.root}/`), Buffer.from([0xff]), Buffer.from(last)]);
      mkdirSync(folder(""));
      for (const name of ["/x", "/X"]) writeFileSync(folder(name), "x");
      for (const name of ["y", "Y"]) project.write(`a\nb/${name}`, "y\n");
    });
    const spellings = report.twins.map((pair) => pair.toSorted().join(" "));
    expect(spellings.toSorted()).toStrictEqual(['"\\377/X" "\\377/x"', "a\nb/Y a\nb/y"]);
  });

  it("are trees with a .git inside, however it is spelled", async () => {
    const base = project.git("rev-parse", "HEAD").trim();
    const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], {
      cwd: project.root,
      input: "x",
      encoding: "utf8",
    }).trim();
    const spellings = [
      ".git",
      ".GIT",
      "git~1",
      ".git ",
      ".git.",
      ".gi\u200ct",
      ".git::$INDEX_ALLOCATION",
      "x\\.git",
    ];
    for (const spelling of spellings) {
      const tree = execFileSync("git", ["mktree"], {
        cwd: project.root,
        input: `100644 blob ${blob}\t${spelling}\n`,
        encoding: "utf8",
      }).trim();
      const tip = project.git("commit-tree", "-p", base, "-m", "x", tree).trim();
      const report = await checkScope(project.repository, { base, tip, fileScope: [], agentSettings });
      expect(report.gitNames, spelling).toStrictEqual([spelling]);
    }
  });

  it("are found in names that are not UTF-8", async () => {
    const report = await judge(() => {
      const folder = Buffer.concat([Buffer.from(`${project.root}/`), Buffer.from([0xff])]);
      mkdirSync(folder);
      writeFileSync(Buffer.concat([folder, Buffer.from("/Makefile")]), "x");
    });
    expect(report.filesChanged[0]?.path).toBe('"\\377/Makefile"');
  });
});
