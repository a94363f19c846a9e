import { formatSafeJson } from "../../base/safe-json.ts";
import { buildViewDocument } from "../../app/story-view.ts";
import { type StoryView, emptyView, seeEvent } from "../../app/story-view.ts";
import { sumStoryTotals } from "../../app/story-view.ts";
import { commandFor } from "../render/story-tree/row.ts";
import type { Reporter, ReporterOutput, StoryEnd } from "./reporter.ts";
import { changeName, describeChanges } from "./story-changes.ts";

export interface AgentOptions {
  readonly story: string;
  readonly output: ReporterOutput;
  readonly nowMs: () => number;
}

/** For an agent that called the command: only what it must act on, and at the end one JSON document. */
export function agentReporter({ story, output, nowMs }: AgentOptions): Reporter {
  let view = emptyView(story);
  return {
    answers: true,
    event: (event) => {
      const after = seeEvent(view, event);
      const urgent = describeChanges(view, after, { event, ascii: true }).filter(
        ({ severity }) => severity !== "info",
      );
      for (const change of urgent) output.progress(`${changeName(change)} ${change.text}`);
      view = after;
    },
    output: () => undefined,
    note: output.progress,
    end: (ending) => output.answer(formatSafeJson(endDocument(view, ending, nowMs()))),
    close: () => undefined,
  };
}

/** The last document of a followed story. */
export function endDocument(
  view: StoryView,
  { story, outcome, code, summary }: StoryEnd,
  nowMs: number,
): Readonly<Record<string, unknown>> {
  const questions = sumStoryTotals(view, nowMs).needsYou.flatMap((node) =>
    node.approvals.map((asked) => ({
      id: node.id,
      kind: asked.kind,
      question: asked.question,
      command: commandFor(node, asked),
    })),
  );
  return {
    schema: "ambit/v1",
    ...buildViewDocument(view, nowMs),
    story,
    outcome,
    code,
    summary,
    needs_action: questions,
  };
}
