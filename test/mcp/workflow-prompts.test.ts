import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { workflowPrompts } from "../../src/mcp/prompts/workflow-prompts.ts";

async function lineOf(name: string, given: Readonly<Record<string, string>>): Promise<string> {
  const text = (await workflowPrompts.find((prompt) => prompt.name === name)?.text(given)) ?? "";
  return /wait until it ends: (.*)/.exec(text)?.[1] ?? "";
}

describe("prompts for the workflow commands", () => {
  it("exist for every command, and require the task's number where it is needed (R154)", () => {
    const needed = workflowPrompts.map(({ name, arguments: wanted = [] }) => [
      name,
      wanted.filter(({ required }) => required).map((one) => one.name),
    ]);
    expect(needed).toStrictEqual([
      ["research", ["task"]],
      ["plan", ["task"]],
      ["implement", ["task"]],
      ["revise", ["task"]],
      ["review", []],
      ["todo", []],
      ["errors", []],
      ["meta", []],
    ]);
  });

  it("give a single command line to run (R152)", async () => {
    expect(await lineOf("research", { task: "197" })).toBe("ambit research 197");
    expect(await lineOf("implement", { task: "191; rm -rf /", words: "it's phase 2" })).toBe(
      "ambit implement 191rm-rf 'it'\\''s phase 2'",
    );
    expect(await lineOf("todo", {})).toBe("ambit todo");
  });

  it("quote a person's text so that a shell takes it as one word", async () => {
    const words = fc.string({ maxLength: 60 }).filter((text) => text.trim() !== "" && !/[\0\n\r]/.test(text));
    await fc.assert(
      fc.asyncProperty(words, async (said) => {
        const line = await lineOf("review", { words: said });
        const heard = execFileSync("sh", ["-c", line.replace("ambit review", "printf %s")], {
          encoding: "utf8",
        });
        expect(heard).toBe(said.trim());
      }),
      { numRuns: 30 },
    );
  });
});
