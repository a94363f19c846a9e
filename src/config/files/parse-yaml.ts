import type * as Yaml from "yaml";
import { loadYaml, type YamlLibrary } from "./yaml-library.ts";

/** The deepest setting has four levels; the parser recurses, so a hostile file could end the process. */
const MAX_LEVELS = 32;

/** Each level of a block is indented by at least one space, so this bounds those levels too. */
const MAX_INDENT = 200;

export interface SyntaxProblem {
  readonly line: number;
  readonly reason: string;
}

/** A file's YAML tree; offsets into `text` become lines through `lineOf`. */
export interface ParsedYaml {
  readonly yaml: YamlLibrary;
  readonly text: string;
  readonly document: Yaml.Document.Parsed;
  readonly lineOf: (offset: number) => number;
  readonly problems: readonly SyntaxProblem[];
}

const SHOWN = 5;

/** Parses YAML (or JSON, which is YAML); with problems the tree is not to be trusted. */
export async function parseYaml(text: string): Promise<ParsedYaml> {
  const yaml = await loadYaml();
  const markers = conflictMarkers(text);
  const early = markers.length === 0 ? nestingProblems(yaml, text) : markers;
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(early.length === 0 ? text : "", {
    lineCounter: lines,
    prettyErrors: false,
    // Checked while walking: the library compares every pair of keys.
    uniqueKeys: false,
  });
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  return {
    yaml,
    text,
    document,
    lineOf,
    problems: early.length > 0 ? early : grammarProblems(document, lineOf),
  };
}

function conflictMarkers(text: string): readonly SyntaxProblem[] {
  const index = text.split("\n").findIndex((line) => line === "<<<<<<<" || line.startsWith("<<<<<<< "));
  return index < 0 ? [] : [{ line: index + 1, reason: "unresolved merge conflict" }];
}

function nestingProblems(yaml: YamlLibrary, text: string): readonly SyntaxProblem[] {
  const line = findDeepLine(yaml, text);
  return line === undefined ? [] : [{ line, reason: "nested too deeply" }];
}

/** One problem per line, as the first one usually causes the others. */
function grammarProblems(
  document: Yaml.Document.Parsed,
  lineOf: (offset: number) => number,
): readonly SyntaxProblem[] {
  const found = new Map<number, SyntaxProblem>();
  for (const issue of [...document.errors, ...document.warnings]) {
    const line = lineOf(issue.pos[0]);
    if (!found.has(line)) found.set(line, { line, reason: `not valid YAML: ${explainYamlError(issue)}` });
  }
  return [...found.values()].slice(0, SHOWN);
}

function explainYamlError(issue: Yaml.YAMLParseError | Yaml.YAMLWarning): string {
  if (issue.code === "TAB_AS_INDENT") return "a tab cannot indent; use spaces";
  if (issue.code === "MULTIPLE_DOCS") return "there must be one document only";
  return issue.message;
}

/** The first line nested too deeply to be given to the parser. Reads tokens: texts and comments do not count. */
function findDeepLine(yaml: YamlLibrary, text: string): number | undefined {
  let line = 1;
  let brackets = 0;
  let indicators = 0;
  let atLineStart = true;
  for (const token of new yaml.Lexer().lex(text)) {
    const kind = yaml.CST.tokenType(token);
    if (kind === "flow-map-start" || kind === "flow-seq-start") brackets += 1;
    if (kind === "flow-map-end" || kind === "flow-seq-end") brackets -= 1;
    indicators = kind === "newline" ? 0 : indicators + (brackets === 0 && opensLevel(kind) ? 1 : 0);
    const isIndent = atLineStart && kind === "space";
    if (brackets + indicators > MAX_LEVELS || (isIndent && token.length > MAX_INDENT)) return line;
    atLineStart = kind === "newline";
    line += token.split("\n").length - 1;
  }
  return undefined;
}

function opensLevel(kind: string | null): boolean {
  return kind === "seq-item-ind" || kind === "explicit-key-ind" || kind === "map-value-ind";
}
