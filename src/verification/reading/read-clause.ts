import type { CriterionCheck } from "../../contract/task.ts";
import { hasHiddenCharacters, isCommand, isKnownCommand, isProseCommand } from "./is-command.ts";
import { type Outcome, readOutcome, type Strength } from "./outcome.ts";
import { isFilePath, isPathPattern } from "./paths.ts";
import type { Subject } from "./subject.ts";
import type { Terms } from "./terms.ts";
import type { Token } from "./tokens.ts";

/** The demand of one statement. `isWhole` is false if the check proves only part of it. */
export type Reading =
  | { readonly kind: "check"; readonly check: CriterionCheck; readonly isWhole: boolean }
  | { readonly kind: "tests"; readonly isWhole: boolean; readonly terms?: Terms }
  /** "… is not empty", which every check of a file includes. */
  | { readonly kind: "filled" }
  /** `command` could have been run if the text had said that it passes. */
  | { readonly kind: "unknown"; readonly command?: string; readonly isHidden?: boolean };

export interface ClauseFacts {
  readonly tokens: readonly Token[];
  readonly subject: Subject | undefined;
  /** The outcome said of the subject; a later clause may say it for several subjects. */
  readonly outcome: Outcome;
}

const UNKNOWN: Reading = { kind: "unknown" };

export function readClause(clause: ClauseFacts): Reading {
  if (isFilledPhrase(clause.tokens)) return { kind: "filled" };
  const { subject, outcome, tokens } = clause;
  const read = subject === undefined ? UNKNOWN : readSubject(subject, outcome);
  if (read.kind !== "unknown" || subject?.token.kind === "code") return read;
  const named = readNamedProof(tokens) ?? readTestDemand(tokens);
  return named ?? (subject === undefined ? UNKNOWN : readProseCommand(subject));
}

const filledPhrases: ReadonlySet<string> = new Set([
  "is not empty",
  "is non-empty",
  "are not empty",
  "has content",
  "not empty",
  "non-empty",
]);

function isFilledPhrase(tokens: readonly Token[]): boolean {
  if (tokens.length > 4) return false;
  return filledPhrases.has(listLowerWords(tokens).join(" "));
}

function readSubject(subject: Subject, outcome: Outcome): Reading {
  const { token } = subject;
  if (subject.isChange) return readChangeDemand(subject, outcome);
  if (outcome.kind === "exists" && isFilePath(token.text, subject.isFile))
    return { kind: "check", check: { file: token.text }, isWhole: outcome.isWhole };
  if (outcome.kind === "changed" && isPathPattern(token.text))
    return { kind: "check", check: { changed: token.text }, isWhole: outcome.isWhole };
  return token.kind === "code" ? readCommand(token.text, outcome, subject.isRun) : UNKNOWN;
}

/** "changes src/**"; if more words follow, the change is only part of the demand. */
function readChangeDemand({ token, tail }: Subject, outcome: Outcome): Reading {
  if (!isPathPattern(token.text) || ["or", "only", "unless"].includes(tail[0]?.lower ?? "")) return UNKNOWN;
  return { kind: "check", check: { changed: token.text }, isWhole: outcome.kind === "none" };
}

function readCommand(code: string, outcome: Outcome, isRun: boolean): Reading {
  if (hasHiddenCharacters(code)) return { kind: "unknown", isHidden: true };
  if (outcome.kind === "succeeds" && isCommand(code, classifyMention(outcome.strength, isRun)))
    return { kind: "check", check: { command: code, ...outcome.terms }, isWhole: outcome.isWhole };
  if (outcome.kind === "none" && isCommand(code, classifyMention("weak", isRun)))
    return { kind: "check", check: { command: code }, isWhole: true };
  const isSaidToPass = outcome.kind === "succeeds" && outcome.strength !== "weak";
  const isMeant = isKnownCommand(code) || (isSaidToPass && isCommand(code, "asked"));
  return isMeant ? { kind: "unknown", command: code } : UNKNOWN;
}

function classifyMention(strength: Strength, isRun: boolean): Strength | "asked" {
  return isRun && strength !== "explicit" ? "asked" : strength;
}

/** These words show that the statement is about a text that mentions a command, not about running it. */
const writingWords: ReadonlySet<string> = new Set(
  (
    "readme docs doc document documents documented documentation mention mentions explain explains describe describes " +
    "say says state states example examples comment comments changelog guide tutorial instructions help section page"
  ).split(" "),
);
const connectors: ReadonlySet<string> = new Set(
  "( : , - – via with using by running when run through as verified checked proven shown".split(" "),
);
const MAX_OUTCOME_WORDS = 8;

/** "Type checking passes (`npm run types`)": a statement of success, followed by the command that proves it. */
function readNamedProof(tokens: readonly Token[]): Reading | undefined {
  const proof = findNamedProof(tokens);
  if (proof === undefined) return undefined;
  let end = proof.at;
  while (end > 0 && connectors.has(tokens[end - 1]?.lower ?? "")) end -= 1;
  const statement = tokens.slice(0, end);
  if (statement.some(({ lower }) => writingWords.has(lower)) || !endsInSuccess(statement)) return undefined;
  return { kind: "check", check: { command: proof.command }, isWhole: true };
}

interface NamedProof {
  readonly command: string;
  /** Index of its first token. */
  readonly at: number;
}

function findNamedProof(tokens: readonly Token[]): NamedProof | undefined {
  let last = tokens.length - 1;
  while (last > 0 && tokens[last]?.kind === "mark") last -= 1;
  const code = tokens[last];
  const codes = tokens.filter(({ kind }) => kind === "code").length;
  if (code?.kind === "code")
    return codes === 1 && isCommand(code.text, "weak") ? { command: code.text, at: last } : undefined;
  const open = tokens.findLastIndex(({ kind, text }) => kind === "mark" && text === "(");
  const inside = listTokenTexts(tokens.slice(open + 1, last + 1));
  if (open === -1 || codes > 0 || !isProseCommand(inside, "clear")) return undefined;
  return { command: inside.join(" "), at: open };
}

function endsInSuccess(statement: readonly Token[]): boolean {
  const lengths = Array.from(
    { length: Math.min(MAX_OUTCOME_WORDS, statement.length) },
    (_, index) => index + 1,
  );
  return lengths.some((length) => {
    const outcome = readOutcome(statement.slice(-length));
    return outcome.kind === "succeeds" && outcome.isWhole;
  });
}

const testQualities: ReadonlySet<string> = new Set(
  "all every the our any of project project's project’s existing new old and previous unit automated whole full entire".split(
    " ",
  ),
);
const noFailures: ReadonlySet<string> = new Set([
  "no failing tests",
  "no tests fail",
  "no test fails",
  "no test failures",
  "no failing test",
  "zero failing tests",
]);

/** "All tests pass", "the test suite is green", "no failing tests". */
function readTestDemand(tokens: readonly Token[]): Reading | undefined {
  if (tokens.length <= 5 && noFailures.has(listLowerWords(tokens).join(" ")))
    return { kind: "tests", isWhole: true };
  let at = 0;
  let hasNumber = false;
  for (; at < tokens.length; at += 1) {
    const token = tokens[at];
    const isNumber = token?.kind === "word" && /^\d+$/.test(token.text);
    if (isNumber) hasNumber = true;
    if (!isNumber && !(token?.kind === "word" && testQualities.has(token.lower))) break;
  }
  const [first, second] = [tokens[at]?.lower, tokens[at + 1]?.lower];
  const isSuite = (first === "test" && (second === "suite" || second === "suites")) || first === "test-suite";
  if (first !== "tests" && !isSuite && first !== "suite") return undefined;
  const outcome = readOutcome(tokens.slice(first === "test" ? at + 2 : at + 1));
  if (outcome.kind !== "succeeds") return undefined;
  const { isWhole, terms } = outcome;
  return { kind: "tests", isWhole: isWhole && !hasNumber, ...(terms === undefined ? {} : { terms }) };
}

const MAX_PROSE_COMMAND_WORDS = 12;

/** "npm test exits with code 0": plain words with a known program and a known subcommand. */
function readProseCommand({ token, tail }: Subject): Reading {
  const tokens = [token, ...tail.slice(0, MAX_PROSE_COMMAND_WORDS)];
  for (let end = 1; end <= tokens.length; end += 1) {
    if (tokens[end - 1]?.kind !== "word") return UNKNOWN;
    const outcome = readOutcome(tail.slice(end - 1));
    const words = listTokenTexts(tokens.slice(0, end));
    // Joined by spaces, because a line end between words would begin a second command.
    if (outcome.kind === "succeeds" && isProseCommand(words, outcome.strength))
      return {
        kind: "check",
        check: { command: words.join(" "), ...outcome.terms },
        isWhole: outcome.isWhole,
      };
  }
  return UNKNOWN;
}

function listTokenTexts(tokens: readonly Token[]): readonly string[] {
  return tokens.map((token) => (token.kind === "word" ? token.text : ""));
}

function listLowerWords(tokens: readonly Token[]): readonly string[] {
  return tokens.filter(({ kind }) => kind === "word").map(({ lower }) => lower);
}
