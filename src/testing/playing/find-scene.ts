import type { ModelRequest } from "../apis/wire-api.ts";

/** Where in which script a request stands, told by the request alone: nothing is remembered between two. */
export interface Scene {
  readonly script: string;
  readonly prompt: string;
  /** What the tools answered since that prompt. */
  readonly results: readonly string[];
  /** How many prompts of the session carried a marker before this one. */
  readonly earlierPrompts: number;
}

const MARKER = "@@S:";

/** Undefined for what a CLI asks on the side: titles, summaries, quota. */
export function findScene(request: ModelRequest): Scene | undefined {
  const marked = request.talk.flatMap((item, at) =>
    item.kind === "prompt" && readMarkedName(item.text) !== undefined ? [{ at, text: item.text }] : [],
  );
  const last = marked.at(-1);
  if (last === undefined) return undefined;
  const since = request.talk.slice(last.at + 1);
  if (since.some((item) => item.kind === "prompt" && asksForSummary(item.text))) return undefined;
  return {
    script: readMarkedName(last.text) ?? "",
    prompt: last.text,
    results: since.filter(({ kind }) => kind === "result").map(({ text }) => text),
    earlierPrompts: marked.length - 1,
  };
}

/** The first in the prompt: later ones are quoted from the tasks of others. */
function readMarkedName(text: string): string | undefined {
  const start = text.indexOf(MARKER);
  if (start < 0) return undefined;
  const name = /[\w-]+/y;
  name.lastIndex = start + MARKER.length;
  return name.exec(text)?.[0];
}

const SUMMARY_REQUESTS = [
  "CONTEXT CHECKPOINT COMPACTION",
  "create a detailed summary of the conversation",
  "<state_snapshot>",
];

/** CLIs shorten a long session by asking the model about it; the script goes on after that. */
function asksForSummary(text: string): boolean {
  return SUMMARY_REQUESTS.some((phrase) => text.includes(phrase));
}
