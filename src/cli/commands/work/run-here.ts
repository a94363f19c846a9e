import { exitCode, type ExitCode } from "../../../contract/exit-code.ts";
import { runInProcess } from "../../../supervisor/run-in-process.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { createReporter } from "../../reporters/create-reporter.ts";
import { findProject } from "../../../app/open-project.ts";
import { describeEnding, EndingReader, type StoryEnding } from "./story-ending.ts";

/** `--in-process`: no supervisor, so every signal stops the story. */
export async function runHere(
  context: CommandContext,
  request: { readonly id: string },
): Promise<CommandOutcome> {
  const reporter = await createReporter(context, request.id);
  const signals = watchSignals((text) => reporter.note(text));
  const reader = new EndingReader(request.id);
  let ending: StoryEnding | undefined;
  try {
    await runInProcess(
      {
        projectRoot: findProject(context).root,
        version: context.version,
        environment: context.environment,
        workerProgram: [process.execPath, process.argv[1] ?? "", "__worker"],
        program: [process.execPath, process.argv[1] ?? ""],
        event: (event) => {
          reporter.event(event);
          ending = reader.see(event) ?? ending;
        },
        output: ({ delegation, text }) => reporter.output(delegation, text),
        abort: signals.abort,
      },
      request,
    );
    if (ending === undefined) throw new TypeError(`${request.id} ended without saying how`);
    reporter.end(ending);
    const outcome = describeEnding(ending, signals.owed());
    return reporter.answers ? { ...outcome, text: "" } : outcome;
  } finally {
    signals.release();
    reporter.close();
  }
}

function watchSignals(tell: (text: string) => void) {
  const abort = new AbortController();
  let owed: ExitCode | undefined;
  const stop = (code: ExitCode) => (): void => {
    owed ??= code;
    tell("Stopping; the work is kept…");
    abort.abort();
  };
  const onInterrupt = stop(exitCode.interrupted);
  const onTerminate = stop(exitCode.terminated);
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  process.on("SIGHUP", onTerminate);
  return {
    abort: abort.signal,
    owed: () => owed,
    release: () => {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onTerminate);
      process.off("SIGHUP", onTerminate);
    },
  };
}
