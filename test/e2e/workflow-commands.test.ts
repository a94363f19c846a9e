import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { until, type Project } from "./project.ts";
import { addAgent, commitAll, makeTaskProject, statusOf } from "./workflow-project.ts";

let project: Project;
afterEach(() => project.remove());

const read = (path: string): string => readFileSync(join(project.root, path), "utf8");

describe("workflow commands", () => {
  it("refuse impossible requests at once, without delegating anything (R58, R66, R146, R147)", async () => {
    project = makeTaskProject([
      { number: 1, name: "done_already", status: "completed" },
      { number: 2, name: "with_plan", status: "planned" },
      { number: 3, name: "open_one" },
    ]);
    project.write("specs/2_with_plan/plans/implementation-001.md", "### Phase 1: All\n");
    project.write(".ambit/commands/revise.md", "---\nrouting:\n  target_agent: nobody-knows\n---\n");
    project.write(".ambit/commands/review.md", "---\nrouting:\n  target_agent: review\n---\n");
    addAgent(project, "review", ["- return: {status: completed, summary: x}"]);
    commitAll(project);
    const looks = (): readonly string[] => [
      project.git("status", "--porcelain=v2"),
      project.git("for-each-ref"),
    ];
    const before = looks();
    const refusals: readonly (readonly [readonly string[], number, string])[] = [
      [["research", "999"], 2, "TASK_NOT_FOUND  Task 999 not found in TODO.md"],
      [["research", "abc"], 1, 'INVALID_TASK_NUMBER  "abc" is not a task number'],
      [["plan", "2"], 2, "Plan already exists at specs/2_with_plan/plans/implementation-001.md"],
      [["research", "1"], 1, "ILLEGAL_TRANSITION  Task 1 is"],
      [["revise", "2"], 2, ".ambit/commands/revise.md leads to nobody-knows, and there is no such agent"],
      [["review", "3"], 5, "Cycle path: ambit → review → review (attempted)"],
      [["implement"], 2, "missing required argument"],
    ];
    for (const [words, status, message] of refusals) {
      const refused = await project.ambit(...words);
      expect([words, refused.status]).toStrictEqual([words, status]);
      expect(refused.stderr).toContain(message);
      expect(refused.stdout).toBe("");
    }
    expect(looks()).toStrictEqual(before);
    expect((await project.ambit("audit", "list")).stdout).not.toContain("story-opened");
  });

  it("work on one task at a time, and take a language and a timeout up to the command's maximum (R51, R71, C23, C35)", async () => {
    project = makeTaskProject([{ number: 3, name: "open_one", language: "rust" }]);
    project.write(
      ".claude/commands/research.md",
      "---\ntimeout: 5400\nrouting:\n  language_based: true\n  rust: rusty\n  default: anyone\n---\nBe brief.\n",
    );
    addAgent(project, "rusty", ["- hang: quiet"]);
    commitAll(project);
    const started = await project.ambit("research", "3", "--detach");
    expect(started.stderr).toContain("[3/7] route → rusty (language rust, from TODO.md)");
    expect(started.stderr).toContain("[4/7] prepare 5400 s (the definition of research)");
    const again = await project.ambit("plan", "3");
    expect([again.status, again.stderr]).toStrictEqual([
      2,
      expect.stringContaining("T3-research-1 is already working on task 3"),
    ]);
    await project.ambit("stop", "T3-research-1");
    const review = "specs/reviews/reports/review-001.md";
    addAgent(project, "reviewer", [
      `- write: {path: ${review}, text: "Fine.\\n"}`,
      `- return: {status: completed, summary: "No findings.", artifacts: [{type: report, path: ${review}}]}`,
    ]);
    expect((await project.ambit("review", "the `src` folder; all of it")).status).toBe(0);
    const prompt = read(".git/ambit/logs/W-review-1-DEL-001/attempt-1/prompt.md");
    expect(prompt).toContain("the `src` folder; all of it");
    expect(read(review)).toBe("Fine.\n");
    expect(statusOf(3, read)).toBe("researching");
    const other = await project.ambit("research", "3", "--lang", "go", "--timeout", "9999", "--detach");
    expect(other.stderr).toContain("[3/7] route → anyone (language go, from --lang)");
    expect(other.stderr).toContain("[4/7] prepare 7200 s (the most research may have)");
  });

  it("commit task files and documents by name if the project wants it, and nothing else (R144, R154, C21)", async () => {
    // The task folder lies below a tool's own folder, but its documents are not settings of that tool.
    const dir = ".claude/specs";
    project = makeTaskProject(
      [
        { number: 5, name: "planned_one" },
        { number: 6, name: "old_one", status: "completed" },
      ],
      dir,
    );
    project.write("ambit.yaml", `agents:\n  default: anyone\ntasks:\n  dir: ${dir}\n  commit: true\n`);
    const plan = `${dir}/5_planned_one/plans/implementation-001.md`;
    addAgent(project, "planner", [
      `- write: {path: ${plan}, text: "### Phase 1: All [NOT STARTED]\\n"}`,
      `- return: {status: completed, summary: "One phase.", artifacts: [{type: plan, path: ${plan}}]}`,
    ]);
    commitAll(project);
    project.write("a.txt", "mine, unfinished\n");
    project.write("staged.txt", "mine, staged\n");
    project.git("add", "staged.txt");
    const run = await project.json("plan", "5");
    expect(run).toMatchObject({ outcome: "completed", task_status: "planned" });
    expect(project.git("show", "--name-only", "--format=%s", "main").trim().split("\n")).toStrictEqual([
      "task 5: plan, planned",
      "",
      plan,
      `${dir}/5_planned_one/state.json`,
      `${dir}/TODO.md`,
      `${dir}/state.json`,
    ]);
    expect(project.git("status", "--porcelain")).toBe(" M a.txt\nA  staged.txt\n");

    const second = `${dir}/5_planned_one/plans/implementation-002.md`;
    addAgent(project, "reviser", [
      `- write: {path: ${second}, text: "### Phase 1: Half [NOT STARTED]\\n"}`,
      `- return: {status: completed, summary: "Half of it.", artifacts: [{type: plan, path: ${second}}]}`,
    ]);
    expect(await project.json("revise", "5", "only half")).toMatchObject({ task_status: "revised" });
    expect([read(plan), read(second)]).toStrictEqual([
      "### Phase 1: All [NOT STARTED]\n",
      "### Phase 1: Half [NOT STARTED]\n",
    ]);

    const todo = await project.json("todo");
    expect(todo).toMatchObject({ operation: "archive_tasks", status: "completed" });
    expect(read(`${dir}/archive/state.json`)).toContain("old_one");
    expect(statusOf(6, read, dir)).toBe("");
    expect((await project.ambit("todo")).stdout).toContain("Nothing to archive");
  });

  it("ask a person before they accept a worker's change to the task files (R152)", async () => {
    project = makeTaskProject([{ number: 7, name: "sly_one" }]);
    addAgent(project, "implementer", [
      "- append: {path: specs/TODO.md, text: '- **Status**: [COMPLETED]'}",
      "- return: {status: completed, summary: 'Done, and ticked off.', artifacts: [{type: documentation, path: specs/TODO.md}]}",
    ]);
    commitAll(project);
    await project.ambit("implement", "7", "--detach");
    const asked = async (): Promise<string> => (await project.ambit("inbox")).stdout;
    await until("somebody is asked", async () => (await asked()).includes("specs/TODO.md"));
    expect(await asked()).toContain("It changed files outside its scope.");
    await project.ambit("reject", "T7-implement-1-DEL-001", "--reason", "not yours");
    expect((await project.ambit("attach", "T7-implement-1")).stdout).toContain("SCOPE_VIOLATION");
    expect(statusOf(7, read)).toBe("partial");
    expect(project.git("branch", "--list", "ambit/*").trim()).toBe("");
  });
});
