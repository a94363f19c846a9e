import type { Token } from "./tokens.ts";

/** The thing a statement begins with: code, a path or a word. */
export interface Subject {
  readonly token: Token;
  /** "running …", "the command …" */
  readonly isRun: boolean;
  /** "the file …" */
  readonly isFile: boolean;
  /** "changes …" */
  readonly isChange: boolean;
  readonly tail: readonly Token[];
}

const makeWordSet = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const runWords = makeWordSet("run running execute executing command");
const fileWords = makeWordSet("file files");
const changeWords = makeWordSet(
  "change changes changing modify modifies update updates edit edits touch touches",
);
const leadWords = makeWordSet(
  "the a an new script ensure ensures verify verifies verified check checked checks confirm confirms that after when " +
    "both proven tested by with via using - * • [ ]",
);

/** Undefined if the statement has only introductory words. */
export function findSubject(tokens: readonly Token[]): Subject | undefined {
  let at = 0;
  const seen = { isRun: false, isFile: false, isChange: false };
  for (; at < tokens.length; at += 1) {
    const lead = readLeadWord(tokens, at);
    if (lead === undefined) break;
    if (lead === "sure") at += 1;
    if (lead === "run") seen.isRun = true;
    if (lead === "file") seen.isFile = true;
    if (lead === "change") seen.isChange = true;
  }
  const token = tokens[at];
  return token === undefined || token.kind === "mark"
    ? undefined
    : { token, ...seen, tail: tokens.slice(at + 1) };
}

type Lead = "run" | "file" | "change" | "sure" | "other";

function readLeadWord(tokens: readonly Token[], at: number): Lead | undefined {
  const token = tokens[at];
  if (token?.kind !== "word") return undefined;
  if (token.lower === "make" && tokens[at + 1]?.lower === "sure") return "sure";
  if (runWords.has(token.lower)) return "run";
  if (fileWords.has(token.lower)) return "file";
  if (changeWords.has(token.lower)) return "change";
  return leadWords.has(token.lower) ? "other" : undefined;
}
