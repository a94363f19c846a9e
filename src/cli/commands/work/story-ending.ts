import { exitCodeFor } from "../../../contract/error-code.ts";
import { exitCode, type ExitCode } from "../../../contract/exit-code.ts";
import type { JournalEvent } from "../../../contract/journal-event.ts";
import type { CommandOutcome } from "../../command-module.ts";
import { visibleText } from "../../../base/visible-text.ts";

/** How a story ended, as its own closing event says. */
export interface StoryEnding {
  readonly story: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly summary: string;
  readonly filesChanged: readonly string[];
  /** The branch with its proven work, and the one with what is not proven. */
  readonly merged: boolean;
}

/** Reads the end out of a story's events; undefined while it goes on. */
export class EndingReader {
  readonly #story: string;
  #merged = false;

  constructor(story: string) {
    this.#story = story;
  }

  see(event: JournalEvent): StoryEnding | undefined {
    if (event.type === "delegation-merged" && event.data.into === `refs/heads/ambit/${this.#story}`)
      this.#merged = true;
    if (event.type !== "delegation-closed" || event.delegation !== this.#story) return undefined;
    const { outcome, code, summary, filesChanged } = event.data;
    return { story: this.#story, outcome, code, summary, filesChanged, merged: this.#merged };
  }
}

/** The end in words and as an exit status; `signalled` is what a signal owes. */
export function describeEnding(ending: StoryEnding, signalled: ExitCode | undefined): CommandOutcome {
  const { story, outcome, code, summary, filesChanged, merged } = ending;
  const own = outcome === "completed" || filesChanged.length === 0 ? null : `delegation/${story}`;
  const branch = merged ? `ambit/${story}` : own;
  const lines = [
    `${outcome}${code === null ? "" : ` (${code})`}  ${visibleText(summary)}`,
    ...(merged ? [`  proven   branch ambit/${story}`] : []),
    ...(own === null ? [] : [`  kept     branch ${own}`]),
    ...nextLines(ending, own),
  ];
  return {
    exitCode: signalled ?? exitCodeOf(outcome, code),
    json: { story, outcome, code, summary, files_changed: filesChanged.length, branch, merged },
    text: lines.join("\n"),
  };
}

function nextLines({ story, outcome, merged }: StoryEnding, own: string | null): readonly string[] {
  if (outcome === "completed" && merged) return [`  next     ambit diff ${story}    ambit merge ${story}`];
  if (outcome === "completed") return [];
  return [
    `  next     ambit explain ${story}    ambit resume ${story}`,
    ...(own === null ? [] : [`  look     ambit diff ${story}`]),
  ];
}

const exitCodes: Readonly<Record<string, ExitCode>> = {
  completed: exitCode.completed,
  partial: exitCode.partial,
  blocked: exitCode.blocked,
  timed_out: exitCode.deadline,
  cancelled: exitCode.partial,
};

function exitCodeOf(outcome: string, code: string | null): ExitCode {
  if (outcome === "completed") return exitCode.completed;
  const byCode = code === null ? undefined : exitCodeFor(code);
  const telling: readonly (ExitCode | undefined)[] = [
    exitCode.limit,
    exitCode.deadline,
    exitCode.conflict,
    exitCode.environment,
  ];
  return byCode !== undefined && telling.includes(byCode) ? byCode : (exitCodes[outcome] ?? exitCode.failed);
}
