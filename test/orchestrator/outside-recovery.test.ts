import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { openReader } from "../../src/journal/open-reader.ts";
import { storeFile } from "../../src/journal/store-file.ts";
import { openProjectRuntime } from "../../src/supervisor/project-runtime.ts";
import { makeProject, until, userState } from "../e2e/project.ts";
import { describeAgent, runtimeOptions, useRuntime } from "./open-runtime.ts";
import { done, write } from "./steps.ts";
import { removeFolder } from "../e2e/remove-folder.ts";
import { useDoomedProgram } from "./use-doomed-program.ts";

const doomed = useDoomedProgram("test/orchestrator/doomed-outside.ts");

const STORY = "OUT";
const WORKER = "OUT-DEL-001";

/** Every event of a story with an external manager, and how it ends when the manager does not come back. */
const moments = [
  ["story-opened", STORY, "cancelled"],
  ["attempt-started", STORY, "cancelled"],
  ["work-kept", STORY, "cancelled"],
  ["delegation-admitted", WORKER, "completed"],
  ["delegation-parked", STORY, "completed"],
  ["attempt-started", WORKER, "completed"],
  ["delegation-returned", WORKER, "completed"],
  ["delegation-merged", WORKER, "completed"],
  ["delegation-closed", WORKER, "completed"],
  ["delegation-rejoined", STORY, "completed"],
  ["delegation-returned", STORY, "completed"],
  ["delegation-verified", STORY, "completed"],
  ["delegation-closed", STORY, "completed"],
] as const;

describe("a runtime that is killed while an external manager leads a story", () => {
  it.each(moments)(
    "right after %s of %s leaves the story to the next runtime, which ends it %s, once",
    async (type, delegation, outcome) => {
      const project = makeProject();
      describeAgent(project, "helper", [write("helped.txt", "x"), done()]);
      const before = userState(project);
      const options = runtimeOptions(project);
      await doomed.dieAt({ story: STORY, type, delegation, options });
      const nothing = (): void => undefined;
      const opened = await openProjectRuntime({
        ...options,
        onQuiet: nothing,
        onShutdown: nothing,
        outsideGraceMs: 0,
      });
      const runtime = useRuntime(project, opened);
      try {
        expect(await runtime.engine.whenEnded(STORY)).toMatchObject({
          outcome,
          attempt: type === "story-opened" ? 0 : 1,
        });
        await until("nothing is left to do", () => !runtime.engine.isBusy());
        expect(await closings(project.root)).toBe(1);
        const work = runtime.ref(`refs/heads/ambit/${STORY}`);
        expect(work === "" ? undefined : runtime.file(work, "helped.txt")).toBe(
          outcome === "completed" ? "x" : undefined,
        );
        expect(userState(project)).toEqual(before);
      } finally {
        await runtime.close();
        removeFolder(dirname(project.root));
      }
    },
  );
});

async function closings(root: string): Promise<number> {
  const reader = openReader(storeFile(root));
  try {
    const events = (await reader?.newestEvents(1000, { delegation: STORY })) ?? [];
    return events.filter(({ body }) => JSON.parse(body).type === "delegation-closed").length;
  } finally {
    await reader?.close();
  }
}
