import type { JournalEvent } from "../contract/journal-event.ts";
import type { Delegation } from "../journal/store.ts";
import { readStoryId } from "../orchestrator/open-story.ts";
import type { RunNotice } from "../orchestrator/create-run-tools.ts";
import { asProjectOwner } from "./project-lock.ts";
import { openProjectRuntime, type ProjectRuntimeOptions } from "./project-runtime.ts";

export interface InProcessOptions extends Omit<ProjectRuntimeOptions, "onQuiet" | "onShutdown"> {
  readonly event: (event: JournalEvent) => void;
  readonly output: (notice: RunNotice) => void;
  /** Receives warnings for the person, although the story starts. */
  readonly warn: (text: string) => void;
  /** Aborting stops the story; its work is kept. */
  readonly abort: AbortSignal;
  /** Resolves when the story is to be left open, because it waits for a person and none can be asked. */
  readonly leave?: (isBusy: () => boolean) => Promise<void>;
}

/**
 * Runs one story with the same runtime but without a supervisor process: for CI and containers. Returns its end;
 * undefined if it was left open.
 */
export function runInProcess(options: InProcessOptions, request: unknown): Promise<Delegation | undefined> {
  const story = readStoryId(request);
  return asProjectOwner(options, async () => {
    const nothing = (): void => undefined;
    const runtime = await openProjectRuntime({ ...options, onQuiet: nothing, onShutdown: nothing });
    const { engine, watchers } = runtime;
    const { event, output } = options;
    const leave = watchers.watch(story, { event, output });
    const stop = (): void => void engine.stop(story, { reason: "stopped", by: "person" }).catch(nothing);
    try {
      await engine.openStory(request, { warn: options.warn });
      options.abort.addEventListener("abort", stop);
      if (options.abort.aborted) stop();
      const left = options.leave?.(() => engine.isBusy(story)).then(() => undefined);
      return await Promise.race([engine.whenEnded(story), ...(left === undefined ? [] : [left])]);
    } finally {
      options.abort.removeEventListener("abort", stop);
      leave();
      await runtime.close();
    }
  });
}
