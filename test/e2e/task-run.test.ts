import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { until, type Project } from "./project.ts";
import { projectWith, readTodo, taskFiles } from "./task-project.ts";

let project: Project;
beforeEach(async () => {
  project = projectWith([{ number: 326, title: "Write the guide" }], 327);
  await project.ambit("task", "edit", "326", "--accept", "`test -s guide.md` exits with code 0");
});
afterEach(() => project.remove());

function script(text: string): string {
  project.write("../worker.yaml", text);
  return join(dirname(project.root), "worker.yaml");
}

const good = `- write: {path: guide.md, text: "Hello\\n"}\n- return: {status: completed, summary: Wrote it. All tests pass.}\n`;
const boast = `- return: {status: completed, summary: Wrote it. All tests pass.}\n`;
const statusOf = async (): Promise<unknown> => (await project.json("task", "show", "326"))["status"];

it("a number runs the task from the list; the verified end completes it, not the worker's claim (R66, C20)", async () => {
  const ended = await project.json("run", "326", "--script", script(good), "--in-process");
  expect(ended).toMatchObject({
    story: expect.stringMatching(/^T326-/),
    outcome: "completed",
    task: { id: "326", status: "completed" },
  });
  expect(await statusOf()).toBe("completed");
  expect(readTodo(project)).toContain("- **Status**: [COMPLETED]");
  // The worker's prompt contains the text of the task.
  const prompt = join(project.root, ".git/ambit/logs", String(ended["story"]), "attempt-1/prompt.md");
  expect(readFileSync(prompt, "utf8")).toContain("Write the guide, as a person asked for it.");
  const again = await project.ambit("run", "326", "--script", script(good), "--in-process");
  expect(again.stderr).toContain("ILLEGAL_TRANSITION");
});

it("a worker that claims green tests with red ones completes nothing, and the failed criterion is named", async () => {
  const ended = await project.ambit("run", "326", "--script", script(boast), "--in-process");
  expect(ended.status).not.toBe(0);
  expect(`${ended.stdout}${ended.stderr}`).toContain("test -s guide.md");
  expect(await statusOf()).toBe("partial");
  expect((await project.ambit("run", "326", "--script", script(good), "--in-process")).status).toBe(0);
  expect(await statusOf()).toBe("completed");
});

it("a task is settled by the supervisor when no client watches", async () => {
  expect((await project.ambit("run", "#326", "--script", script(good), "--detach")).status).toBe(0);
  await until("the task is completed", async () => (await statusOf()) === "completed");
  const { stdout } = await project.ambit("audit", "--limit", "100");
  expect(stdout).toMatch(/task 326 +changed: status completed/);
});

it("a task is settled by the next runtime if the last one died after the story's end", async () => {
  await project.ambit("run", "326", "--script", script(boast), "--in-process");
  // The same state as if that runtime had been killed right before it settled the task.
  await project.ambit("task", "status", "326", "implementing");
  await project.ambit("run", "another", "--script", script(boast), "--in-process");
  expect(await statusOf()).toBe("partial");
});

it("ambit run starts nothing for an unknown task number, and leaves the list alone if it cannot start", async () => {
  const before = taskFiles(project);
  expect((await project.ambit("run", "999", "--script", "x")).stderr).toContain(
    "Task 999 not found in TODO.md",
  );
  expect(taskFiles(project)).toStrictEqual(before);
  const failed = await project.ambit("run", "326", "--agent", "nobody-of-this-name", "--in-process");
  expect(failed.status).not.toBe(0);
  expect(await statusOf()).toBe("not_started");
});
