import { safeText } from "../../base/safe-text.ts";
import { nameOf, emptyView, seeEvent } from "../../app/story-view.ts";
import type { Reporter, ReporterOutput } from "./reporter.ts";
import { LiveLines } from "./live-lines.ts";
import { changeName, describeChanges } from "./story-changes.ts";

export interface PlainOptions {
  readonly story: string;
  readonly output: ReporterOutput;
  readonly ascii: boolean;
  /** Also shows what workers write when there are several of them. */
  readonly verbose: boolean;
  readonly timeOfDay: (at: string | number) => string;
  readonly nowMs: () => number;
}

/** One line per change of state, for logs and pipes: `12:04:31 2.2 running → partial COST_LIMIT_EXCEEDED $5.00`. */
export function plainReporter({ story, output, ascii, verbose, ...time }: PlainOptions): Reporter {
  let view = emptyView(story);
  const { progress } = output;
  const live = new LiveLines({ nowMs: time.nowMs, ascii });
  const showLines = (delegation: string, lines: readonly string[]): void => {
    const node = view.nodes.get(delegation);
    const name = safeText(node === undefined ? delegation : nameOf(node));
    for (const line of lines) progress(`${time.timeOfDay(time.nowMs())} ${name} | ${line}`);
  };
  const release = (delegation: string): void => showLines(delegation, live.release(delegation));
  return {
    answers: false,
    event: (event) => {
      const after = seeEvent(view, event);
      const changes = describeChanges(view, after, { event, ascii });
      for (const { node } of changes) release(node.id);
      for (const change of changes)
        progress(`${time.timeOfDay(change.at)} ${changeName(change)} ${change.text}`);
      view = after;
    },
    output: (delegation, text) => {
      // One worker alone is why the command was given; of many, their output would hide what happens.
      if (!verbose && view.nodes.size > 1) return;
      showLines(delegation, live.admit(delegation, outputLines(text)));
    },
    note: progress,
    end: () => {
      for (const delegation of live.hiding) release(delegation);
    },
    close: () => undefined,
  };
}

/** Lines with something on them, fit for a terminal. */
export function outputLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => safeText(line).trimEnd())
    .filter((line) => line !== "");
}
