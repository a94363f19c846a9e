import { nameOf, shownState, stateWord, type StoryNode, emptyView, seeEvent } from "../../app/story-view.ts";
import { oneLine } from "../render/story-tree/row.ts";
import { renderSummary } from "./github/summary.ts";
import { plainLine } from "../terminal/runner-commands.ts";
import { workflowCommand } from "./github/workflow-command.ts";
import { outputLines } from "./plain.ts";
import type { Reporter, ReporterOutput } from "./reporter.ts";
import { changeName, describeChanges, type StoryChange } from "./story-changes.ts";

export interface GithubOptions {
  readonly story: string;
  readonly output: ReporterOutput;
  readonly timeOfDay: (at: string | number) => string;
  readonly nowMs: () => number;
  /** The job's summary; undefined where there is none. */
  readonly summary: { readonly room: () => number; readonly append: (markdown: string) => void } | undefined;
}

const MAX_LINES = 200;
const MAX_FILES = 10;
/** A job shows no more of each kind; the lines themselves are all in its log. */
const MAX_ANNOTATIONS = 10;
const MAX_LINE_LENGTH = 2000;

/**
 * For a GitHub job: a line per change, what each worker wrote in a fold of its own, problems as annotations at their
 * files, and a table in the job's summary. Nothing a worker writes can become a command to the runner.
 */
export function githubReporter(options: GithubOptions): Reporter {
  const { story, output, timeOfDay } = options;
  let view = emptyView(story);
  const written = new Map<string, readonly string[]>();
  const annotated = { warning: 0, error: 0 };
  const tell = (change: StoryChange): void => {
    output.progress(plainLine(cut(`${timeOfDay(change.at)} ${changeName(change)} ${change.text}`)));
    for (const { command, line } of annotate(change)) {
      annotated[command] += 1;
      if (annotated[command] <= MAX_ANNOTATIONS) output.progress(line);
    }
    if (change.node.state !== "closed") return;
    for (const line of foldOutput(change.node, written.get(change.node.id) ?? [])) output.progress(line);
    written.delete(change.node.id);
  };
  return {
    answers: false,
    event: (event) => {
      const after = seeEvent(view, event);
      for (const change of describeChanges(view, after, { event, ascii: false })) tell(change);
      view = after;
    },
    output: (delegation, text) => {
      const lines = [...(written.get(delegation) ?? []), ...outputLines(text).map(cut)];
      written.set(delegation, lines.slice(-MAX_LINES));
    },
    note: (text) => {
      for (const line of outputLines(text)) output.progress(plainLine(line));
    },
    end: (ending) => {
      const { summary, nowMs } = options;
      summary?.append(renderSummary(view, ending, { nowMs: nowMs(), room: summary.room() }));
    },
    close: () => undefined,
  };
}

const commands = { info: undefined, warning: "warning", error: "error", question: "warning" } as const;

interface Annotation {
  readonly command: "warning" | "error";
  readonly line: string;
}

/** Shown on the job's page, at the files in the way where there are any. */
function annotate({ node, text, severity }: StoryChange): readonly Annotation[] {
  const command = commands[severity];
  if (command === undefined) return [];
  const title = cut(`${nameOf(node)} ${oneLine(node.title)}`.trim());
  const files = text.startsWith("merge refused") ? (node.mergeRefusal?.files ?? []) : [];
  const places =
    files.length === 0 ? [{ title }] : files.slice(0, MAX_FILES).map((file) => ({ file, title }));
  return places.map((place) => ({ command, line: workflowCommand(command, cut(text), place) }));
}

function cut(text: string): string {
  return text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}…` : text;
}

function foldOutput(node: StoryNode, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const title = `${cut(`${nameOf(node)} ${oneLine(node.title)}`)}: ${stateWord(shownState(node))}`;
  return [
    workflowCommand("group", title),
    ...lines.map((line) => plainLine(`| ${line}`)),
    workflowCommand("endgroup", ""),
  ];
}
