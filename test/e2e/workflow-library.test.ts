import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import type { Project } from "./project.ts";
import { addAgent, commitAll, makeTaskProject, statusOf } from "./workflow-project.ts";

let project: Project;
afterEach(() => project.remove());

const program = `import { createRuntime } from "ambit";
const runtime = await createRuntime({ directory: process.argv[2] });
try {
  const ended = await runtime.workflow({ command: "plan", task: "5" });
  console.log(ended.outcome, ended.summary.split("\\n")[1]);
  await runtime.workflow({ command: "plan", task: "5" });
} catch (error) {
  console.log(error.code);
} finally {
  await runtime.close();
}
`;

it("runs workflow commands from a program as from the command line, and throws refusals with their code (R154)", async () => {
  project = makeTaskProject([{ number: 5, name: "planned_one" }]);
  const plan = "specs/5_planned_one/plans/implementation-001.md";
  addAgent(project, "planner", [
    `- write: {path: ${plan}, text: "### Phase 1: All [NOT STARTED]\\n"}`,
    `- return: {status: completed, summary: "One phase.", artifacts: [{type: plan, path: ${plan}}]}`,
  ]);
  commitAll(project);
  const folder = dirname(project.root);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("."), join(folder, "node_modules", "ambit"));
  writeFileSync(join(folder, "program.mjs"), program);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, "program.mjs"), project.root],
    {
      env: { PATH: process.env["PATH"], HOME: folder, AMBIT_TRUST: "1" },
    },
  );
  expect(stdout).toBe("completed Task 5 is [PLANNED].\nPLAN_EXISTS\n");
  expect(statusOf(5, (path) => readFileSync(join(project.root, path), "utf8"))).toBe("planned");
});
