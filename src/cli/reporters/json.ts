import { formatSafeJson } from "../../base/safe-json.ts";
import { emptyView, seeEvent } from "../../app/story-view.ts";
import { endDocument } from "./agent.ts";
import type { Reporter, ReporterOutput } from "./reporter.ts";

export interface JsonOptions {
  readonly story: string;
  readonly output: ReporterOutput;
  readonly nowMs: () => number;
}

/** One JSON document per line on stdout: every event and every output as it comes, and at the end how it ended. */
export function jsonReporter({ story, output, nowMs }: JsonOptions): Reporter {
  let view = emptyView(story);
  const write = (fields: object): void => output.answer(formatSafeJson({ schema: "ambit/v1", ...fields }));
  return {
    answers: true,
    event: (event) => {
      view = seeEvent(view, event);
      write({ event });
    },
    output: (delegation, text) => write({ output: { delegation, text } }),
    note: output.progress,
    end: (ending) => write(endDocument(view, ending, nowMs())),
    close: () => undefined,
  };
}
