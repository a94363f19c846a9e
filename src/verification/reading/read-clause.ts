import type { CriterionCheck } from "../../contract/task.ts";
import { hasHiddenCharacters, isCommand, isKnownCommand, isProseCommand } from "./is-command.ts";
import { type Outcome, readOutcome, type Strength } from "./outcome.ts";
import { isFilePath, isPathPattern } from "./paths.ts";
import type { Subject } from "./subject.ts";
import type { Token } from "./tokens.ts";

/** What one statement asks for. `isWhole` is false when the check proves only part of what is said. */
export type Reading =
  | { readonly kind: "check"; readonly check: CriterionCheck; readonly isWhole: boolean }
  | { readonly kind: "tests"; readonly isWhole: boolean }
  /** "… is not empty": part of every check of a file. */
  | { readonly kind: "filled" }
  /** `command` is one that could have been run, had the text said that it passes. */
  | { readonly kind: "unknown"; readonly command?: string; readonly isHidden?: boolean };

export interface ClauseFacts {
  readonly tokens: readonly Token[];
  readonly subject: Subject | undefined;
  /** What is said of the subject; a later clause may have said it for several. */
  readonly outcome: Outcome;
}

const UNKNOWN: Reading = { kind: "unknown" };

export function readClause(clause: ClauseFacts): Reading {
  if (isFilledPhrase(clause.tokens)) return { kind: "filled" };
  const { subject, outcome, tokens } = clause;
  const read = subject === undefined ? UNKNOWN : readSubject(subject, outcome);
  if (read.kind !== "unknown" || subject?.token.kind === "code") return read;
  const named = readNamedProof(tokens) ?? readTests(tokens);
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
  return filledPhrases.has(wordsOf(tokens).join(" "));
}

function readSubject(subject: Subject, outcome: Outcome): Reading {
  const { token } = subject;
  if (subject.isChange) return readChange(subject, outcome);
  if (outcome.kind === "exists" && isFilePath(token.text, subject.isFile))
    return { kind: "check", check: { file: token.text }, isWhole: outcome.isWhole };
  if (outcome.kind === "changed" && isPathPattern(token.text))
    return { kind: "check", check: { changed: token.text }, isWhole: outcome.isWhole };
  return token.kind === "code" ? readCommand(token.text, outcome, subject.isRun) : UNKNOWN;
}

/** "changes src/**"; with more behind it, the change is only part of what is asked. */
function readChange({ token, tail }: Subject, outcome: Outcome): Reading {
  if (!isPathPattern(token.text) || ["or", "only", "unless"].includes(tail[0]?.lower ?? "")) return UNKNOWN;
  return { kind: "check", check: { changed: token.text }, isWhole: outcome.kind === "none" };
}

function readCommand(code: string, outcome: Outcome, isRun: boolean): Reading {
  if (hasHiddenCharacters(code)) return { kind: "unknown", isHidden: true };
  if (outcome.kind === "succeeds" && isCommand(code, mentionOf(outcome.strength, isRun)))
    return { kind: "check", check: { command: code }, isWhole: outcome.isWhole };
  if (outcome.kind === "none" && isCommand(code, mentionOf("weak", isRun)))
    return { kind: "check", check: { command: code }, isWhole: true };
  const isSaidToPass = outcome.kind === "succeeds" && outcome.strength !== "weak";
  const isMeant = isKnownCommand(code) || (isSaidToPass && isCommand(code, "asked"));
  return isMeant ? { kind: "unknown", command: code } : UNKNOWN;
}

function mentionOf(strength: Strength, isRun: boolean): Strength | "asked" {
  return isRun && strength !== "explicit" ? "asked" : strength;
}

/** About texts, such words say that a command is written of, not run. */
const writingWords: ReadonlySet<string> = new Set(
  (
    "readme docs doc document documents documented documentation mention mentions explain explains describe describes " +
    "say says state states example examples comment comments changelog guide tutorial instructions help section page"
  ).split(" "),
);
const connectors: ReadonlySet<string> = new Set(
  "( : , - – via with using by running when run through as verified checked proven shown".split(" "),
);
const LONGEST_OUTCOME = 8;

/** "Type checking passes (`npm run types`)": a statement of success, and behind it the command that shows it. */
function readNamedProof(tokens: readonly Token[]): Reading | undefined {
  const proof = findProof(tokens);
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

function findProof(tokens: readonly Token[]): NamedProof | undefined {
  let last = tokens.length - 1;
  while (last > 0 && tokens[last]?.kind === "mark") last -= 1;
  const code = tokens[last];
  const codes = tokens.filter(({ kind }) => kind === "code").length;
  if (code?.kind === "code")
    return codes === 1 && isCommand(code.text, "weak") ? { command: code.text, at: last } : undefined;
  const open = tokens.findLastIndex(({ kind, text }) => kind === "mark" && text === "(");
  const inside = textsOf(tokens.slice(open + 1, last + 1));
  if (open === -1 || codes > 0 || !isProseCommand(inside, "clear")) return undefined;
  return { command: inside.join(" "), at: open };
}

function endsInSuccess(statement: readonly Token[]): boolean {
  const lengths = Array.from(
    { length: Math.min(LONGEST_OUTCOME, statement.length) },
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
function readTests(tokens: readonly Token[]): Reading | undefined {
  if (tokens.length <= 5 && noFailures.has(wordsOf(tokens).join(" ")))
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
  return { kind: "tests", isWhole: outcome.isWhole && !hasNumber };
}

const LONGEST_PROSE_COMMAND = 12;

/** "npm test exits with code 0": plain words of a program that is known to be asked such things. */
function readProseCommand({ token, tail }: Subject): Reading {
  const tokens = [token, ...tail.slice(0, LONGEST_PROSE_COMMAND)];
  for (let end = 1; end <= tokens.length; end += 1) {
    if (tokens[end - 1]?.kind !== "word") return UNKNOWN;
    const outcome = readOutcome(tail.slice(end - 1));
    const words = textsOf(tokens.slice(0, end));
    // Joined by blanks: a line end between them would be a second command.
    if (outcome.kind === "succeeds" && isProseCommand(words, outcome.strength))
      return { kind: "check", check: { command: words.join(" ") }, isWhole: outcome.isWhole };
  }
  return UNKNOWN;
}

function textsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.map((token) => (token.kind === "word" ? token.text : ""));
}

function wordsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.filter(({ kind }) => kind === "word").map(({ lower }) => lower);
}
