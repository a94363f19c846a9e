/** Runs the story in a runtime of its own and kills itself with SIGKILL at the event it is told: a crash to the line. */
import { resolve } from "node:path";
import { asProjectOwner } from "../../../src/supervisor/project-lock.ts";
import { openProjectRuntime } from "../../../src/supervisor/project-runtime.ts";
import { STORY, storyRequest } from "./make-story.ts";

export interface RunnerOrder {
  readonly root: string;
  readonly home: string;
  /** Killed when the journal has this many events; never when 0. */
  readonly killAt: number;
  /** Lets this much time pass first: 0 is before the effect the event announces, more is during or after it. */
  readonly afterMs: number;
}

export async function runOnce(order: RunnerOrder): Promise<void> {
  const dist = resolve("dist/cli/main.cjs");
  await asProjectOwner({ projectRoot: order.root, version: "0" }, async () => {
    const runtime = await openProjectRuntime({
      projectRoot: order.root,
      version: "0",
      environment: { PATH: process.env["PATH"], HOME: order.home },
      workerProgram: [process.execPath, dist, "__worker"],
      program: [process.execPath, dist],
      onQuiet: () => undefined,
      onShutdown: () => undefined,
      onEvent: ({ seq }) => {
        if (order.killAt === 0 || seq < order.killAt) return;
        if (order.afterMs === 0) process.kill(process.pid, "SIGKILL");
        setTimeout(() => process.kill(process.pid, "SIGKILL"), order.afterMs);
      },
    });
    const { engine } = runtime;
    engine.tools.store.onEvent((event) => {
      if (event.type === "approval-requested" && event.data.kind === "clarification")
        void engine
          .answer(event.data.approvalId, { answer: "replied", by: "person", reason: "blue" })
          .catch(() => undefined);
    });
    for (const { id } of await engine.tools.store.openApprovals(100))
      await engine.answer(id, { answer: "replied", by: "person", reason: "blue" });
    if ((await engine.tools.store.delegation(STORY)) === undefined) await engine.openStory(storyRequest);
    await engine.whenEnded(STORY);
    await runtime.close();
  });
}
