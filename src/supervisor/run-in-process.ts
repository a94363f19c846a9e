import { createRunTools, type RunToolsOptions } from "../orchestrator/create-run-tools.ts";
import { runStory, storyOf } from "../orchestrator/pipeline.ts";
import { recoverOpenWork } from "../orchestrator/recover.ts";
import { asProjectOwner } from "./project-lock.ts";
import { describeRun, type StoryEnding } from "./story-ending.ts";

export interface InProcessOptions extends Omit<RunToolsOptions, "owner"> {
  readonly version: string;
  /** Aborting stops the story; its work is kept. */
  readonly abort: AbortSignal;
}

const ABORT_LOOK_MS = 200;

/** Runs one story with the same runtime and no supervisor: for CI, containers and programs. */
export function runInProcess(options: InProcessOptions, request: unknown): Promise<StoryEnding> {
  const story = storyOf(request);
  return asProjectOwner(options, async () => {
    const tools = await createRunTools({ ...options, owner: `process ${process.pid}` });
    // Again and again: it may be aborted before the store knows the story.
    const timer = setInterval(() => {
      if (options.abort.aborted) void tools.store.requestCancel(story, "stopped", "person");
    }, ABORT_LOOK_MS);
    try {
      await recoverOpenWork(tools);
      return describeRun(await runStory(tools, request));
    } finally {
      clearInterval(timer);
      await tools.store.close();
    }
  });
}
