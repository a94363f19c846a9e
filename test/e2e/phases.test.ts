import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Project } from "./project.ts";
import { addAgent, commitAll, makeTaskProject, statusOf } from "./workflow-project.ts";

let project: Project;
afterEach(() => project.remove());

const read = (path: string): string => readFileSync(join(project.root, path), "utf8");
const plan = "specs/191_fix_hang/plans/implementation-001.md";

/** The planner's document stays uncommitted. */
function addPlanner(text: string): void {
  addAgent(project, "planner", [
    `- write: {path: ${plan}, text: ${JSON.stringify(text)}}`,
    `- return: {status: completed, summary: "Planned.", artifacts: [{type: plan, path: ${plan}}]}`,
  ]);
}

/** Runs a shell script that lies outside of the project, with the phase that the prompt names in `$phase`. */
function addExecutor(lines: readonly string[]): void {
  const script = join(dirname(project.root), "work.sh");
  const read = "phase=$(sed -n 's/^Your work is phase \\([0-9]*\\).*/\\1/p' | tail -1)";
  const done = `printf '{"status":"completed","summary":"Did phase '$phase'.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`;
  project.write("../work.sh", [read, ...lines, done, ""].join("\n"));
  project.write(
    ".ambit/agents/task-executor.md",
    `---\nadapter: command\ncommand: [sh, ${script}]\n---\nYou are the executor.\n`,
  );
}

describe("a plan that Ambit wrote and the person did not commit", () => {
  it("is carried out phase by phase, resumed after a timeout, and merged without a conflict (R74, R129, R144, R155)", async () => {
    project = makeTaskProject([{ number: 191, name: "fix_hang" }]);
    addPlanner(
      "# Plan\n\n### Phase 1: One [NOT STARTED]\n- **Check**: file p1.txt exists\n\n### Phase 2: Two [NOT STARTED]\n\n### Phase 3: Three [NOT STARTED]\n",
    );
    const hung = join(dirname(project.root), "hung");
    addExecutor([
      `echo $phase >> ${join(dirname(project.root), "starts")}`,
      `sed -i 's/\\[NOT STARTED\\]/[COMPLETED]/' ${plan}`,
      `if [ $phase = 2 ] && [ ! -e ${hung} ]; then touch ${hung}; echo half > p2.txt; sleep 600; fi`,
      "echo done >> p$phase.txt",
    ]);
    commitAll(project);
    // The supervisor that serves everything below was started by a command with other settings.
    await project.ambit("run", "Nothing", "--id", "Z1", "--timeout", "5", "--", "true");
    expect((await project.ambit("plan", "191")).status).toBe(0);
    expect(project.git("status", "--porcelain")).toContain("?? specs/191_fix_hang/");

    const first = await project.ambit("implement", "191", "--timeout", "8");
    expect(first.status).toBe(124);
    expect(first.stdout).toContain("timed out after 8s during phase 2 of 3.");
    expect(first.stdout).toContain("Done: phase 1.");
    expect(first.stdout).toContain("Run `ambit implement 191` again to resume from phase 2.");
    expect(statusOf(191, read)).toBe("partial");
    expect(project.git("show", "ambit/T191-implement-1:p1.txt")).toBe("done\n");

    // Between the runs the person changes files, among them the plan.
    project.write(plan, `${read(plan)}\nA note of mine.\n`);
    project.write("a.txt", "mine\n");
    const second = await project.json("implement", "191");
    expect(second).toMatchObject({
      outcome: "completed",
      task_status: "completed",
      postflight: { git_commit_created: true, work_committed: true, task_files_committed: false },
    });
    expect(read("../starts")).toBe("1\n2\n2\n3\n");
    expect((await project.ambit("merge", "T191-implement-2", "--yes")).status).toBe(0);
    expect(project.git("show", "main:p2.txt")).toBe("half\ndone\n");
    expect(project.git("ls-tree", "-r", "--name-only", "main", "p1.txt", "p3.txt")).toBe("p1.txt\np3.txt\n");
    expect(read("a.txt")).toBe("mine\n");
    expect(read(plan)).toBe(
      "# Plan\n\n### Phase 1: One [COMPLETED]\n- **Check**: file p1.txt exists\n\n### Phase 2: Two [COMPLETED]\n\n### Phase 3: Three [COMPLETED]\n\nA note of mine.\n",
    );
  });

  it("is called proven only if a check ran for each phase (R79)", async () => {
    project = makeTaskProject([
      { number: 191, name: "fix_hang" },
      { number: 192, name: "other" },
    ]);
    addExecutor(["echo done >> p$phase.txt"]);
    project.write(plan, "### Phase 1: One\n### Phase 2: Two\n");
    const check = (number: number): string =>
      `### Phase ${number}: N\n- **Check**: file p${number}.txt exists\n`;
    project.write("specs/192_other/plans/implementation-001.md", check(1) + check(2));
    commitAll(project);
    const open = await project.ambit("implement", "191");
    expect(open.stdout).toContain(
      "  unproven branch ambit/T191-implement-1\n  why      not proven: it has no check;",
    );
    expect((await project.ambit("explain", "T191-implement-1")).stdout).toContain("not proven: no check ran");
    const proven = await project.ambit("implement", "192");
    expect(proven.stdout).toContain("  proven   branch ambit/T192-implement-1");
    expect((await project.ambit("explain", "T192-implement-1")).stdout).toContain("criterion was met");
  });

  it("does not complete its task while a phase is only claimed, or its check is red (R155)", async () => {
    project = makeTaskProject([{ number: 191, name: "fix_hang" }]);
    project.write(plan, "### Phase 1: One\n### Phase 2: Two\n- **Check**: file p2.txt exists\n");
    const ready = join(dirname(project.root), "ready");
    addExecutor([
      "[ $phase = 2 ] && echo x >> other.txt",
      `[ -e ${ready} ] && echo done >> p$phase.txt; true`,
    ]);
    commitAll(project);
    const claimed = await project.json("implement", "191");
    expect(claimed).toMatchObject({ outcome: "partial", code: "TASK_NOT_VERIFIED", task_status: "partial" });
    expect(claimed["summary"]).toContain("Phase 1 is not proven");
    project.write("../ready", "");
    project.write(plan, "### Phase 1: One\n### Phase 2: Two\n- **Check**: file p3.txt exists\n");
    const red = await project.json("implement", "191");
    expect(red).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED", task_status: "partial" });
    expect(red["summary"]).toContain("again to resume from phase 2.");
    project.write(plan, "### Phase 1: One\n### Phase 2: Two\n- **Check**: file p2.txt exists\n");
    expect(await project.json("implement", "191")).toMatchObject({ outcome: "completed" });
    expect(project.git("show", "ambit/T191-implement-3:p1.txt")).toBe("done\n");
    expect(existsSync(join(project.root, "p1.txt"))).toBe(false);
    expect(statusOf(191, read)).toBe("completed");
  });
});
