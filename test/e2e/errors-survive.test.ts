import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";
import { addAgent, commitAll, makeTaskProject } from "./workflow-project.ts";
import { runCli } from "./run-cli.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

/** Outside of the project, so that it is not part of the user's files. */
function scriptFile(name: string, text: string): string {
  project.write(join("..", `${name}.yaml`), text);
  return join(dirname(project.root), `${name}.yaml`);
}

const done = "- return: {status: completed, summary: 'Did it. It works.'}\n";

function returnsError(status: string): string {
  const error =
    "{type: execution, code: BUILD_ERROR, message: 'lake build fails in line 12', recoverable: true, recommendation: 'Fix the import of Bar.'}";
  return `- return: {status: ${status}, summary: 'The build fails.', errors: [${error}], next_steps: 'Run /implement 244.'}\n`;
}

const told = {
  code: "BUILD_ERROR",
  message: "lake build fails in line 12",
  recommendation: "Fix the import of Bar.",
};

describe("an error that a worker reports", () => {
  it("reaches its manager, explain, errors and the report with its advice (R43, R45, R47, R59, R123, R200)", async () => {
    const helper = `command: [${scriptFile("helper", returnsError("failed"))}]`;
    project.write(".ambit/agents/helper.md", `---\nadapter: scripted\n${helper}\n---\nWork.\n`);
    project.write("ambit.yaml", "agents:\n  default: helper\n");
    project.git("add", "-A");
    project.git("commit", "--quiet", "-m", "agent");
    const script = `begin:\n  - delegate: [{description: Build it, hours: 3}]\nresults:\n  ${done}`;
    await project.json("run", "Divide it", "--id", "E1", "--script", scriptFile("manager", script));
    const prompt = readFileSync(join(project.root, ".git/ambit/logs/E1/attempt-2/prompt.md"), "utf8");
    expect(prompt).toContain("Delegation E1-DEL-001 failed: lake build fails in line 12 (BUILD_ERROR)");
    expect(prompt).toContain("Recommendation: Fix the import of Bar.");
    expect(prompt).toContain('"next_steps":"Run /implement 244."');
    expect(prompt).toContain('"error":"BUILD_ERROR"');
    const explained = await project.json("explain", "E1-DEL-001");
    expect(explained).toMatchObject({ errors: [told], next_steps: "Run /implement 244." });
    expect((await project.ambit("explain", "E1-DEL-001")).stdout).toContain("Fix the import of Bar.");
    expect(await project.json("errors")).toMatchObject({
      errors: [{ ...told, delegation_id: "E1-DEL-001", recoverable: true }],
    });
    const row = ["E1-DEL-001", ...Object.values(told), "Run /implement 244."];
    expect((await project.ambit("report", "E1")).stdout).toContain(
      `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
    );
  });

  it("is shown at the end of the story's own run (R45, R59)", async () => {
    const run = await project.ambit(
      "run",
      "Build it",
      "--id",
      "E2",
      "--script",
      scriptFile("e2", returnsError("failed")),
    );
    expect(run.status).toBe(1);
    expect(run.stdout).toContain(
      "error    BUILD_ERROR: lake build fails in line 12\n  advice   Fix the import of Bar.",
    );
    expect(run.stdout).toContain("then     Run /implement 244.");
  });
});

describe("a story that ends blocked", () => {
  it("stays in the inbox with its needs until it is answered (R33, R34, R59)", async () => {
    const script = scriptFile("e3", returnsError("blocked"));
    expect(await project.json("run", "Build it", "--id", "E3", "--script", script)).toMatchObject({
      outcome: "blocked",
    });
    expect(await project.json("inbox")).toMatchObject({
      questions: [],
      blocked: [{ story: "E3", needs: [told], answer_with: ['ambit reply E3 "…"'] }],
    });
    const shown = (await project.ambit("inbox")).stdout;
    expect(shown).toContain("E3  blocked");
    expect(shown).toContain("lake build fails in line 12. Fix the import of Bar.");
    expect(await project.json("inbox", "E3")).toMatchObject({ questions: [], blocked: [{ story: "E3" }] });
    scriptFile("e3", done);
    expect(await project.json("reply", "E3", "The import is fixed.")).toMatchObject({
      delegation: "E3",
      story: "E3.2",
      answer: "replied",
    });
    await project.ambit("attach", "E3.2");
    expect(await project.json("explain", "E3.2")).toMatchObject({ outcome: "completed" });
    const prompt = readFileSync(join(project.root, ".git/ambit/logs/E3.2/attempt-1/prompt.md"), "utf8");
    expect(prompt).toContain("The import is fixed.");
    expect(await project.json("inbox")).toMatchObject({ questions: [], blocked: [] });
  });
});

describe("a workflow command that ends blocked", () => {
  it("is continued by an answer, which its agent receives (R59)", async () => {
    const tasks = makeTaskProject([{ number: 3, name: "wait_for_it" }]);
    try {
      addAgent(tasks, "implementer", [
        "- return: {status: blocked, summary: 'The key is missing.', errors: [{type: execution, code: NO_KEY, message: 'No key.', recoverable: true, recommendation: 'Give me the key.'}]}",
      ]);
      commitAll(tasks);
      expect(await tasks.json("implement", "3")).toMatchObject({ outcome: "blocked" });
      expect(await tasks.json("inbox")).toMatchObject({
        blocked: [
          { story: "T3-implement-1", answer_with: ['ambit reply T3-implement-1 "…"', "ambit implement 3"] },
        ],
      });
      addAgent(tasks, "implementer", [
        "- write: {path: x.txt, text: x}",
        "- return: {status: completed, summary: 'Opened it.'}",
      ]);
      expect(await tasks.json("reply", "T3-implement-1", "The key is under the mat.")).toMatchObject({
        story: "T3-implement-2",
        answer: "replied",
      });
      await tasks.ambit("attach", "T3-implement-2");
      const prompt = readFileSync(
        join(tasks.root, ".git/ambit/logs/T3-implement-2-DEL-001/attempt-1/prompt.md"),
        "utf8",
      );
      expect(prompt).toContain("The key is under the mat.");
      expect(await tasks.json("inbox")).toMatchObject({ blocked: [] });
    } finally {
      await tasks.remove();
    }
  });
});

describe("the answer of a task operation", () => {
  it("passes our own check of returns (R42)", async () => {
    const operations = [
      ["task", "add", "One"],
      ["task", "add", "Two"],
      ["task", "divide", "1", "--into", "Part"],
      ["task", "sync"],
      ["task", "abandon", "2"],
      ["task", "recover", "2"],
      ["task", "abandon", "99"],
    ];
    const call = { directory: project.root, home: join(dirname(project.root), "home") };
    for (const words of operations) {
      const { stdout } = await project.ambit(...words, "--json");
      const checked = await runCli(["check", "return", "-"], { ...call, input: stdout });
      expect([words.join(" "), checked.stdout + checked.stderr, checked.status]).toEqual([
        words.join(" "),
        expect.stringContaining("valid return"),
        0,
      ]);
    }
  });
});
