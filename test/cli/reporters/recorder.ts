import type { Reporter, ReporterOutput } from "../../../src/cli/reporters/reporter.ts";
import type { StoryTape } from "../../reports/story-tape.ts";
import { STORY, timeOf } from "../../reports/story-tape.ts";

/** Keeps what a reporter writes, stream by stream. */
export class Recorder {
  readonly answers: string[] = [];
  readonly lines: string[] = [];
  readonly output: ReporterOutput = {
    answer: (text) => void this.answers.push(text),
    progress: (text) => void this.lines.push(text),
  };
}

export const now = {
  nowMs: () => timeOf("12:04:31"),
  timeOfDay: (at: string | number) => new Date(at).toISOString().slice(11, 19),
} as const;

export const ended = { story: STORY, outcome: "partial", code: "NOT_JSON", summary: "Half of it." } as const;

export function play(reporter: Reporter, tape: StoryTape): void {
  for (const event of tape.events) reporter.event(event);
}
