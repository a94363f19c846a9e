import type { Delegation } from "../journal/store.ts";
import { asProjectOwner } from "./project-lock.ts";
import { openProjectRuntime, type ProjectRuntimeOptions } from "./project-runtime.ts";

type StopOptions = Omit<ProjectRuntimeOptions, "onQuiet" | "onShutdown" | "continuesNothing">;

/**
 * Ends a whole story while no supervisor runs, without continuing anything: processes that a dead supervisor left are
 * ended, the story's work is kept, and other stories stay as they are for the next supervisor.
 */
export function stopInProcess(options: StopOptions, story: string, reason: string): Promise<Delegation> {
  return asProjectOwner(options, async () => {
    const nothing = (): void => undefined;
    const runtime = await openProjectRuntime({
      ...options,
      continuesNothing: true,
      onQuiet: nothing,
      onShutdown: nothing,
    });
    try {
      await runtime.engine.stop(story, { reason, by: "person" });
      return await runtime.engine.whenEnded(story);
    } finally {
      await runtime.close();
    }
  });
}
