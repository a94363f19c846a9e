import type { ModelRequest } from "../apis/wire-api.ts";

/** The place of a request in its script, derived from the request alone. */
export interface Scene {
  readonly script: string;
  readonly prompt: string;
  /** The tool results since that prompt. */
  readonly results: readonly string[];
  /** The number of earlier prompts with a marker in the session. */
  readonly earlierPrompts: number;
}

const MARKER = "@@S:";

/** Undefined for a CLI's side requests: titles, summaries, quota. */
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

/** The first marker counts: later ones are quoted from other tasks. */
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

/** CLIs compact a long session by asking the model for a summary; the script continues afterwards. */
function asksForSummary(text: string): boolean {
  return SUMMARY_REQUESTS.some((phrase) => text.includes(phrase));
}
