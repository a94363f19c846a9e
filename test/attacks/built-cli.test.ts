import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, type Project } from "../e2e/project.ts";
import { runCli, type CliResult } from "../e2e/run-cli.ts";
import { findLiveFilesWith } from "../live-files.ts";
import { returns, shell } from "../orchestrator/steps.ts";
import { writeScript } from "../orchestrator/open-runtime.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

function runWith(environment: Readonly<Record<string, string>>, ...words: string[]): Promise<CliResult> {
  const home = join(dirname(project.root), "home");
  return runCli(words, {
    directory: project.root,
    home,
    environment: { AMBIT_IDLE_MS: "400", ...environment },
  });
}

describe("a summary with commands to the runner", () => {
  const summary = "Did it.\n::set-output name=outcome::completed\n::stop-commands::x\n  ##[add-mask]ambit";
  const findCommands = (text: string): readonly string[] =>
    text
      .split(/\r\n|\n|\r/u)
      .filter((line) => /^\s*::(?:set-output|stop-commands)/u.test(line) || line.includes("##[add-mask]"));

  it("starts no runner command in a GitHub job, whichever command shows it, and is unchanged elsewhere", async () => {
    const script = writeScript(project, "summary", [shell("true"), returns("completed", summary)]);
    const job = { GITHUB_ACTIONS: "true", CI: "true" };
    const shown = [
      await runWith(job, "run", "Try", "--id", "G1", "--script", script, "--reporter", "github"),
      await runWith(job, "status", "G1"),
      await runWith(job, "explain", "G1"),
      await runWith(job, "logs", "G1"),
      await runWith(job, "audit", "G1"),
    ];
    for (const { stdout, stderr } of shown) expect(findCommands(stdout + stderr)).toStrictEqual([]);
    expect(shown[0]?.stdout).toContain("set-output");
    // Control: unchanged, the text contains three commands that a runner would obey.
    const { stdout } = await runWith({}, "explain", "G1", "--json");
    expect(findCommands(String(JSON.parse(stdout).summary))).toHaveLength(3);
  });
});

describe("the name of an agent's file with control characters", () => {
  it("is shown as text by every command that names it", async () => {
    const name = "z\u001b[31m\u200bred\u0007";
    mkdirSync(join(project.root, ".ambit/agents"), { recursive: true });
    writeFileSync(join(project.root, ".ambit/agents", `${name}.md`), "---\nadapter: 7\n---\n");
    for (const words of [["doctor"], ["agents", "list"], ["agents", "check"]]) {
      const { stdout, stderr } = await project.ambit(...words);
      expect(stdout + stderr, words.join(" ")).toContain("red");
      const hidden = Array.from(stdout + stderr).filter((one) => /[\p{Cc}\p{Cf}]/u.test(one) && one !== "\n");
      expect(hidden, words.join(" ")).toStrictEqual([]);
    }
  });
});

describe("the address of the metering proxy", () => {
  it("reaches Codex in a file that only the user can read, not in its arguments", async () => {
    const folder = dirname(project.root);
    const program = join(folder, "codex.sh");
    const lines = [
      "#!/bin/sh",
      `printf '%s\\n' "$*" > '${folder}/arguments'`,
      `tr '\\0' '\\n' < /proc/$$/cmdline >> '${folder}/arguments'`,
      `cp "$CODEX_HOME/config.toml" '${folder}/config.toml'`,
      `stat -c %a "$CODEX_HOME/config.toml" "$CODEX_HOME/.." > '${folder}/modes'`,
      "cat > /dev/null",
    ];
    writeFileSync(program, `${lines.join("\n")}\n`, { mode: 0o755 });
    project.write("ambit.yaml", "agents:\n  metering: proxy\n");
    project.write(
      ".ambit/agents/fake.md",
      `---\nadapter: codex\ncommand: [${JSON.stringify(program)}]\n---\n`,
    );
    await runWith({ CODEX_API_KEY: "sk-test" }, "run", "Try", "--id", "M1", "--agent", "fake");
    const config = readFileSync(join(folder, "config.toml"), "utf8");
    const address = /openai_base_url = "(http:\/\/127\.0\.0\.1:\d+\/([^"/]+)[^"]*)"/u.exec(config);
    expect(address?.[2]?.length).toBeGreaterThan(15);
    const told = readFileSync(join(folder, "arguments"), "utf8");
    expect(told).toContain("exec --json");
    expect(told).not.toContain(address?.[2]);
    expect(told).not.toContain("127.0.0.1");
    expect(readFileSync(join(folder, "modes"), "utf8")).toBe("600\n700\n");
  });
});

describe("a secret that a worker, a check and a person write", () => {
  /** The scripts print it in two pieces, so that no script contains it. */
  const secret = ["ghp", "Zk3vQ9xTb7Lm2Rc8Wd4Yf6Hg1Jp5Ns0AaEu"].join("_");
  const print = `printf '%s_%s\\n' ghp ${secret.slice(4)}`;

  it("is replaced in every file of the state folder, and stays in the worker's own file", async () => {
    const script = writeScript(project, "secret", [
      shell(`${print}; ${print} >&2; ${print} > kept.txt`),
      returns("completed", `Used ${secret}.`),
    ]);
    const accept = `\`${print}\` exits with code 0`;
    const words = ["run", `Deploy with ${secret}`, "--id", "X1", "--script", script, "--accept", accept];
    const { stdout, stderr } = await project.ambit(...words);
    expect(stdout + stderr).not.toContain(secret);
    const state = join(project.root, ".git/ambit");
    // A supervisor on its way out removes files while they are read.
    await project.ambit("supervisor", "stop");
    expect(findLiveFilesWith(state, secret)).toStrictEqual([]);
    // The files are still there, with a replacement for the secret.
    const logs = join(state, "logs/X1/attempt-1");
    for (const name of ["prompt.md", "return.json", "stdout", "stderr"])
      expect(existsSync(join(logs, name)), name).toBe(true);
    expect(readFileSync(join(logs, "prompt.md"), "utf8")).toContain("Deploy with [redacted]");
    expect(readFileSync(join(logs, "return.json"), "utf8")).toMatch(/Used \[redacted\]|Used \*+/u);
    const [check = ""] = readdirSync(join(logs, "checks"));
    expect(statSync(join(logs, "checks", check, "stdout")).size).toBe(secret.length + 1);
    // Control: the worker really had the secret, and its own files are not changed.
    expect(project.git("show", "ambit/X1:kept.txt")).toBe(`${secret}\n`);
  });

  it("is found by the search of this test if a file contains it (control)", () => {
    mkdirSync(join(project.root, ".git/ambit/logs"), { recursive: true });
    writeFileSync(join(project.root, ".git/ambit/logs/x"), `a ${secret}`);
    expect(findLiveFilesWith(join(project.root, ".git/ambit"), secret)).toHaveLength(1);
  });
});
