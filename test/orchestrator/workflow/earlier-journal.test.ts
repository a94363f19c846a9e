import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { openWorkflow } from "../../../src/orchestrator/open-workflow.ts";
import { openProjectRuntime } from "../../../src/supervisor/project-runtime.ts";
import { removeFolder } from "../../e2e/remove-folder.ts";
import { addAgent, commitAll, makeTaskProject, statusOf } from "../../e2e/workflow-project.ts";
import { runtimeOptions, useRuntime } from "../open-runtime.ts";

const plan = "specs/5_planned_one/plans/implementation-001.md";

it("a workflow command that an earlier version stored with the adapter 'outside' continues", async () => {
  const project = makeTaskProject([{ number: 5, name: "planned_one" }]);
  addAgent(project, "planner", [
    `- write: {path: ${plan}, text: "### Phase 1: All [NOT STARTED]\\n"}`,
    `- return: {status: completed, summary: "One phase.", artifacts: [{type: plan, path: ${plan}}]}`,
  ]);
  commitAll(project);
  const nothing = (): void => undefined;
  const options = { ...runtimeOptions(project), onQuiet: nothing, onShutdown: nothing };
  const runtime = useRuntime(project, await openProjectRuntime(options));
  try {
    const { engine } = runtime;
    const { store } = engine.tools;
    const { story: id } = await openWorkflow(engine.tools, { command: "plan", task: "5" });
    const { work } = (await store.delegation(id)) ?? {};
    const story = await store.story(id);
    if (work === undefined || work === null || story === undefined) throw new TypeError("no story");
    expect(work.adapter).toBe("workflow");
    const earlier = "T5-plan-2";
    await store.openStory({
      id: earlier,
      kind: "workflow",
      title: story.title,
      agent: "plan",
      limits: story.limits,
      work: { ...work, adapter: "outside" },
    });
    await expect(engine.externalManagers.join(earlier)).rejects.toMatchObject({ code: "STORY_NOT_FOUND" });
    engine.consider(earlier);
    expect(await engine.whenEnded(earlier)).toMatchObject({ outcome: "completed", attempt: 1 });
    expect(statusOf(5, (path) => readFileSync(join(project.root, path), "utf8"))).toBe("planned");
  } finally {
    await runtime.close();
    removeFolder(dirname(project.root));
  }
});
