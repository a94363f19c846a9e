import { matchTerm, type Terms } from "./terms.ts";
import type { Token } from "./tokens.ts";

/**
 * How clearly a text demands success: `explicit` names the exit code, `clear` says that it passes, `weak` is a word that
 * fits anything ("works").
 */
export type Strength = "explicit" | "clear" | "weak";

export type Outcome =
  | { readonly kind: "none" }
  | {
      readonly kind: "succeeds";
      readonly strength: Strength;
      readonly isWhole: boolean;
      /** "within 90 seconds, with 2 retries" */
      readonly terms?: Terms;
    }
  | { readonly kind: "exists"; readonly isWhole: boolean }
  | { readonly kind: "changed"; readonly isWhole: boolean }
  | { readonly kind: "other" };

const makeWordSet = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const arrows = makeWordSet("- -- – — -> → =>");
const fillers = makeWordSet(
  "must should shall will can still also now always all both to be is are was were has have been being it " +
    "they continue continues keep keeps",
);
const adverbs = makeWordSet(
  "successfully cleanly correctly fine well properly normally again locally now too ok",
);
/** These words change the meaning of the phrase before them. */
const turns = makeWordSet("or unless only if except when until but before while not nor no never");
const exitVerbs = makeWordSet("exit exits exited exiting");
const endVerbs = makeWordSet(
  "return returns end ends finish finishes terminate terminates give gives yield yields",
);
const exitLinks = makeWordSet("with a an the exit return code status of is value =");
const reportVerbs = makeWordSet(
  "report reports show shows produce produces find finds raise raises emit emits",
);
const troubles = makeWordSet("error errors failure failures problem problems issue issues");
const MAX_FILLERS = 6;

type Phrase = Exclude<Outcome, { kind: "none" | "other" }>;
const clear: Phrase = { kind: "succeeds", strength: "clear", isWhole: true };
const weak: Phrase = { kind: "succeeds", strength: "weak", isWhole: true };
const exists: Phrase = { kind: "exists", isWhole: true };
const changed: Phrase = { kind: "changed", isWhole: true };

const phrases: ReadonlyMap<string, Phrase> = new Map([
  ...mapWords("pass passes passed passing succeed succeeds succeeded green", clear),
  ...mapWords(
    "work works run runs build builds compile compiles complete completes finish finishes clean",
    weak,
  ),
  ...mapWords("exist exists present there created written added", exists),
  ...mapWords("changed modified updated edited touched", changed),
]);

function mapWords(list: string, phrase: Phrase): readonly (readonly [string, Phrase])[] {
  return list.split(" ").map((word) => [word, phrase] as const);
}

/** Reads the outcome demanded of a subject from the few words that follow it. */
export function readOutcome(tail: readonly Token[]): Outcome {
  let at = 0;
  while (isPunctuation(tail[at]) || isWordIn(arrows, tail[at])) at += 1;
  if (at >= tail.length) return { kind: "none" };
  const limit = at + MAX_FILLERS;
  while (at < limit && isWordIn(fillers, tail[at])) at += 1;
  const found = matchExitPhrase(tail, at) ?? matchNoTrouble(tail, at) ?? matchOutcomeWord(tail[at], at);
  // "run it without errors" is an ending without a verb before it.
  const { end: rest, terms } = skipAllEndings(tail, found?.end ?? at);
  const phrase = addTerms(found?.phrase ?? weak, terms);
  if (rest >= tail.length) return phrase;
  if (found === undefined || isWordIn(turns, tail[rest])) return { kind: "other" };
  return { ...phrase, isWhole: false };
}

interface Match {
  readonly phrase: Phrase;
  readonly end: number;
}

function matchOutcomeWord(token: Token | undefined, at: number): Match | undefined {
  const phrase = token?.kind === "word" ? phrases.get(token.lower) : undefined;
  return phrase === undefined ? undefined : { phrase, end: at + 1 };
}

/** `exits with code 0`, `exit status is zero`, `returns exit code 0`, `exits cleanly` are explicit; `returns 0` is clear. */
function matchExitPhrase(tokens: readonly Token[], from: number): Match | undefined {
  const isExit = isWordIn(exitVerbs, tokens[from]);
  if (!isExit && !isWordIn(endVerbs, tokens[from])) return undefined;
  let at = from + 1;
  let namesCode = isExit;
  for (; at < from + 8 && isWordIn(exitLinks, tokens[at]); at += 1) {
    const link = tokens[at]?.lower;
    if (link === "code" || link === "status") namesCode = true;
  }
  const last = tokens[at];
  const isZero = last?.lower === "0" || last?.lower === "zero";
  if (!isZero && !(isExit && at === from + 1 && isWordIn(adverbs, last))) return undefined;
  const strength = namesCode ? "explicit" : "clear";
  return { phrase: { kind: "succeeds", strength, isWhole: true }, end: at + 1 };
}

/** `reports no errors`, `has 0 type errors`. Not "finds nothing": a search that finds nothing may fail. */
function matchNoTrouble(tokens: readonly Token[], from: number): Match | undefined {
  let at = isWordIn(reportVerbs, tokens[from]) ? from + 1 : from;
  if (!["no", "zero", "0"].includes(tokens[at]?.lower ?? "")) return undefined;
  at += 1;
  if (!isWordIn(troubles, tokens[at])) at += 1;
  return isWordIn(troubles, tokens[at]) ? { phrase: weak, end: at + 1 } : undefined;
}

/** Only what runs has terms: of a file that "exists within 5 seconds", that part is not checked. */
function addTerms(phrase: Phrase, terms: Terms | undefined): Phrase {
  if (terms === undefined) return phrase;
  return phrase.kind === "succeeds" ? { ...phrase, terms } : { ...phrase, isWhole: false };
}

/** Skips `successfully`, `as expected`, `without any errors`, `within 5 minutes`, and the marks at the end. */
function skipAllEndings(
  tokens: readonly Token[],
  from: number,
): { readonly end: number; readonly terms?: Terms } {
  let at = from;
  const found: [string, number][] = [];
  while (at < tokens.length) {
    const term = matchTerm(tokens, at);
    const next = term?.end ?? skipOneEnding(tokens, at);
    if (next === at) break;
    if (term !== undefined) found.push(...Object.entries(term.terms));
    at = next;
  }
  return found.length === 0 ? { end: at } : { end: at, terms: Object.fromEntries(found) };
}

function skipOneEnding(tokens: readonly Token[], at: number): number {
  const token = tokens[at];
  if (isPunctuation(token) && token?.text !== "(") return at + 1;
  if (isWordIn(adverbs, token)) return at + 1;
  const [second, third] = [tokens[at + 1]?.lower, tokens[at + 2]];
  if (token?.lower === "as" && (second === "expected" || second === "intended")) return at + 2;
  if (token?.lower === "with" && second === "success") return at + 2;
  if (token?.lower === "with" && second === "no" && isWordIn(troubles, third)) return at + 3;
  if (token?.lower === "without" && second === "any" && isWordIn(troubles, third)) return at + 3;
  return token?.lower === "without" && isWordIn(troubles, tokens[at + 1]) ? at + 2 : at;
}

function isPunctuation(token: Token | undefined): boolean {
  return token?.kind === "mark";
}

function isWordIn(set: ReadonlySet<string>, token: Token | undefined): boolean {
  return token?.kind === "word" && set.has(token.lower);
}
