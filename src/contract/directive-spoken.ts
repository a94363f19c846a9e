import { findBracketDirectives } from "./directives/bracket-directive.ts";
import { findClosingLines } from "./directives/closing-lines.ts";
import {
  countDirectives,
  type DirectiveOptions,
  type McpDirective,
  type ParsedDirectives,
  parseDirectives,
  parseMcpDirectives,
} from "./directive.ts";
import { maskQuotedLines } from "./directives/quoted-lines.ts";
import { maskElements } from "./directives/elements.ts";
import { maskQuotations } from "./directives/quotations.ts";
import { maskMarkdownCode } from "./directives/markdown-mask.ts";

const DELEGATE = "[delegate:";
const OPENINGS = [DELEGATE, "[use-mcp:"] as const;

export interface SpokenOptions extends DirectiveOptions {
  /** The agent's input: its task, news, its workers' returns. Repeating it requests nothing. */
  readonly given: readonly string[];
}

export interface SpokenDirectives extends ParsedDirectives {
  /** Tools to call, or for its workers to use (R7). */
  readonly tools: readonly McpDirective[];
  /** Directives that only repeat the agent's input, as written. */
  readonly echoes: readonly string[];
  /** The number of well-formed directives that were quoted, in code, or shown in some other way. */
  readonly quoted: number;
  /** Directives that are not alone at the end of the message, as written. */
  readonly mentioned: readonly string[];
}

/**
 * Reads the directives that an agent itself gives in a message: those that are alone on its last lines. Quoted, shown,
 * mentioned or repeated text requests nothing: files, tool output and other agents' words can contain directives that
 * were not meant here, and an agent may say that it will not follow one.
 */
export function parseSpokenDirectives(text: string, options: SpokenOptions): SpokenDirectives {
  const mask = maskQuotedText(text);
  const given = readGiven(options.given);
  const echoes: string[] = [];
  const before = countDirectives(text, new Uint8Array(text.length)).count;
  const after = countDirectives(text, mask).count;
  for (const { start, end } of findOpenings(text, mask)) {
    const written = text.slice(start, end);
    if (!given.has(normalizeDirective(written))) continue;
    echoes.push(written);
    mask.fill(1, start, end);
  }
  const mentioned = maskMentioned(text, mask);
  return {
    ...parseDirectives(text, options, mask),
    tools: parseMcpDirectives(text, mask),
    echoes,
    quoted: Math.max(0, before - after),
    mentioned,
  };
}

function findOpenings(text: string, mask: Uint8Array) {
  return OPENINGS.flatMap((opening) => findBracketDirectives(text, opening, mask));
}

/** Masks everything before the closing lines and returns the directives that were there. */
function maskMentioned(text: string, mask: Uint8Array): readonly string[] {
  const begin = findClosingLines(text, mask);
  const mentioned = findBracketDirectives(text, DELEGATE, mask)
    .filter(({ start }) => start < begin)
    .map(({ start, end }) => text.slice(start, end));
  mask.fill(1, 0, begin);
  return mentioned;
}

/** Every directive in the texts, quoted or not, well-formed or not. */
function readGiven(texts: readonly string[]): ReadonlySet<string> {
  const keys = texts.flatMap((text) =>
    findOpenings(text, new Uint8Array(text.length)).map(({ start, end }) =>
      normalizeDirective(text.slice(start, end)),
    ),
  );
  return new Set(keys);
}

/** Letters and digits only: white space, quoting, escaping and hours change on the way, the words do not. */
function normalizeDirective(written: string): string {
  const colon = written.startsWith(DELEGATE) ? written.lastIndexOf(":") : -1;
  const words = colon > DELEGATE.length ? written.slice(0, colon) : written;
  return words.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * Marks with 1 every character that a message only repeats: code, block quotes, indented text, diffs, search hits,
 * comments, elements such as `<file>…</file>` and quoted text, JSON strings included. Each rule only adds to the
 * mask, so that no rule undoes another.
 */
export function maskQuotedText(text: string): Uint8Array {
  const mask = maskMarkdownCode(text);
  const code = mask.slice();
  maskQuotedLines(text, mask);
  maskElements(text, { code, mask });
  maskQuotations(text, { code, mask });
  return mask;
}
