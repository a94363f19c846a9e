import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, temporaryRepository } from "../temporary-folder.ts";
import { run } from "./filled-repository.ts";

const files = {
  "ambit.yaml": "agents:\n  default: builder\n",
  ".ambit/agents/builder.md":
    "---\nadapter: command\ncommand: [sh, -c, true]\ndescription: Builds\n---\nBuild.\n",
  ".claude/agents/reviewer.md":
    "---\nname: reviewer\ndescription: Use it: always\ntools: Read, Grep\nmodel: sonnet\nmaxTurns: 4\n---\nYou review.\n",
  ".claude/agents/builder.md": "---\nname: builder\ndescription: x\n---\n",
};

/** A machine with these programs and nothing else but a shell. */
function machine(programs: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, answer] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${answer}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { environment: { PATH: `${folder}:/usr/bin:/bin`, HOME: temporaryFolder() } };
}

const json = async (directory: string, words: readonly string[], where: object) =>
  JSON.parse((await run(directory, [...words, "--json"], where)).stdout);

describe("ambit agents", () => {
  it("lists every agent with its source, its program, and the definitions it hides", async () => {
    const directory = temporaryRepository(files);
    const where = machine({ claude: "echo '2.1.325 (Claude Code)'" });
    const { exitCode, stdout } = await run(directory, ["agents", "list"], where);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^builder \(default\) +command +- +installed.* +\.ambit\/agents\/builder\.md$/m);
    expect(stdout).toMatch(/^reviewer +claude +sonnet +2\.1\.325.* \.claude\/agents\/reviewer\.md$/m);
    expect(stdout).toContain(".claude/agents/builder.md (hidden by .ambit/agents/builder.md)");
    expect(stdout).toMatch(/^codex +codex +- +not installed +built in$/m);
    const listed = await json(directory, ["agents", "list"], where);
    expect(listed).toMatchObject({ schema: "ambit/v1", default: "builder" });
    expect(listed.agents.find(({ name }: { name: string }) => name === "reviewer")).toMatchObject({
      source: "claude",
      file: ".claude/agents/reviewer.md",
      adapter: "claude",
      model: "sonnet",
      program: { name: "claude", installed: true, version: "2.1.325" },
    });
  });

  it("shows one agent field by field", async () => {
    const directory = temporaryRepository(files);
    const where = machine({});
    const { stdout } = await run(directory, ["agents", "show", "reviewer"], where);
    expect(stdout).toMatch(/^from +\.claude\/agents\/reviewer\.md$/m);
    expect(stdout).toMatch(/^note +its front matter is not valid YAML/m);
    expect(stdout).toMatch(/^ +model +honoured/m);
    expect(stdout).toMatch(/^ +maxTurns +ignored +Ambit limits/m);
    expect(stdout).toContain("You review.");
    expect(await json(directory, ["agents", "show", "builder"], where)).toMatchObject({
      instructions: "Build.",
      hides: [".claude/agents/builder.md"],
    });
    const nobody = await run(directory, ["agents", "show", "nobody"], where);
    expect(nobody.exitCode).toBe(2);
    expect(nobody.stderr).toContain("AGENT_NOT_FOUND");
  });

  it("checks every agent: a broken file fails, while ignored and hidden parts are only reported", async () => {
    const directory = temporaryRepository(files);
    const where = machine({});
    const good = await run(directory, ["agents", "check"], where);
    expect(good.exitCode).toBe(0);
    expect(good.stderr).toContain(".claude/agents/builder.md is never used");
    expect(good.stderr).toContain("maxTurns is ignored");
    expect(good.stderr).toContain("claude is not installed");
    const one = await run(directory, ["agents", "check", "reviewer"], where);
    expect(one.exitCode).toBe(6);
    expect(one.stdout).toContain("AGENT_NOT_INSTALLED");
    writeFileSync(join(directory, ".ambit/agents/broken.md"), "---\ndescription: x\n---\n");
    writeFileSync(join(directory, ".ambit/agents/odd.md"), "---\nadapter: telepathy\n---\n");
    const bad = await run(directory, ["agents", "check"], where);
    expect(bad.exitCode).toBe(2);
    expect(bad.stdout).toContain(".ambit/agents/broken.md cannot be used: it names no adapter");
    expect(bad.stdout).toContain('there is no adapter "telepathy"');
    expect(await json(directory, ["agents", "check"], where)).toMatchObject({
      valid: false,
      codes: ["CONFIG_INVALID"],
    });
  });

  it("finds a default agent that is not defined, or whose program is missing", async () => {
    const where = machine({});
    const nobody = temporaryRepository({ "ambit.yaml": "agents:\n  default: ghost\n" });
    const ghost = await run(nobody, ["agents", "check"], where);
    expect(ghost).toMatchObject({ exitCode: 2 });
    expect(ghost.stdout).toContain("ghost");
    const missing = temporaryRepository({ "ambit.yaml": "agents:\n  default: claude\n" });
    expect((await run(missing, ["agents", "check"], where)).exitCode).toBe(6);
    expect((await run(missing, ["agents", "check"], machine({ claude: "echo 2.1.325" }))).exitCode).toBe(0);
  });

  it("never prints control sequences of a file to the terminal", async () => {
    const directory = temporaryRepository({
      ".claude/agents/evil.md": "---\nname: evil\ndescription: \u001b[2Jgone\n---\n\u001b]0;title\u0007\n",
    });
    for (const words of [["list"], ["show", "evil"], ["check", "evil"]]) {
      const { stdout, stderr } = await run(
        directory,
        ["agents", ...words],
        machine({ claude: "echo 2.1.1" }),
      );
      expect(stdout + stderr).not.toContain("\u001b[2J");
      expect(stdout + stderr).not.toContain("\u0007");
    }
  });
});
