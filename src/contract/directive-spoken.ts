import { findBracketDirectives } from "./bracket-directive.ts";
import { maskQuotedText } from "./directive-quotes.ts";
import {
  countDirectives,
  parseDirectives,
  parseMcpDirectives,
  type DirectiveOptions,
  type McpDirective,
  type ParsedDirectives,
} from "./directive.ts";

const DELEGATE = "[delegate:";

export interface SpokenOptions extends DirectiveOptions {
  /** What the agent was told: its task, news, what its workers returned. Repeating it asks for nothing. */
  readonly given: readonly string[];
}

export interface SpokenDirectives extends ParsedDirectives {
  /** Tools its workers are meant to use (R7). */
  readonly tools: readonly McpDirective[];
  /** Directives that only repeat what the agent was told, as written. */
  readonly echoes: readonly string[];
  /** How many well-formed directives were quoted, in code, or shown in some other way. */
  readonly quoted: number;
}

/**
 * The directives an agent itself speaks in a message. What it quotes, shows or repeats asks for nothing: files, tool
 * output and other agents' words can hold directives that nobody here meant.
 */
export function parseSpokenDirectives(text: string, options: SpokenOptions): SpokenDirectives {
  const mask = maskQuotedText(text);
  const given = readGiven(options.given);
  const echoes: string[] = [];
  const before = countDirectives(text, new Uint8Array(text.length)).count;
  const after = countDirectives(text, mask).count;
  for (const { start, end } of findBracketDirectives(text, DELEGATE, mask)) {
    const written = text.slice(start, end);
    if (!given.has(keyOf(written))) continue;
    echoes.push(written);
    mask.fill(1, start, end);
  }
  return {
    ...parseDirectives(text, options, mask),
    tools: parseMcpDirectives(text, mask),
    echoes,
    quoted: Math.max(0, before - after),
  };
}

/** Every directive in them, quoted or not, well-formed or not. */
function readGiven(texts: readonly string[]): ReadonlySet<string> {
  const keys = texts.flatMap((text) =>
    findBracketDirectives(text, DELEGATE, new Uint8Array(text.length)).map(({ start, end }) =>
      keyOf(text.slice(start, end)),
    ),
  );
  return new Set(keys);
}

/** Letters alone: white space, quoting, escaping and hours change on the way, the words do not. */
function keyOf(written: string): string {
  const colon = written.lastIndexOf(":");
  const words = colon > DELEGATE.length ? written.slice(0, colon) : written;
  return words.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
