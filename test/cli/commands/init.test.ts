import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles, temporaryFolder, temporaryRepository } from "../temporary-folder.ts";
import { json, run } from "./filled-repository.ts";

const bare = { environment: { PATH: "/nowhere" } };
const withGit = { environment: { PATH: "/usr/bin:/bin" } };

describe("ambit init", () => {
  it.each([[[]], [["--minimal"]], [["--agent", "claude"]], [["--minimal", "--agent", "claude"]]])(
    "with %j writes a valid configuration and explains it",
    async (words) => {
      const directory = temporaryRepository({ "package.json": '{"scripts":{"test":"vitest run"}}' });
      const { exitCode, stdout } = await run(directory, ["init", "--yes", ...words], bare);
      expect(exitCode).toBe(0);
      expect(stdout).toContain("✔ ");
      const text = readFileSync(join(directory, "ambit.yaml"), "utf8");
      const [, schema = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      expect(JSON.parse(readFileSync(join(directory, schema), "utf8"))).toMatchObject({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        properties: { verification: { type: "object" } },
      });
      expect(text).toContain("  test: npm test\n");
      expect((await run(directory, ["config", "check"])).exitCode).toBe(0);
      expect((await run(directory, ["config", "get", "verification.test"])).stdout).toBe("npm test");
      const agent = words.includes("--agent") ? "claude" : "null";
      expect((await run(directory, ["config", "get", "agents.default"])).stdout).toBe(agent);
    },
  );

  it("never overwrites an existing file, and does not treat one as a failure", async () => {
    const directory = temporaryRepository({ "ambit.yaml": "# mine\n" });
    const before = listFiles(directory);
    const { exitCode, stdout } = await run(directory, ["init", "--yes"], bare);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("already exists and was not changed");
    expect(await json(directory, ["init", "--yes"])).toMatchObject({
      written: false,
      note: "ambit.yaml is there already",
    });
    expect(listFiles(directory)).toStrictEqual(before);
  });

  it("explains without a terminal how to try the tests with the existing settings", async () => {
    const directory = temporaryRepository({ "ambit.yaml": "verification:\n  test: make check\n" });
    const { exitCode, stdout } = await run(directory, ["init"], bare);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("  try     ambit init --yes    runs `make check` here and in a workspace");
  });

  it("refuses a bare repository before it plans anything", async () => {
    const directory = temporaryFolder();
    execFileSync("git", ["init", "--quiet", "--bare", directory]);
    for (const words of [[], ["--yes"], ["--dry-run"]]) {
      const { exitCode, stdout, stderr } = await run(directory, ["init", ...words], withGit);
      expect([exitCode, stdout]).toStrictEqual([6, ""]);
      expect(stderr).toContain("is a bare repository");
      expect(stderr).not.toContain("writes");
    }
  });

  it("--dry-run shows the configuration and writes nothing", async () => {
    const directory = temporaryRepository({ "go.mod": "module x\n" });
    const before = listFiles(directory);
    const { exitCode, stdout } = await run(directory, ["init", "--dry-run"], bare);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("languages  Go\n");
    expect(stdout).toContain("  test: go test ./...\n".trimEnd());
    expect(stdout).toContain("Nothing was written.");
    expect(listFiles(directory)).toStrictEqual(before);
  });

  it("asks one question on a terminal, and needs --yes elsewhere", async () => {
    const directory = temporaryRepository();
    const no = await run(directory, ["init"], { ...bare, input: "\n", isTty: true });
    expect(no).toMatchObject({ exitCode: 1, stdout: "Nothing was written." });
    const nobody = await run(directory, ["init"], bare);
    expect(nobody.exitCode).toBe(2);
    expect(nobody.stderr).toContain("Add --yes");
    expect(existsSync(join(directory, "ambit.yaml"))).toBe(false);
    const yes = await run(directory, ["init"], { ...bare, input: "Yes\n", isTty: true });
    expect(yes.exitCode).toBe(0);
    expect(yes.stderr.match(/\?/g)).toHaveLength(1);
    expect(existsSync(join(directory, "ambit.yaml"))).toBe(true);
  });

  it.each([
    [{ "package.json": '{"scripts":{"test":"x"}}', "pnpm-lock.yaml": "" }, "pnpm test", ["JavaScript"]],
    [
      { "package.json": '{"scripts":{"test":"x"}}', "yarn.lock": "", "tsconfig.json": "{}" },
      "yarn test",
      ["TypeScript", "JavaScript"],
    ],
    [
      { "package.json": '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
      null,
      ["JavaScript"],
    ],
    [
      { "package.json": "not json", Makefile: "all:\n\techo\ntest: all\n\tcc\n" },
      "make test",
      ["JavaScript"],
    ],
    [{ Makefile: "test := 1\n" }, null, []],
    [{ "Cargo.toml": "" }, "cargo test", ["Rust"]],
    [{ "go.mod": "" }, "go test ./...", ["Go"]],
    [{ "pyproject.toml": "[tool.pytest.ini_options]\n" }, "pytest", ["Python"]],
    [{ "pyproject.toml": "[project]\n" }, null, ["Python"]],
    [{ "pytest.ini": "" }, "pytest", []],
    [{ "tests/conftest.py": "", "setup.py": "" }, "pytest", ["Python"]],
    [{ "pom.xml": "" }, "mvn test", ["Java"]],
    [{ "pom.xml": "", mvnw: "" }, "./mvnw test", ["Java"]],
    [{ "build.gradle.kts": "" }, "gradle test", ["Java"]],
    [{ "build.gradle": "", gradlew: "" }, "./gradlew test", ["Java"]],
    [{ Makefile: "check:\n\tcc\n" }, "make check", []],
    [{ "Cargo.toml": "[workspace]\nmembers = []\n" }, "cargo test --workspace", ["Rust"]],
    [{ "go.work": "" }, "go list -f '{{.Dir}}/...' -m | xargs go test", ["Go"]],
    [
      { "package.json": '{"workspaces":["a"]}', "a/package.json": "{}" },
      "npm test --workspaces --if-present",
      ["JavaScript"],
    ],
    [
      { "package.json": "{}", "pnpm-workspace.yaml": "packages: [a]\n" },
      "pnpm --recursive --if-present test",
      ["JavaScript"],
    ],
    [
      { "package.json": '{"workspaces":["a"]}', "yarn.lock": "# yarn lockfile v1\n" },
      "yarn workspaces run test",
      ["JavaScript"],
    ],
    [
      { "package.json": '{"workspaces":["a"]}', "yarn.lock": "__metadata:\n" },
      "yarn workspaces foreach --all run test",
      ["JavaScript"],
    ],
    [{ "tox.ini": "[tox]\n", "setup.py": "" }, "tox", ["Python"]],
    [{ "tox.ini": "[pytest]\n", "setup.py": "" }, "pytest", ["Python"]],
    [{ "requirements-dev.txt": "pytest==8\n", "setup.py": "" }, "pytest", ["Python"]],
    [{ "pytest.ini": "", "uv.lock": "" }, "uv run pytest", []],
    [{ "pytest.ini": "", ".venv/bin/pytest": "" }, ".venv/bin/pytest", []],
    [{ "setup.py": "", "tests/test_a.py": "" }, "python3 -m unittest discover -s tests", ["Python"]],
    [{ "setup.py": "", "tests/test_a.py": "import os\n\ndef test_a():\n    pass\n" }, "pytest", ["Python"]],
    [
      { "setup.py": "", "test/test_a.py": "from unittest import main\ndef test_a(): pass\n" },
      "python3 -m unittest discover -s test",
      ["Python"],
    ],
    [
      { "setup.py": "", "tests/test_a.py": "", "tests/__init__.py": "" },
      "python3 -m unittest discover",
      ["Python"],
    ],
    [{}, null, []],
  ])("detects %j", async (files, test, languages) => {
    const { stdout } = await run(temporaryRepository(files), ["init", "--dry-run", "--json"], bare);
    expect(JSON.parse(stdout)).toMatchObject({ test, languages, written: false });
  });

  it("finds agent programs with their versions, and does not wait for one that hangs", async () => {
    const programs = temporaryFolder({
      claude: "#!/bin/sh\necho '2.1.325 (Claude Code)'\n",
      codex: "#!/bin/sh\nexit 3\n",
      gemini: "#!/bin/sh\nexec /bin/sleep 60\n",
      opencode: "not executable",
    });
    for (const name of ["claude", "codex", "gemini"]) chmodSync(join(programs, name), 0o755);
    const started = performance.now();
    const { stdout } = await run(temporaryRepository(), ["init", "--dry-run", "--json"], {
      environment: { PATH: programs },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      agents: [
        { name: "claude", version: "2.1.325" },
        { name: "codex", version: null },
        { name: "gemini", version: null },
      ],
      default_agent: "claude",
      content: expect.stringContaining("claude 2.1.325, codex, gemini"),
    });
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it("shows and then writes an agent for the installed program, and never overwrites one", async () => {
    const programs = temporaryFolder({ codex: "#!/bin/sh\necho codex-cli 0.166.0\n" });
    chmodSync(join(programs, "codex"), 0o755);
    const environment = { PATH: `${programs}:/usr/bin:/bin` };
    const directory = temporaryRepository();
    const file = join(directory, ".ambit/agents/codex.md");
    const dry = await run(directory, ["init", "--dry-run"], { environment });
    expect(dry.stdout).toContain("writes .ambit/agents/codex.md\n");
    expect(dry.stdout).toContain("  adapter: codex\n");
    expect(existsSync(file)).toBe(false);
    const { exitCode, stdout } = await run(directory, ["init", "--yes"], { environment });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(".ambit/agents/codex.md is written");
    expect((await run(directory, ["config", "get", "agents.default"])).stdout).toBe("codex");
    const shown = await run(directory, ["agents", "show", "codex", "--json"], { environment });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      adapter: "codex",
      default: true,
      file: ".ambit/agents/codex.md",
      program: { version: "0.166.0", installed: true },
    });
    const other = temporaryRepository({ ".ambit/agents/codex.md": "---\nadapter: command\n---\nMine.\n" });
    await run(other, ["init", "--yes"], { environment });
    expect(readFileSync(join(other, ".ambit/agents/codex.md"), "utf8")).toContain("Mine.");
  });

  it("uses the project's agent if there is exactly one, and none of several", async () => {
    const one = temporaryRepository({ ".ambit/agents/builder.md": "---\nadapter: command\n---\n" });
    expect(await json(one, ["init", "--dry-run"])).toMatchObject({ default_agent: "builder" });
    const two = temporaryRepository({ ".ambit/agents/a.md": "", ".ambit/agents/b.md": "" });
    expect(await json(two, ["init", "--dry-run"])).toMatchObject({ default_agent: null });
  });

  it("warns about an agent that is neither defined nor installed, and refuses an invalid name", async () => {
    const directory = temporaryRepository();
    const { stderr } = await run(directory, ["init", "--dry-run", "--agent", "builder"], bare);
    expect(stderr).toContain("write .ambit/agents/builder.md");
    const missing = await run(directory, ["init", "--dry-run", "--agent", "claude"], bare);
    expect(missing.stderr).toContain("claude is not installed");
    const refused = await run(directory, ["init", "--yes", "--agent", "../x"], bare);
    expect(refused.exitCode).toBe(2);
    expect(existsSync(join(directory, "ambit.yaml"))).toBe(false);
  });

  it("names the project's own agents instead of a sample that it does not write", async () => {
    const agent = "---\ndescription: d\nadapter: command\ncommand: [true]\n---\nWork.\n";
    const directory = temporaryRepository({
      ".ambit/agents/one.md": agent,
      ".ambit/agents/two.md": agent,
    });
    const { stdout, stderr } = await run(directory, ["init", "--yes"], bare);
    expect(stderr).toContain("of this project: one, two");
    expect(stderr).not.toContain("sample");
    expect(stdout).toContain('  next  ambit run "What is to be done" --agent one');
  });

  it("says before the next command what is missing for it, such as a first commit", async () => {
    const { stdout } = await run(temporaryRepository(), ["init", "--yes"], withGit);
    expect(stdout).toMatch(/\n {2}first {2}Make a first commit: .+\n {2}next {2}/);
  });

  it("writes nothing into a bare repository", async () => {
    const directory = temporaryFolder();
    execFileSync("git", ["init", "--quiet", "--bare", directory]);
    const { exitCode, stderr } = await run(directory, ["init", "--yes"], withGit);
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining("BARE_REPOSITORY")]);
    expect(existsSync(join(directory, "ambit.yaml"))).toBe(false);
  });

  it("is refused outside a repository with exit 6", async () => {
    const { exitCode, stderr } = await run(temporaryFolder(), ["init", "--yes"], bare);
    expect(exitCode).toBe(6);
    expect(stderr).toContain("NOT_A_REPOSITORY");
  });
});
