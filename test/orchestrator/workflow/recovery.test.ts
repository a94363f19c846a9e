import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProjectRuntime } from "../../../src/supervisor/project-runtime.ts";
import { until } from "../../e2e/project.ts";
import { addAgent, commitAll, makeTaskProject, statusOf } from "../../e2e/workflow-project.ts";
import { runtimeOptions, useRuntime } from "../open-runtime.ts";
import { removeFolder } from "../../e2e/remove-folder.ts";
import { useDoomedProgram } from "../use-doomed-program.ts";

const doomed = useDoomedProgram("test/orchestrator/workflow/doomed-workflow.ts");

const STORY = "T5-plan-1";
const WORKER = "T5-plan-1-DEL-001";
const plan = "specs/5_planned_one/plans/implementation-001.md";

/** Events on the way of a workflow command; the one without a delegation is the task store's own. */
const moments: readonly (readonly [type: string, delegation: string | null])[] = [
  ["story-opened", STORY],
  ["work-kept", STORY],
  ["delegation-admitted", WORKER],
  ["task-changed", null],
  ["delegation-parked", STORY],
  ["delegation-closed", WORKER],
  ["workflow-settled", STORY],
  ["delegation-verified", STORY],
];

describe("a runtime that is killed during a workflow command", () => {
  it.each(moments)(
    "right after %s of %s leaves the task to the next runtime, which settles it once (C19, R144, R151, R159)",
    async (type, delegation) => {
      const project = makeTaskProject([{ number: 5, name: "planned_one" }]);
      addAgent(project, "planner", [
        `- write: {path: ${plan}, text: "### Phase 1: All [NOT STARTED]\\n"}`,
        `- return: {status: completed, summary: "One phase.", artifacts: [{type: plan, path: ${plan}}]}`,
      ]);
      commitAll(project);
      const options = runtimeOptions(project);
      await doomed.dieAt({ type, delegation, options });
      const nothing = (): void => undefined;
      const opened = await openProjectRuntime({ ...options, onQuiet: nothing, onShutdown: nothing });
      const runtime = useRuntime(project, opened);
      const read = (path: string): string => readFileSync(join(project.root, path), "utf8");
      try {
        expect(await runtime.engine.whenEnded(STORY)).toMatchObject({ outcome: "completed", attempt: 1 });
        await until("nothing is left to do", () => !runtime.engine.isBusy());
        expect(statusOf(5, read)).toBe("planned");
        expect(read("specs/TODO.md").split("/plans/implementation-001.md)")).toHaveLength(2);
        expect(read("specs/TODO.md")).toContain("[PLANNED]");
        expect(read(plan)).toBe("### Phase 1: All [NOT STARTED]\n");
        const workers = (await runtime.engine.tools.store.storyTree(STORY)).filter(
          ({ depth }) => depth === 1,
        );
        expect(workers).toHaveLength(1);
        expect(project.git("log", "--format=%s", "main")).toBe("tasks\nstart\n");
      } finally {
        await runtime.close();
        removeFolder(dirname(project.root));
      }
    },
  );
});
