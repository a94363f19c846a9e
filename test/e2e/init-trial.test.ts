import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";
import { runCli } from "./run-cli.ts";

let project: Project;

beforeEach(() => {
  project = makeProject();
  rmSync(join(project.root, "ambit.yaml"));
});

afterEach(async () => {
  await project.remove();
});

const init = (environment: Readonly<Record<string, string>> = {}, ...words: string[]) =>
  runCli(["init", "--yes", "--json", ...words], {
    directory: project.root,
    home: join(dirname(project.root), "home"),
    environment,
  });

/** A test script that says what it misses. */
function writeTests(script: string, ignored: string): void {
  project.write("package.json", JSON.stringify({ name: "app", scripts: { test: "sh test.sh" } }));
  project.write("test.sh", script);
  project.write(".gitignore", ignored);
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "tests");
}

const NOTHING = { include: [], setup: null, pass: [] };

describe("ambit init in a project with tests", () => {
  it("says that a fresh workspace has everything they need, and leaves no trace of the trial", async () => {
    writeTests("test -f a.txt\n", "node_modules/\n");
    project.write("b.txt", "uncommitted\n");
    const before = project.git("for-each-ref");
    const answer = JSON.parse((await init()).stdout);
    expect(answer).toMatchObject({ written: true, trial: { status: "equal", tried: [], settings: NOTHING } });
    expect(answer.trial.home).toMatchObject({ verdict: "passed", exit_code: 0 });
    expect(readFileSync(join(project.root, "ambit.yaml"), "utf8")).not.toContain("workspace:");
    expect(existsSync(`${project.root}.worktrees`)).toBe(false);
    expect(project.git("for-each-ref")).toBe(before);
    expect(project.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  it("keeps the output of tests that fail here, too, and says where it is", async () => {
    writeTests("echo 'not today'; exit 1\n", "node_modules/\n");
    const { trial } = JSON.parse((await init()).stdout);
    expect(trial).toMatchObject({ status: "equal", home: { verdict: "failed" } });
    const [, log = ""] = /Log: (.+)/.exec(trial.home.evidence) ?? [];
    expect(readFileSync(log, "utf8")).toContain("not today");
  });

  it("finds the ignored files and variables they need, and writes only those", async () => {
    writeTests(
      '. ./.env && test "$KEY" = 1 && test -f dist/index.js && test "$DATABASE_URL" = local\n',
      ".env\ndist/\njunk/\n*.bin\n",
    );
    project.write(".env", "KEY=1\n");
    project.write("dist/index.js", "1\n");
    project.write("junk/1", "1\n");
    project.write("x.bin", "1\n");
    const answer = JSON.parse((await init({ DATABASE_URL: "local", OTHER_URL: "x" })).stdout);
    const settings = { include: [".env", "dist/"], setup: null, pass: ["DATABASE_URL"] };
    expect(answer.trial).toMatchObject({
      status: "mended",
      home: { verdict: "passed" },
      workspace: { verdict: "failed" },
      settings,
    });
    expect(answer.trial.tried).toContainEqual(expect.objectContaining({ settings, equal: true }));
    const words = ["run", "Do it", "--id", "S1", "--check", "npm test", "--env", "DATABASE_URL=local"];
    const run = await project.ambit(...words, "--json", "--", "touch", "made.txt");
    expect(run.status).toBe(0);
    expect((await project.json("verify", "S1"))["criteria"]).toMatchObject([{ meaning: "no-regression" }]);
  });

  it("names what an existing ambit.yaml lacks, and does not change it", async () => {
    writeTests(
      '. ./.env && test -f made && test -f dist/index.js && test "$KEY" = 1\n',
      ".env\ndist/\nmade\n",
    );
    project.write(".env", "KEY=1\n");
    project.write("dist/index.js", "1\n");
    project.write("made", "1\n");
    const own =
      "# mine\nverification:\n  test: npm test\nworkspace:\n  include: [.env]\n  setup: touch made\n";
    project.write("ambit.yaml", own);
    const answer = JSON.parse((await init()).stdout);
    expect(answer).toMatchObject({
      written: false,
      trial: { status: "mended", settings: { include: ["dist/"] } },
    });
    expect(answer.lacks).toEqual([{ key: "workspace.include", value: ".env,dist/" }]);
    expect(readFileSync(join(project.root, "ambit.yaml"), "utf8")).toBe(own);
    const [{ key, value }] = answer.lacks;
    expect((await project.ambit("config", "set", key, value)).status).toBe(0);
    expect(JSON.parse((await init()).stdout)).toMatchObject({ trial: { status: "equal" }, lacks: [] });
  });

  it("names the differences if no setting helps, and says if the tests fail here, too", async () => {
    writeTests(`test -f ${join(project.root, ".git/HEAD")} && test -d .git\n`, "");
    const different = JSON.parse((await init()).stdout);
    expect(different).toMatchObject({ written: true, trial: { status: "different", settings: NOTHING } });
    rmSync(join(project.root, "ambit.yaml"));
    project.write("test.sh", "echo 'not ok 1 - broken'; exit 1\n");
    const broken = JSON.parse((await init()).stdout);
    expect(broken.trial).toMatchObject({ status: "equal", tried: [], home: { failing: ["broken"] } });
  });

  it("checks submodules out", async () => {
    const library = join(dirname(project.root), "library");
    project.git("init", "--quiet", library);
    project.git("-C", library, "commit", "--quiet", "--allow-empty", "-m", "none");
    project.write("../library/lib.txt", "1\n");
    project.git("-C", library, "add", "-A");
    project.git("-C", library, "commit", "--quiet", "-m", "lib");
    project.git("-c", "protocol.file.allow=always", "submodule", "add", "--quiet", library, "lib");
    writeTests("cat lib/lib.txt\n", "");
    const allow = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "protocol.file.allow",
      GIT_CONFIG_VALUE_0: "always",
    };
    project.write("../home/.gitconfig", '[protocol "file"]\n\tallow = always\n');
    const answer = JSON.parse((await init(allow)).stdout);
    expect(answer.trial).toMatchObject({ status: "mended", settings: { include: [], pass: [] } });
    expect(answer.trial.settings.setup).toContain("git submodule update --init");
  });

  it("runs nothing with --no-try, with --dry-run, or in a project that is not trusted", async () => {
    const mark = join(dirname(project.root), "ran");
    writeTests(`touch ${mark}\n`, "");
    expect(JSON.parse((await init({}, "--dry-run")).stdout).trial).toBeNull();
    expect(JSON.parse((await init({}, "--no-try")).stdout).trial).toBeNull();
    rmSync(join(project.root, "ambit.yaml"));
    project.write(".ambit/agents/evil.md", "---\nadapter: command\ncommand: [sh, evil.sh]\n---\n");
    expect(JSON.parse((await init({ AMBIT_TRUST: "" })).stdout).trial).toMatchObject({ status: "not-run" });
    expect(existsSync(mark)).toBe(false);
    // Control: the same project, trusted.
    rmSync(join(project.root, "ambit.yaml"));
    expect(JSON.parse((await init()).stdout).trial).toMatchObject({ status: "equal" });
    expect(existsSync(mark)).toBe(true);
  });
});
