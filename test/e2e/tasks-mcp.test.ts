import { dirname } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connect, type TestClient } from "../mcp/connect.ts";
import type { Project } from "./project.ts";
import { projectWith, taskFiles } from "./task-project.ts";

let project: Project;
let client: TestClient;
beforeEach(async () => {
  project = projectWith(
    [
      { number: 243, title: "Read the paper", status: "completed" },
      { number: 244, title: "Prove the lemma", language: "lean", priority: "high" },
    ],
    245,
  );
  client = await connect("current client", {
    directory: project.root,
    environment: { HOME: dirname(project.root), AMBIT_IDLE_MS: "400" },
  });
});
afterEach(async () => {
  await client.close();
  await project.remove();
});

it("an agent sees the same list as the command line, right after a change, and cannot change it (R136)", async () => {
  const before = taskFiles(project);
  expect((await client.call("tasks")).value).toMatchObject({
    tasks: [
      { id: "243", title: "Read the paper", status: "completed" },
      { id: "244", title: "Prove the lemma", status: "not_started", language: "lean", priority: "high" },
    ],
    more_tasks: 0,
  });
  expect(taskFiles(project)).toStrictEqual(before);
  await project.ambit("task", "status", "244", "researching");
  await project.ambit("task", "divide", "244", "--into", "First half", "Second half");
  expect((await client.call("tasks", { id: "244" })).value).toMatchObject({
    task: { status: "expanded", subtasks: ["245", "246"], dependencies: ["245", "246"] },
  });
  await project.ambit("task", "archive", "243");
  expect((await client.call("tasks", { id: "243" })).value).toMatchObject({ task: { status: "completed" } });
  const { tasks } = (await client.call("tasks")).value;
  expect(JSON.stringify(tasks)).not.toContain("Read the paper");
});

it("an unknown number and a broken file are reported to the agent as to a person (R66)", async () => {
  const unknown = await client.call("tasks", { id: "999" });
  expect(unknown).toMatchObject({ isError: true });
  expect(JSON.stringify(unknown.value)).toContain("999");
  project.write("specs/state.json", "{ broken");
  const broken = await client.call("tasks");
  expect(broken).toMatchObject({ isError: true });
  expect(JSON.stringify(broken.value)).toContain("TASK_FILE_BROKEN");
});
