import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Project } from "./project.ts";
import { until } from "./project.ts";
import { addAgent, commitAll, makeTaskProject, statusOf } from "./workflow-project.ts";

let project: Project;
afterEach(() => project.remove());

const read = (path: string): string => readFileSync(join(project.root, path), "utf8");
const json = (path: string): Record<string, Record<string, unknown>> => JSON.parse(read(path));

const report = "specs/197_prove_lemma/reports/research-001.md";
const plan = "specs/191_fix_hang/plans/implementation-001.md";

describe("research 197 of the sources", () => {
  it("goes to the agent of the task's language and is settled by code (R50, R51, R76, R144, R148, R150–R153, R156–R158, C18)", async () => {
    project = makeTaskProject([{ number: 197, name: "prove_lemma", language: "lean" }]);
    addAgent(project, "lean-research-agent", [
      "- early: true",
      `- write: {path: ${report}, text: "# Report\\n"}`,
      `- return: {status: completed, summary: "Found the lemmas.", artifacts: [{type: report, path: ${report}}]}`,
    ]);
    commitAll(project);
    const run = await project.ambit("research", "197", "look at simp", "--json");
    expect(run.status).toBe(0);
    expect(run.stderr).toContain("[3/7] route → lean-research-agent (language lean, from TODO.md)");
    expect(run.stderr).toMatch(/\[7\/7\] settle TODO\.md, state\.json, 1 document, commit [0-9a-f]{7}/);
    expect(JSON.parse(run.stdout)).toMatchObject({
      story: "T197-research-1",
      outcome: "completed",
      agent: "lean-research-agent",
      task_status: "researched",
      timeout_seconds: 3600,
      artifacts: [{ type: "report", path: report }],
      postflight: {
        status_sync_manager_invoked: true,
        status_sync_manager_completed: true,
        todo_md_updated: true,
        state_json_updated: true,
        git_commit_created: true,
      },
    });
    // The report is in the person's files and on the story's branch; their branch and index were not touched.
    expect(read(report)).toBe("# Report\n");
    expect(project.git("show", `ambit/T197-research-1:${report}`)).toBe("# Report\n");
    expect(project.git("log", "--format=%s", "main")).toBe("tasks\nstart\n");
    expect(project.git("diff", "--cached", "--name-only")).toBe("");
    expect(statusOf(197, read)).toBe("researched");
    expect(read("specs/TODO.md")).toContain("[RESEARCHED]");
    expect(read("specs/TODO.md")).toContain(report.slice("specs/".length));
    const prompt = read(".git/ambit/logs/T197-research-1-DEL-001/attempt-1/prompt.md");
    expect(prompt).toMatch(/^# Task: 197, research: prove lemma\n/);
    expect(prompt).toContain("look at simp");
    expect(prompt.trimEnd()).toMatch(/Name only files that exist and are not empty\.$/);
    expect(Buffer.byteLength(prompt)).toBeLessThan(10 * 1024);
    const [entry] = Object.values(json(".git/ambit/registry.json"));
    expect(entry).toMatchObject({
      command: "research",
      subagent: "lean-research-agent",
      task_number: 197,
      language: "lean",
      timeout: 3600,
      status: "completed",
      duration_seconds: expect.any(Number),
      delegation_depth: 1,
      delegation_path: ["ambit", "research", "lean-research-agent"],
      is_command: true,
      command_stages: { current_stage: 7, stages_completed: [1, 2, 3, 4, 5, 6, 7], stage_7_completed: true },
    });
  });
});

describe("implement 191 of the sources", () => {
  it("times out in phase 2, keeps the task in progress, and continues from there (R66, R73–R75, R129, R155, R160, R199)", async () => {
    project = makeTaskProject([{ number: 191, name: "fix_hang", status: "planned", language: "markdown" }]);
    project.write(plan, "# Plan\n\n### Phase 1: One [NOT STARTED]\n### Phase 2: Two [NOT STARTED]\n");
    const body = [
      "if grep -q 'One .COMPLETED' $plan; then test -f one.txt || exit 1; test -f two.txt && echo two > two.txt && exit 0",
      "else echo one > one.txt; sed -i 's/Two .*/Two [COMPLETED]/' $plan; exit 0; fi",
      "echo half > two.txt; sleep 600",
    ];
    project.write("work.sh", `plan=${plan}\n${body.join("\n")}\n`);
    addAgent(project, "task-executor", [
      "- run: [sh, work.sh]",
      "- return: {status: completed, summary: 'The phase is done.'}",
    ]);
    commitAll(project);
    const first = await project.ambit("implement", "191", "--timeout", "8");
    expect(first.status).toBe(124);
    expect(first.stderr).toContain(`[3/7] route → task-executor (phase by phase, plan ${plan})`);
    expect(first.stdout).toContain("Implementation timed out after 8s during phase 2 of 2.");
    expect(first.stdout).toContain("Task 191 is [PARTIAL].");
    expect(first.stdout).toContain("Run `ambit implement 191` again to resume from phase 2.");
    expect(statusOf(191, read)).toBe("partial");
    // Phase 1 is proven and on the story's branch; the worker's claim about phase 2 is not in the plan there.
    expect(project.git("show", "ambit/T191-implement-1:one.txt")).toBe("one\n");
    expect(project.git("show", `ambit/T191-implement-1:${plan}`)).toMatch(
      /One \[COMPLETED\][^]*Two \[NOT STARTED\]/,
    );
    expect(project.git("show", "delegation/T191-implement-1-DEL-002:two.txt")).toBe("half\n");
    const errors = await project.json("errors", "--task", "191", "--type", "timeout");
    expect(errors["errors"]).toMatchObject([
      { type: "timeout", command: "implement", subagent: "task-executor", timeout: 8, task_number: 191 },
    ]);
    expect(Object.values(json(".git/ambit/registry.json"))).toMatchObject([
      { status: "completed" },
      { status: "partial" },
    ]);

    const second = await project.ambit("implement", "191");
    expect(second.status).toBe(0);
    expect(second.stderr).toContain("phase 2 of 2, continues T191-implement-1-DEL-002");
    expect(statusOf(191, read)).toBe("completed");
    expect(project.git("show", "ambit/T191-implement-2:one.txt")).toBe("one\n");
    expect(project.git("show", "ambit/T191-implement-2:two.txt")).toBe("two\n");
    // Task files are the runtime's: the branch does not carry them, so it merges although they are changed here.
    expect((await project.ambit("merge", "T191-implement-2", "--yes")).status).toBe(0);
    expect(project.git("show", `main:${plan}`)).toContain("Phase 2: Two [COMPLETED]");
    expect(project.git("status", "--porcelain")).toBe(" M specs/TODO.md\n M specs/state.json\n");
  });

  it("is settled by the next supervisor if the last one was killed while the agent worked (C19, R159)", async () => {
    project = makeTaskProject([{ number: 191, name: "fix_hang" }]);
    addAgent(project, "implementer", [
      `- run: [sh, -c, 'until [ -e ${join(project.root, "../go")} ]; do sleep 0.05; done; echo x > x.txt']`,
      "- return: {status: completed, summary: 'x is written.', artifacts: [{type: implementation, path: x.txt}]}",
    ]);
    commitAll(project);
    expect((await project.ambit("implement", "191", "--detach")).status).toBe(0);
    const running = join(project.root, ".git/ambit/logs/T191-implement-1-DEL-001/attempt-1/process.json");
    await until("the agent runs", () => existsSync(running));
    expect(statusOf(191, read)).toBe("implementing");
    process.kill(await project.supervisorPid(), "SIGKILL");
    project.write("../go", "");
    expect((await project.ambit("attach", "T191-implement-1")).status).toBe(0);
    expect(statusOf(191, read)).toBe("completed");
    expect(project.git("show", "ambit/T191-implement-1:x.txt")).toBe("x\n");
  });
});

describe("a worker's claim", () => {
  it("completes no task while its tests are red; the criterion and the reason are named (R53, R54, R100)", async () => {
    project = makeTaskProject([
      { number: 198, name: "write_x", criteria: ["`node check.mjs` passes"] },
      { number: 199, name: "phantom" },
    ]);
    project.write("check.mjs", "console.log('2 failing'); process.exit(1);\n");
    addAgent(project, "implementer", [
      "- write: {path: x.txt, text: x}",
      "- return: {status: completed, summary: 'x is written. All tests pass.', artifacts: [{type: implementation, path: x.txt}]}",
    ]);
    addAgent(project, "researcher", [
      "- write: {path: specs/199_phantom/reports/research-001.md, text: ''}",
      "- return: {status: completed, summary: 'Wrote a thorough report.', artifacts: [{type: report, path: specs/199_phantom/reports/research-001.md}]}",
    ]);
    commitAll(project);
    const red = await project.ambit("implement", "198");
    expect(red.status).toBe(3);
    expect(red.stdout).toContain("partial (CRITERION_FAILED)");
    expect(red.stdout).toContain('c1 "`node check.mjs` passes": failed.');
    expect(red.stdout).toContain("exit code 1");
    expect(statusOf(198, read)).toBe("partial");
    expect(project.git("branch", "--list", "ambit/*").trim()).toBe("");

    const phantom = await project.ambit("research", "199");
    expect(phantom.status).not.toBe(0);
    expect(phantom.stdout).toContain("ARTIFACT_EMPTY");
    expect(statusOf(199, read)).toBe("researching");
    const { errors } = json(".git/ambit/errors.json");
    expect(errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: "validation",
          code: "ARTIFACT_EMPTY",
          subagent: "researcher",
          recommendation: "Fix researcher subagent return format",
          original_return: ".git/ambit/logs/T199-research-1-DEL-001/attempt-1/return.json",
        }),
      ]),
    );
    expect((await project.ambit("errors")).stdout).toContain("CRITERION_FAILED");
  });
});

describe("the chain of example 3", () => {
  it("is stopped before it returns to the executor, with the whole path (R14, R65)", async () => {
    project = makeTaskProject([{ number: 192, name: "complex_chain" }]);
    project.write("specs/192_complex_chain/plans/implementation-001.md", "### Phase 1: All [NOT STARTED]\n");
    const hand = (to: string): string => `- run: [ambit, delegate, "Go on", --agent, ${to}, --wait, "30"]`;
    const end = "- return: {status: completed, summary: 'Done.'}";
    addAgent(project, "task-executor", [hand("implementer"), end]);
    addAgent(project, "implementer", [hand("git-workflow-manager"), end]);
    addAgent(project, "git-workflow-manager", [hand("task-executor"), end]);
    commitAll(project);
    await project.ambit("implement", "192");
    const { errors } = await project.json("errors", "--type", "refused");
    expect(errors).toMatchObject([
      {
        code: "CYCLE_DETECTED",
        message:
          "Cycle detected: ambit → implement → task-executor → implementer → git-workflow-manager → task-executor",
      },
    ]);
    expect((await project.json("tree", "T192-implement-1"))["story"]).toBeDefined();
  });
});
