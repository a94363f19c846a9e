import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCommandDefinition } from "../../src/agents/command-definitions.ts";
import { listDefinitions, readAgentDefinition } from "../../src/agents/definitions.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ambit-commands-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

describe("definitions of commands", () => {
  it("are built in for every workflow command, with the routing of the sources (R148, R154)", async () => {
    expect((await readCommandDefinition(root, "research"))?.routing).toStrictEqual({
      languageBased: true,
      targetAgent: undefined,
      byLanguage: { lean: "lean-research-agent" },
      default: "researcher",
      withPlan: undefined,
    });
    expect((await readCommandDefinition(root, "implement"))?.routing).toMatchObject({
      byLanguage: { lean: "lean-implementation-agent" },
      default: "implementer",
      withPlan: "task-executor",
    });
    for (const [name, agent] of [
      ["plan", "planner"],
      ["revise", "reviser"],
      ["review", "reviewer"],
      ["meta", "meta-builder"],
    ] as const)
      expect((await readCommandDefinition(root, name))?.routing).toMatchObject({
        languageBased: false,
        targetAgent: agent,
      });
    expect(await readCommandDefinition(root, "nonsense")).toBeUndefined();
  });

  it("of the project take precedence over those of other tools, and those over the built-in ones (R149)", async () => {
    const routing = (agent: string): string =>
      `---\nrouting:\n  language_based: false\n  target_agent: ${agent}\n---\n`;
    write(".opencode/command/plan.md", routing("third"));
    expect((await readCommandDefinition(root, "plan"))?.routing.targetAgent).toBe("third");
    write(".claude/commands/plan.md", routing("second"));
    expect((await readCommandDefinition(root, "plan"))?.routing.targetAgent).toBe("second");
    write(".ambit/commands/plan.md", `${routing("first")}Do it well.\n`);
    expect(await readCommandDefinition(root, "plan")).toMatchObject({
      routing: { targetAgent: "first" },
      instructions: "Do it well.",
      file: ".ambit/commands/plan.md",
    });
  });

  it("accept languages next to the known keys and a timeout, and ignore a path in place of an agent (R149, R76)", async () => {
    write(
      ".ambit/commands/research.md",
      "---\ntimeout: 5400\nrouting:\n  language_based: true\n  lean: my-lean\n  Rust: my-rust\n  bad: ../../etc\n  languages:\n    go: my-go\n  default: anyone\n---\n",
    );
    const found = await readCommandDefinition(root, "research");
    expect(found?.timeoutSeconds).toBe(5400);
    expect(found?.routing.byLanguage).toStrictEqual({ lean: "my-lean", Rust: "my-rust", go: "my-go" });
  });

  it("ignore another tool's command that says nothing about routing", async () => {
    write(".claude/commands/review.md", "---\nallowed-tools: Bash\n---\nReview $ARGUMENTS\n");
    expect(await readCommandDefinition(root, "review")).toMatchObject({
      file: "",
      routing: { targetAgent: "reviewer" },
    });
  });

  it("refuse our own file if it is unusable or leads out of the project", async () => {
    write(".ambit/commands/plan.md", "no front matter\n");
    await expect(readCommandDefinition(root, "plan")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    mkdirSync(join(root, ".claude/commands"), { recursive: true });
    writeFileSync(join(root, "..", "ambit-outside.md"), "---\nrouting: {target_agent: evil}\n---\n");
    symlinkSync("../../../ambit-outside.md", join(root, ".claude/commands/revise.md"));
    expect((await readCommandDefinition(root, "revise"))?.routing.targetAgent).toBe("reviser");
    rmSync(join(root, "..", "ambit-outside.md"));
  });
});

describe("agents of the workflow commands", () => {
  it("are played by the project's default agent, and come after everything the user defined", async () => {
    write(".ambit/agents/fixer.md", "---\nadapter: scripted\ncommand: [x.yaml]\nmodel: big\n---\nFix.\n");
    expect(await readAgentDefinition(root, "researcher", "fixer")).toMatchObject({
      name: "researcher",
      adapter: "scripted",
      command: ["x.yaml"],
      model: "big",
      source: "built-in",
    });
    const listed = (await listDefinitions(root, "fixer")).map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(["fixer", "claude", "researcher", "task-executor"]));
    write(".ambit/agents/researcher.md", "---\nadapter: claude\n---\nMine.\n");
    expect(await readAgentDefinition(root, "researcher", "fixer")).toMatchObject({
      adapter: "claude",
      instructions: "Mine.",
    });
    expect((await listDefinitions(root, "fixer")).filter(({ name }) => name === "researcher")).toHaveLength(
      1,
    );
  });

  it("name what is missing if no agent can play them", async () => {
    await expect(readAgentDefinition(root, "planner", null)).rejects.toMatchObject({
      code: "AGENT_NOT_FOUND",
      message: expect.stringContaining("agents.default is not set"),
    });
    expect(await readAgentDefinition(root, "somebody", null)).toBeUndefined();
  });
});
