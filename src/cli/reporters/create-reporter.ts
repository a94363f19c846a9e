import { systemClock } from "../../base/clock.ts";
import type { ReporterName } from "../input/choose-reporter.ts";
import type { CommandContext } from "../input/command-module.ts";
import { writeOutput } from "../terminal/write-output.ts";
import type { GithubOptions } from "./github.ts";
import { timeOfDay } from "../render/time-of-day.ts";
import { silentReporter, type Reporter, type ReporterOutput } from "./reporter.ts";

export interface ReporterWishes {
  /** The last line of a live tree: which keys do what. */
  readonly hint?: string;
}

/** The reporter the flags and the environment ask for, loaded only when it is. */
export async function createReporter(
  context: CommandContext,
  story: string,
  wishes: ReporterWishes = {},
): Promise<Reporter> {
  const output: ReporterOutput = {
    answer: (text) => void writeOutput("stdout", text),
    progress: context.progress,
  };
  const name = reporterFor(await context.reporter(), context);
  const nowMs = (): number => systemClock.wallMs();
  switch (name) {
    case "tree":
      return context.quiet ? silentReporter : treeReporter(context, story, wishes);
    case "agent":
      return (await import("./agent.ts")).agentReporter({ story, output, nowMs });
    case "json":
      return (await import("./json.ts")).jsonReporter({ story, output, nowMs });
    case "plain": {
      const { ascii, verbose } = context;
      const { plainReporter } = await import("./plain.ts");
      return plainReporter({ story, output, ascii, verbose, nowMs, timeOfDay });
    }
    case "github": {
      const summary = await summaryFile(context);
      const { githubReporter } = await import("./github.ts");
      return githubReporter({ story, output, nowMs, summary, timeOfDay });
    }
  }
}

/** `--json` promises one document on stdout, which the frame prints: what happens meanwhile goes to stderr as text. */
function reporterFor(name: ReporterName, { json }: CommandContext): ReporterName {
  return name === "json" && json ? "plain" : name;
}

async function treeReporter(
  context: CommandContext,
  story: string,
  { hint }: ReporterWishes,
): Promise<Reporter> {
  const [{ TreeReporter }, { errorScreen }, { paint }, { processTerminal }, notify] = await Promise.all([
    import("./tree.ts"),
    import("./tree/screen.ts"),
    import("../terminal/paint.ts"),
    import("../terminal/process-terminal.ts"),
    import("../../app/notify-mode.ts").then(({ readNotifyMode }) => readNotifyMode(context)),
  ]);
  return new TreeReporter({
    story,
    notify,
    screen: errorScreen(context),
    isTty: processTerminal.isTty("stderr"),
    clock: systemClock,
    setTimer: (delayMs, action) => {
      const timer = setTimeout(action, delayMs);
      return () => clearTimeout(timer);
    },
    ascii: context.ascii,
    paint: paint(context.color("stderr")),
    hint,
  });
}

/** GitHub drops a step's summary that is larger. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** A summary that cannot be written causes a warning; the story goes on. */
async function summaryFile(context: CommandContext): Promise<GithubOptions["summary"]> {
  const file = context.environment["GITHUB_STEP_SUMMARY"];
  if (file === undefined || file === "") return undefined;
  const [{ appendFileSync, statSync }, { readErrorMessage: messageOf }] = await Promise.all([
    import("node:fs"),
    import("../../base/delegation-error.ts"),
  ]);
  return {
    room: () => MAX_SUMMARY_BYTES - sizeOf(() => statSync(file)),
    append: (markdown) => {
      try {
        appendFileSync(file, markdown);
      } catch (error) {
        context.warn(`The job summary could not be written: ${messageOf(error)}`);
      }
    },
  };
}

function sizeOf(look: () => { readonly size: number }): number {
  try {
    return look().size;
  } catch {
    // The file is missing or unreadable; writing to it will show which.
    return 0;
  }
}
