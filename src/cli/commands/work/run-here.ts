import type { RunNotice } from "../../../orchestrator/run-tools.ts";
import { runInProcess } from "../../../supervisor/run-in-process.ts";
import { exitCode, type ExitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { findProject } from "../report/project-store.ts";
import { describeEnding, showNotice } from "./show-story.ts";

/** `--in-process`: no supervisor, so every signal stops the story. */
export async function runHere(context: CommandContext, request: unknown): Promise<CommandOutcome> {
  const abort = new AbortController();
  let signalled: ExitCode | undefined;
  const stop = (code: ExitCode) => (): void => {
    signalled ??= code;
    context.progress("Stopping; the work is kept…");
    abort.abort();
  };
  const onInterrupt = stop(exitCode.interrupted);
  const onTerminate = stop(exitCode.terminated);
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  process.on("SIGHUP", onTerminate);
  try {
    const ending = await runInProcess(
      {
        projectRoot: findProject(context).root,
        version: context.version,
        environment: context.environment,
        workerProgram: [process.execPath, process.argv[1] ?? "", "__worker"],
        watch: (notice: RunNotice) => showNotice(context, notice.kind, notice),
        abort: abort.signal,
      },
      request,
    );
    return describeEnding(ending, signalled);
  } finally {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onTerminate);
    process.off("SIGHUP", onTerminate);
  }
}
