import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";
import { runShell, trustEverything } from "./run-cli.ts";

const guide = readFileSync("docs/guides/programs.md", "utf8");

function block(language: string): string {
  return guide.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
}

describe("the guide for programs as agents", () => {
  let project: Project;
  beforeAll(() => {
    project = makeProject();
    project.write("sum.js", "module.exports = () => 0;\n");
    project.git("add", "-A");
    project.git("commit", "--quiet", "-m", "broken");
  });
  afterAll(() => project.remove());

  it("leads to a shell agent whose work is completed, with its cost", async () => {
    const home = `${project.root}/../home`;
    const identity = { GIT_AUTHOR_NAME: "U", GIT_AUTHOR_EMAIL: "u@example.org" };
    const committer = { GIT_COMMITTER_NAME: "U", GIT_COMMITTER_EMAIL: "u@example.org" };
    const lines = block("sh")
      .replace("ambit trust\n", "")
      .replaceAll(/^ambit /gm, "$ambit ");
    const place = {
      directory: project.root,
      home,
      environment: { ...trustEverything, ...identity, ...committer },
    };
    const { stdout } = await runShell(lines, place);
    expect(stdout).toContain("completed  Fixed the sum.");
    expect(await project.json("cost")).toMatchObject({ total_cost_usd: 0.01 });
  });

  it("delegates with the same --check as a story has, and so does ambit quick", async () => {
    const check = ["--check", "grep -q 'a + b' sum.js"];
    const part = `ambit delegate 'Fix the sum' --agent fixer --check "grep -q 'a + b' sum.js"`;
    const run = await project.ambit("quick", "Have it fixed", "--id", "Q1", ...check, "--", "sh", "-c", part);
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining("  proven   branch ambit/Q1")]);
    expect(await project.json("verify", "Q1-DEL-001")).toMatchObject({
      met: true,
      criteria: [{ text: "`grep -q 'a + b' sum.js` exits with code 0", verdict: "passed" }],
    });
  });

  it("leads to a Python agent that delegates to the shell agent", async () => {
    project.write("tools/lead.py", block("python"));
    project.write(
      ".ambit/agents/lead.md",
      "---\nadapter: command\ncommand: [python3, tools/lead.py]\ndescription: Leads\n---\n",
    );
    project.git("add", "-A");
    project.git("commit", "--quiet", "-m", "lead");
    const check = ["--check", "grep -q 'a + b' sum.js"];
    const run = await project.ambit("run", "Have it fixed", "--id", "L1", "--agent", "lead", ...check);
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining("completed  The sum is fixed.")]);
    expect(await project.json("tree", "L1")).toMatchObject({
      tree: { cost_usd: 0.002, children: [{ agent: "fixer", status: "completed", cost_usd: 0.01 }] },
    });
  });
});
