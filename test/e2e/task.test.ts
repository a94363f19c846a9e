import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { Project } from "./project.ts";
import { makeProject } from "./project.ts";
import { commitAt, projectWith, readState, readTodo, taskFiles, todoText } from "./task-project.ts";

let project: Project;
afterEach(() => project.remove());

const active = (): unknown[] => readState(project).active_projects.map((entry) => entry["project_number"]);

describe("a new list", () => {
  it("is created by the first task; tasks are listed, shown, edited and moved (R133, R134, R135, R136)", async () => {
    project = makeProject();
    expect((await project.ambit("task", "list")).stdout).toContain("There are no tasks yet");
    const added = await project.json(
      "task",
      "add",
      "Fix the login",
      "--lang",
      "python",
      "--accept",
      "`npm test` passes",
    );
    expect(added).toMatchObject({
      status: "completed",
      metadata: { task_numbers: [1], success_count: 1, failure_count: 0 },
    });
    await project.ambit("task", "add", "Write the guide", "--priority", "high", "--depends", "1");
    expect(readTodo(project)).toMatch(/^### 1\. Fix the login$/m);
    expect(readTodo(project)).toMatch(/^- \*\*Language\*\*: python$/m);
    expect(readState(project)).toMatchObject({ next_project_number: 3 });
    expect((await project.ambit("task", "list", "--priority", "high")).stdout).toMatch(
      /^ +2 +not_started +high +general +Write the guide$/m,
    );
    expect((await project.ambit("task", "show", "1")).stdout).toContain("- `npm test` passes");
    expect((await project.ambit("task", "edit", "1", "--priority", "low")).stdout).toContain(
      "priority  medium → low",
    );
    expect((await project.ambit("task", "status", "1-2", "researching")).status).toBe(0);
    expect((await project.json("task", "list", "--status", "in_progress"))["count"]).toBe(2);
    const refused = await project.ambit("task", "status", "1", "completed");
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toContain("ILLEGAL_TRANSITION");
    const events = (await project.ambit("audit", "tasks")).stdout;
    expect(events).toMatch(/task-changed +task 1 +changed: priority low/);
    expect((await project.json("status"))["other_open_stories"]).toStrictEqual([]);
    expect(await project.json("stats")).toMatchObject({ total_delegations: 0 });
    // The person's git sees the two task files and nothing else of ours.
    expect(project.git("status", "--porcelain", "-uall").trim().split("\n")).toStrictEqual([
      "?? specs/TODO.md",
      "?? specs/state.json",
    ]);
  });
});

describe("dividing 326", () => {
  const parts = (third: unknown): string => JSON.stringify([{ title: "UI" }, { title: "Backend" }, third]);

  it("makes three subtasks and makes the parent wait for them (R142)", async () => {
    project = projectWith([{ number: 326, title: "Big thing" }], 327);
    const words = [
      "task",
      "divide",
      "326",
      "--prompt",
      "Focus on UI, backend, tests",
      "--into",
      "UI",
      "Backend",
      "Tests",
    ];
    expect(await project.json(...words)).toMatchObject({
      status: "completed",
      summary: expect.stringContaining("Divided task 326 into 3 subtasks"),
      metadata: {
        parent_task: 326,
        subtasks: [327, 328, 329],
        files_updated: expect.arrayContaining(["specs/TODO.md", "specs/state.json"]),
      },
      errors: [],
    });
    expect(readState(project).next_project_number).toBe(330);
    expect((await project.json("task", "show", "326"))["dependencies"]).toStrictEqual(["327", "328", "329"]);
  });

  it("undoes the two created subtasks byte for byte if the third fails (R42, R142)", async () => {
    project = projectWith([{ number: 326, title: "Big thing" }], 327);
    const before = taskFiles(project);
    project.write("../parts.json", parts({ title: "" }));
    const failed = await project.ambit("task", "divide", "326", "--from", "../parts.json", "--json");
    expect(JSON.parse(failed.stdout)).toMatchObject({
      status: "failed",
      summary: "Failed to divide task 326, rolled back 2 created subtasks",
      metadata: { parent_task: 326, subtasks_created: [327, 328], subtasks_rolled_back: [327, 328] },
      errors: [
        { code: "SUBTASK_CREATION_FAILED", recoverable: true, message: expect.stringContaining("subtask 3") },
      ],
      error: { code: "SUBTASK_CREATION_FAILED" },
    });
    expect(failed.status).toBe(1);
    const spoken = await project.ambit("task", "divide", "326", "--from", "../parts.json");
    expect(spoken).toMatchObject({ status: 1, stdout: "" });
    expect(spoken.stderr).toContain("rolled back 2 created subtasks");
    expect(taskFiles(project)).toStrictEqual(before);
    // The same division works once the third part is right, and gets the numbers of the first try.
    project.write("../parts.json", parts({ title: "Tests", after: [1, 2] }));
    expect(await project.json("task", "divide", "326", "--from", "../parts.json")).toMatchObject({
      metadata: { subtasks: [327, 328, 329] },
    });
  });
});

describe("dividing by an agent", () => {
  const good = '[{"title":"UI"},{"title":"Backend","after":[1],"criteria":["It answers"]}]';

  /** It writes `first`, and `good` when its prompt says that the list cannot be used. */
  function addDivider(first: string): void {
    project.write(
      "../divide.sh",
      [
        "prompt=$(cat)",
        `printf '%s' "$prompt" > "${dirname(project.root)}/prompt"`,
        "file=$(printf '%s' \"$prompt\" | sed -n 's/.*subtasks to \\([^ ]*\\), .*/\\1/p' | head -1)",
        'mkdir -p "$(dirname "$file")"',
        `case "$prompt" in *"could not be used"*) list='${good}';; *) list='${first}';; esac`,
        'printf %s "$list" > "$file"',
        `printf '{"status":"completed","summary":"Proposed them.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`,
        "",
      ].join("\n"),
    );
    project.write(
      ".ambit/agents/divider.md",
      `---\nadapter: command\ncommand: [sh, ${dirname(project.root)}/divide.sh]\n---\nDivide.\n`,
    );
  }

  const divide = (...more: string[]) =>
    project.json(
      "task",
      "divide",
      "326",
      "--prompt",
      "Focus on UI and backend",
      "--agent",
      "divider",
      ...more,
    );

  it("creates the subtasks that it proposes, and returns an unusable list once with the reason (R137)", async () => {
    project = projectWith([{ number: 326, title: "Big thing" }], 327);
    addDivider('[{"title":"UI"},{"title":""}]');
    expect(await divide("--dry-run")).toMatchObject({ dry_run: true, status: "completed" });
    expect(active()).toEqual([326]);
    expect(await divide()).toMatchObject({
      status: "completed",
      summary: expect.stringContaining("Divided task 326 into 2 subtasks"),
      metadata: { parent_task: 326, subtasks: [327, 328] },
    });
    expect(active()).toEqual([326, 327, 328]);
    expect(await project.json("task", "show", "328")).toMatchObject({
      title: "Backend",
      parent: "326",
      dependencies: ["327"],
      criteria: ["It answers"],
    });
    const prompt = readFileSync(join(project.root, "../prompt"), "utf8");
    expect(prompt).toContain("Big thing, as a person asked for it.");
    expect(prompt).toContain("Look at this when dividing: Focus on UI and backend");
    expect(prompt).toContain("Failed to create subtask 2");
  });

  it("changes nothing when no list can be used, or the agent does not finish (R137)", async () => {
    project = projectWith([{ number: 326, title: "Big thing" }], 327);
    const before = taskFiles(project);
    addDivider("[]");
    project.write(
      "../divide.sh",
      readFileSync(join(project.root, "../divide.sh"), "utf8").replace(good, "{]"),
    );
    expect(await divide()).toMatchObject({
      error: { code: "INPUT_UNREADABLE", message: expect.stringContaining("is not JSON") },
    });
    project.write("../divide.sh", "exit 3\n");
    expect(await divide()).toMatchObject({ outcome: "failed" });
    expect(taskFiles(project)).toEqual(before);
  });
});

describe("many tasks at once", () => {
  const four = [337, 343, 344, 345].map((number) => ({ number, title: `Task number ${number}` }));

  it("are abandoned, recovered in the order they are named, and archived when finished (R136, R137, R138, R139)", async () => {
    project = projectWith([...four, { number: 346, title: "Done one", status: "completed" as const }], 347);
    const abandoned = await project.json("task", "abandon", "343-345", "337", "--reason", "superseded");
    expect(abandoned).toMatchObject({
      status: "completed",
      metadata: { task_numbers: [343, 344, 345, 337], success_count: 4, failure_count: 0 },
    });
    expect(active()).toStrictEqual([346]);
    expect(readTodo(project)).not.toContain("343");
    expect((await project.ambit("task", "list", "--archived")).stdout).toMatch(/343 +abandoned/);
    const recovered = await project.json("task", "recover", "343-345,", "337");
    expect(recovered).toMatchObject({
      status: "completed",
      summary: expect.stringContaining("Recovered 4 tasks"),
      metadata: {
        task_numbers: [343, 344, 345, 337],
        success_count: 4,
        failure_count: 0,
        files_updated: expect.arrayContaining([
          "specs/TODO.md",
          "specs/state.json",
          "specs/archive/state.json",
        ]),
      },
    });
    expect(new Set(active())).toStrictEqual(new Set([337, 343, 344, 345, 346]));
    expect(readTodo(project)).toMatch(/^### 343\. Task number 343$/m);
    expect((await project.json("task", "archive", "all"))["metadata"]).toMatchObject({ task_numbers: [346] });
    expect((await project.ambit("task", "show", "346")).stdout).toContain("completed, archived");
    expect(readTodo(project)).toContain("Notes   of a person,  spaced oddly.");
  });

  it("change all or none; with --continue-on-error those that can change (R139, C24)", async () => {
    project = projectWith(four, 346);
    const before = taskFiles(project);
    const refused = await project.ambit("task", "status", "343,999,344", "planning", "--json");
    expect(refused.status).not.toBe(0);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      status: "failed",
      error: { code: "TASK_NOT_FOUND", message: expect.stringContaining("Task 999 not found in TODO.md") },
    });
    expect(taskFiles(project)).toStrictEqual(before);
    const partial = await project.ambit(
      "task",
      "status",
      "343,999,344",
      "planning",
      "--continue-on-error",
      "--json",
    );
    expect(partial.status).toBe(3);
    expect(JSON.parse(partial.stdout)).toMatchObject({
      status: "partial",
      metadata: { success_count: 2, failure_count: 1 },
    });
  });

  it("are only planned with --dry-run", async () => {
    project = projectWith(four, 346);
    const before = taskFiles(project);
    for (const words of [
      ["abandon", "343-345"],
      ["status", "all", "planning"],
      ["sync"],
      ["add", "New"],
      ["divide", "337", "--into", "A"],
    ]) {
      const answer = await project.ambit("task", ...words, "--dry-run");
      expect(answer).toMatchObject({ status: 0, stdout: expect.stringMatching(/^dry run: /) });
    }
    expect(taskFiles(project)).toStrictEqual(before);
    expect((await project.json("audit"))["events"]).toStrictEqual([]);
  });
});

describe("sync", () => {
  it("lets the later commit win field by field and reports it (R140, R141, C27)", async () => {
    const tasks = [343, 344, 345].map((number) => ({
      number,
      title: `Task number ${number}`,
      status: "planned" as const,
    }));
    project = projectWith(tasks, 346);
    const todo = join(project.root, "specs/TODO.md");
    writeFileSync(todo, edit(readTodo(project), 343, "[PLANNED]", "[PARTIAL]"));
    commitAt(project, "todo", "2026-01-06T09:00:00Z", "specs/TODO.md");
    const state = join(project.root, "specs/state.json");
    writeFileSync(state, readFileSync(state, "utf8").replace('"status": "planned"', '"status": "completed"'));
    commitAt(project, "state", "2026-01-07T10:00:00Z", "specs/state.json");
    writeFileSync(todo, edit(readTodo(project), 344, "medium", "high"));
    commitAt(project, "priority", "2026-01-08T09:00:00Z", "specs/TODO.md");
    const synced = await project.json("task", "sync", "343-345");
    expect(synced).toMatchObject({
      status: "completed",
      log: expect.arrayContaining(["Task 343: status from state.json (2026-01-07) > TODO.md (2026-01-06)"]),
      metadata: {
        synced_tasks: 3,
        conflicts_resolved: 2,
        conflict_details: expect.arrayContaining([
          {
            task_number: 343,
            field: "status",
            winner: "state.json",
            timestamp_state: expect.stringMatching(/^2026-01-07T10:00:00/),
            timestamp_todo: expect.stringMatching(/^2026-01-06T09:00:00/),
          },
          expect.objectContaining({ task_number: 344, field: "priority", winner: "TODO.md" }),
        ]),
      },
    });
    expect(readState(project).active_projects).toMatchObject([
      { project_number: 343, status: "completed", x_kept: { by: "another tool" } },
      { project_number: 344, status: "planned", priority: "high" },
      { project_number: 345, status: "planned", priority: "medium" },
    ]);
    expect(readTodo(project)).toMatch(
      /343\. Task number 343\n- \*\*Effort\*\*: 2 hours\n- \*\*Status\*\*: \[COMPLETED\]/,
    );
    expect((await project.ambit("task", "sync")).stdout).toContain("files  none");
  });
});

describe("looking something up", () => {
  it("lists and shows tasks that only TODO.md has, and says how to import them (R133, R140)", async () => {
    project = projectWith([{ number: 7, title: "One" }], 8);
    const entry = { number: 495, title: "Only here", status: "planned" as const, priority: "high" };
    const todo = readTodo(project) + todoText([entry], 8).split("## Tasks\n")[1];
    project.write("specs/TODO.md", todo);
    const before = taskFiles(project);
    expect(await project.json("task", "list")).toMatchObject({
      count: 2,
      tasks: [{ id: "7" }, { id: "495", title: "Only here", status: "planned", only_in_todo: true }],
    });
    expect((await project.ambit("task", "list")).stdout).toContain(
      "1 only in TODO.md (495); take them in with ambit task sync",
    );
    const shown = (await project.ambit("task", "show", "495")).stdout;
    expect(shown).toContain("Only here, as a person asked for it.");
    expect(shown).toContain("ambit task sync 495");
    for (const words of [
      ["run", "495"],
      ["task", "status", "495", "implementing"],
    ])
      expect((await project.ambit(...words)).stderr).toContain(
        "Task 495 is in specs/TODO.md, but not in specs/state.json",
      );
    expect(taskFiles(project)).toEqual(before);
    await project.ambit("task", "sync");
    expect(active()).toEqual([7, 495]);
    expect(JSON.stringify(await project.json("task", "list"))).not.toContain("only_in_todo");
  });

  it("loads no argument parser, schema library, database or cryptography (R143)", () => {
    project = projectWith([{ number: 7, title: "One" }], 8);
    for (const words of [["list"], ["show", "7"]]) {
      const { requests, schemas } = loadedModules(["task", ...words]);
      // The build that the tests run records its own coverage with the inspector.
      const foreign = requests.filter((request) => !/^[./]|^node:inspector$/.test(request));
      expect(foreign.toSorted()).toStrictEqual(["node:fs", "node:path"]);
      expect(schemas).toBe(false);
    }
    // Control: a command that does need them.
    expect(loadedModules(["config", "list"])).toMatchObject({ schemas: true });
  });

  const loadedSchema = z.object({ requests: z.array(z.string()), schemas: z.boolean() });

  function loadedModules(words: readonly string[]): z.infer<typeof loadedSchema> {
    const answer = join(project.root, "..", "loaded.json");
    execFileSync(
      process.execPath,
      ["--require", resolve("test/e2e/loaded-modules.cjs"), resolve("dist/cli/main.cjs"), ...words],
      { cwd: project.root, env: { PATH: process.env["PATH"] ?? "", LOADED_MODULES: answer } },
    );
    return loadedSchema.parse(JSON.parse(readFileSync(answer, "utf8")));
  }

  it("gives the same answer on the quick and the full path, and leaves unusual cases to the full one", async () => {
    project = projectWith(
      [
        { number: 7, title: "One" },
        { number: 8, title: "Two", language: "lean" },
      ],
      9,
    );
    for (const words of [
      ["list"],
      ["list", "--lang", "lean"],
      ["list", "--json"],
      ["show", "7"],
      ["show", "8", "--json"],
    ]) {
      const quick = await project.ambit("task", ...words);
      // A flag that changes nothing here forces the full path.
      const whole = await project.ambit("task", ...words, "--no-input");
      expect(quick).toStrictEqual(whole);
      expect(quick.status).toBe(0);
    }
    expect((await project.ambit("task", "list", "--nonsense")).stderr).toContain("unknown option");
    expect((await project.ambit("task", "show")).stderr).toContain("missing required argument");
    expect((await project.ambit("task", "list", "--help")).stdout).toContain("Usage: ambit task list");
  });
});

/** Replaces the first such word after a task's heading. */
function edit(text: string, number: number, from: string, to: string): string {
  const start = text.indexOf(`### ${number}.`);
  return text.slice(0, start) + text.slice(start).replace(from, to);
}
