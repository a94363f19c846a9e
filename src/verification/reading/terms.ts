import type { Token } from "./tokens.ts";

/** The terms in a criterion for running its command; they override the settings. */
export interface Terms {
  readonly timeoutSeconds?: number;
  readonly retries?: number;
}

const units: ReadonlyMap<string, number> = new Map(
  Object.entries({ s: 1, sec: 1, second: 1, m: 60, min: 60, minute: 60, h: 3600, hour: 3600 }),
);
const counts: ReadonlyMap<string, number> = new Map(Object.entries({ no: 0, one: 1, two: 2, three: 3 }));
const MAX_SECONDS = 14_400;
const MAX_RETRIES = 5;

interface TermMatch {
  readonly terms: Terms;
  readonly end: number;
}

/** `within 90 s`, `in under 5 minutes`, `with 2 retries`, `without retries`; a number that no check can have is not a term. */
export function matchTerm(tokens: readonly Token[], at: number): TermMatch | undefined {
  return matchLimit(tokens, at) ?? matchRetries(tokens, at);
}

function matchLimit(tokens: readonly Token[], at: number): TermMatch | undefined {
  const start = skipWords(tokens, at, [
    ["within"],
    ["in", "under"],
    ["in", "less", "than"],
    ["in", "at", "most"],
  ]);
  if (start === undefined) return undefined;
  const { amount, unit } = /^(?<amount>\d{1,5})(?<unit>[a-z]*)$/.exec(readWord(tokens, start))?.groups ?? {};
  const isJoined = unit !== undefined && unit !== "";
  const name = isJoined ? unit : readWord(tokens, start + 1);
  const seconds = Number(amount) * (units.get(name) ?? units.get(name.replace(/s$/, "")) ?? Number.NaN);
  if (!(seconds >= 1 && seconds <= MAX_SECONDS)) return undefined;
  return { terms: { timeoutSeconds: seconds }, end: start + (isJoined ? 1 : 2) };
}

function matchRetries(tokens: readonly Token[], at: number): TermMatch | undefined {
  if (
    skipWords(tokens, at, [
      ["without", "retries"],
      ["without", "retry"],
    ]) !== undefined
  )
    return { terms: { retries: 0 }, end: at + 2 };
  const start = skipWords(tokens, at, [["with", "at", "most"], ["with", "up", "to"], ["with"]]);
  if (start === undefined) return undefined;
  const word = readWord(tokens, start);
  const retries = /^\d$/.test(word) ? Number(word) : counts.get(word);
  const isNamed = /^retr(?:y|ies)$/.test(readWord(tokens, start + 1));
  if (!isNamed || retries === undefined || retries > MAX_RETRIES) return undefined;
  return { terms: { retries }, end: start + 2 };
}

/** The end of the first of these phrases that occurs here. */
function skipWords(
  tokens: readonly Token[],
  at: number,
  phrases: readonly (readonly string[])[],
): number | undefined {
  const found = phrases.find((phrase) =>
    phrase.every((word, index) => readWord(tokens, at + index) === word),
  );
  return found === undefined ? undefined : at + found.length;
}

function readWord(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token?.kind === "word" ? token.lower : "";
}
