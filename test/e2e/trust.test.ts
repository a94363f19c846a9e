import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ChildProcess } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, until, type Project } from "./project.ts";
import { runCli, type CliResult } from "./run-cli.ts";

let project: Project;

beforeEach(() => {
  project = makeProject({ AMBIT_TRUST: "" });
  project.write("ambit.yaml", `workspace:\n  setup: touch ${mark()}\n`);
});
afterEach(() => project.remove());

const mark = (): string => join(dirname(project.root), "ran");
const home = (): string => join(dirname(project.root), "home");

/** Answers the question in a terminal; returns all that was shown. */
async function answer(word: string, ...words: string[]): Promise<string> {
  const child = project.start("terminal", ...words);
  const text = readAll(child);
  await until("it asks", () => text().includes("[y/N]"));
  child.stdin?.write(`${word}\n`);
  await until("it has ended", () => child.exitCode !== null);
  return text();
}

function readAll(child: ChildProcess): () => string {
  let text = "";
  child.stdout?.on("data", (chunk) => (text += String(chunk)));
  return () => text;
}

describe("ambit in a project that names a command", () => {
  it("asks once in a terminal, shows later differences, and respects a rejection", async () => {
    const asked = await answer("y", "run", "Do it", "--", "true");
    expect(asked).toContain("This project names things that would run on your machine:");
    expect(asked).toMatch(/ambit\.yaml +workspace\.setup +touch /);
    expect(existsSync(mark())).toBe(true);
    expect((await project.ambit("run", "Do it again", "--", "true")).stderr).not.toContain(
      "PROJECT_NOT_TRUSTED",
    );

    project.write("ambit.yaml", "workspace:\n  setup: touch \u001b[31mother\n");
    const again = await answer("n", "run", "Do it", "--yes", "--", "true");
    expect(again).toContain("changed since you trusted it");
    expect(again).toContain(`- touch ${mark()}`);
    expect(again).toContain(String.raw`+ touch \u{1b}[31mother`);
    expect(again).toContain("you did not trust this project");
  });

  it.each([["--no-input"], ["--quiet"], ["--yes"]])(
    "refuses without a terminal, also with %s",
    async (flag) => {
      const { status, stderr } = await project.ambit("run", "Do it", flag, "--", "true");
      expect(status).toBe(2);
      expect(stderr).toContain("PROJECT_NOT_TRUSTED");
      expect(stderr).toContain(`ambit.yaml workspace.setup: touch ${mark()}`);
      expect(existsSync(mark())).toBe(false);
    },
  );

  it("runs after ambit trust, which needs --yes without a terminal, and not after --revoke", async () => {
    expect((await project.ambit("trust")).status).toBe(2);
    expect(await project.json("trust", "--show")).toMatchObject({
      state: "unknown",
      trusted: false,
      items: [{ file: "ambit.yaml", field: "workspace.setup" }],
    });
    expect((await project.ambit("trust", "--yes")).stdout).toContain("You trust");
    const file = join(home(), ".config/ambit/trust.json");
    expect(JSON.parse(readFileSync(file, "utf8")).projects).toHaveProperty([join(project.root, ".git")]);
    expect((await project.ambit("run", "Do it", "--", "true")).stderr).not.toContain("PROJECT_NOT_TRUSTED");
    expect((await project.ambit("trust", "--revoke")).stdout).toContain("forgotten");
    expect((await project.ambit("run", "Do it", "--", "true")).stderr).toContain("PROJECT_NOT_TRUSTED");
  });

  it("is allowed by AMBIT_TRUST=1 for that command only", async () => {
    const call = {
      directory: project.root,
      home: home(),
      environment: { AMBIT_IDLE_MS: "400", AMBIT_TRUST: "1" },
    };
    const allowed: CliResult = await runCli(["run", "Do it", "--", "true"], call);
    expect(allowed.stderr).not.toContain("PROJECT_NOT_TRUSTED");
    expect(existsSync(mark())).toBe(true);
    expect((await project.ambit("run", "Do it", "--", "true")).stderr).toContain("PROJECT_NOT_TRUSTED");
  });

  it("needs no question after ambit init, nor if it names no command", async () => {
    project.git("rm", "--quiet", "--force", "ambit.yaml");
    expect((await project.ambit("run", "Do it", "--", "true")).stderr).not.toContain("PROJECT_NOT_TRUSTED");
    project.write("package.json", '{ "scripts": { "test": "node test.js" } }');
    expect((await project.ambit("init", "--yes")).stdout).toContain("is written");
    expect(await project.json("trust", "--show")).toMatchObject({
      state: "trusted",
      // The sample agent that init writes is trusted, too, because the person ran init.
      items: [
        { field: "verification.test", text: "npm test" },
        { file: ".ambit/agents/sample.md" },
        { file: ".ambit/agents/sample.sh" },
      ],
    });
    expect((await project.ambit("run", "Do it", "--", "true")).stderr).not.toContain("PROJECT_NOT_TRUSTED");
  });

  it("does not ask about the project's own programs, agents and settings to read them", async () => {
    for (const words of [
      ["status"],
      ["agents", "check"],
      ["doctor"],
      ["run", "Do it", "--dry-run", "--agent", "claude"],
    ])
      expect((await project.ambit(...words)).stderr).not.toContain("PROJECT_NOT_TRUSTED");
    expect((await project.ambit("doctor")).stdout).toContain("ambit trust --show");
  });
});
