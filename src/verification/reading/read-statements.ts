import { type Outcome, readOutcome } from "./outcome.ts";
import { type ClauseFacts, readClause, type Reading } from "./read-clause.ts";
import { isPathPattern } from "./paths.ts";
import { findSubject, type Subject } from "./subject.ts";
import { sliceTokens, type Token, tokenize } from "./tokens.ts";

export interface Statement {
  /** Undefined for one item of a list, such as "`a`" in "`a` and `b` pass". */
  readonly text: string | undefined;
  readonly reading: Exclude<Reading, { kind: "filled" }>;
}

/** A longer criterion is left for a person to read. */
const MAX_STATEMENTS = 20;

/** "all new and existing tests pass" is one statement, so these words do not end a clause. */
const qualities: ReadonlySet<string> = new Set(
  "all every the our any both new old existing previous current unit".split(" "),
);

/** "without errors and warnings" is also one statement. */
const troubles: ReadonlySet<string> = new Set(
  "error errors warning warnings failure failures problems issues".split(" "),
);

/**
 * Splits a criterion into one statement per check; text without a check stays together as written. It accepts any text
 * and takes linear time: every step looks at each token a bounded number of times.
 */
export function readStatements(text: string): readonly Statement[] {
  const clauses = shareOutcomes(splitClauses(tokenize(text)));
  const read = clauses.map((clause) => ({ clause, reading: readClause(clause) }));
  const groups = joinUnknown(read);
  if (groups.length === 1 || groups.every(({ reading }) => reading.kind === "unknown"))
    return [{ text: text.trim(), reading: groups[0]?.reading ?? { kind: "unknown" } }];
  if (groups.length > MAX_STATEMENTS)
    return [{ text: text.trim(), reading: { kind: "unknown", command: "…" } }];
  return groups.map(({ tokens, reading, isListed }) => ({
    text: isListed ? undefined : sliceTokens(text, tokens),
    reading,
  }));
}

/** "`a` and `b` pass" says the same of both, and so does "changes a and b". */
function shareOutcomes(clauses: readonly (readonly Token[])[]): readonly ClauseFacts[] {
  const subjects = shareLeadWords(clauses.map(findSubject));
  const facts: ClauseFacts[] = [];
  let after: { readonly subject: Subject | undefined; readonly outcome: Outcome } | undefined;
  for (let at = clauses.length - 1; at >= 0; at -= 1) {
    const subject = subjects[at];
    const own: Outcome = subject === undefined ? { kind: "other" } : readOutcome(subject.tail);
    const outcome =
      isWithoutOutcome(subject, own) && after !== undefined ? inheritOutcome(after, subject) : own;
    facts.push({ tokens: clauses[at] ?? [], subject, outcome });
    after = { subject, outcome };
  }
  return facts.reverse();
}

function shareLeadWords(subjects: readonly (Subject | undefined)[]): readonly (Subject | undefined)[] {
  let before: Subject | undefined;
  return subjects.map((subject) => {
    const isListed = isListableSubject(before) && isListableSubject(subject);
    const isRun = isListed && before?.isRun === true && isOnlyMarks(before.tail);
    const isChange = isListed && before?.isChange === true && isOnlyMarks(subject?.tail ?? []);
    const shared =
      subject === undefined
        ? undefined
        : { ...subject, isRun: subject.isRun || isRun, isChange: subject.isChange || isChange };
    before = shared;
    return shared;
  });
}

function isWithoutOutcome(subject: Subject | undefined, outcome: Outcome): subject is Subject {
  return isListableSubject(subject) && !subject.isChange && outcome.kind === "none";
}

/** Code or the name of a file, which can be an item of a list. */
function isListableSubject(subject: Subject | undefined): subject is Subject {
  return subject !== undefined && (subject.token.kind === "code" || isPathPattern(subject.token.text));
}

/** If the next clause has another kind of subject, nothing is said of this one, unless the text asks to run it. */
function inheritOutcome(
  after: { readonly subject: Subject | undefined; readonly outcome: Outcome },
  subject: Subject,
): Outcome {
  if (isListableSubject(after.subject) && !after.subject.isChange) return after.outcome;
  return { kind: subject.isRun ? "none" : "other" };
}

function isOnlyMarks(tokens: readonly Token[]): boolean {
  return tokens.every(({ kind }) => kind === "mark");
}

interface Group {
  readonly tokens: readonly Token[];
  readonly reading: Statement["reading"];
  readonly isListed: boolean;
}

interface ReadClause {
  readonly clause: ClauseFacts;
  readonly reading: Reading;
}

function joinUnknown(read: readonly ReadClause[]): readonly Group[] {
  const groups: Group[] = [];
  for (const { clause, reading } of read) {
    const { tokens, subject } = clause;
    const last = groups.at(-1);
    const isFile = last?.reading.kind === "check" && "file" in last.reading.check;
    if (reading.kind === "filled" && isFile) continue;
    const isListed = subject !== undefined && reading.kind === "check" && isOnlyMarks(subject.tail);
    if (reading.kind === "check" || reading.kind === "tests") groups.push({ tokens, reading, isListed });
    else if (last?.reading.kind === "unknown") groups.splice(-1, 1, extendGroup(last, tokens, reading));
    else
      groups.push({ tokens, reading: reading.kind === "filled" ? { kind: "unknown" } : reading, isListed });
  }
  return groups;
}

/** Keeps only the first and last token of a group, because nothing looks at the ones between. */
function extendGroup(last: Group, tokens: readonly Token[], reading: Reading): Group {
  const edges = [last.tokens[0], tokens.at(-1)].filter((token) => token !== undefined);
  const known = reading.kind === "unknown" ? reading : {};
  return { ...last, tokens: edges, reading: { ...known, ...last.reading } };
}

/** Splits a text into statements at "and", ";" and full stops, but never inside brackets. */
function splitClauses(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const clauses: Token[][] = [];
  let current: Token[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "mark" && token.text === "(") depth += 1;
    if (token.kind === "mark" && token.text === ")") depth -= 1;
    if (depth <= 0 && isSeparator(token) && !isQualityOnly(current) && !isBetweenTroubles(tokens, at)) {
      clauses.push(current);
      current = [];
    } else {
      current.push(token);
    }
  }
  return [...clauses, current].map(trimCommas).filter((clause) => clause.length > 0);
}

function isSeparator(token: Token): boolean {
  if (token.kind === "mark") return token.text === ";" || token.text === ".";
  return token.kind === "word" && (token.lower === "and" || token.lower === "&");
}

function isQualityOnly(clause: readonly Token[]): boolean {
  if (clause.length === 0 || clause.length > 4) return false;
  return clause.every((token) => token.kind === "word" && qualities.has(token.lower));
}

function isBetweenTroubles(tokens: readonly Token[], at: number): boolean {
  return [tokens[at - 1], tokens[at + 1]].every((token) => troubles.has(token?.lower ?? ""));
}

function trimCommas(clause: readonly Token[]): readonly Token[] {
  const isComma = (token: Token | undefined): boolean => token?.kind === "mark" && token.text === ",";
  const from = isComma(clause[0]) ? 1 : 0;
  return clause.slice(from, isComma(clause.at(-1)) ? -1 : undefined);
}
