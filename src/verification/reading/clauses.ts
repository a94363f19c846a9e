import type { Token } from "./tokens.ts";

/** "all new and existing tests pass" is one statement, so these words do not end a clause. */
const qualities: ReadonlySet<string> = new Set(
  "all every the our any both new old existing previous current unit".split(" "),
);

/** "without errors and warnings" is also one statement. */
const troubles: ReadonlySet<string> = new Set(
  "error errors warning warnings failure failures problems issues".split(" "),
);

/** Splits a text into statements at "and", ";" and full stops, but never inside brackets. */
export function splitClauses(tokens: readonly Token[]): readonly (readonly Token[])[] {
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
