import type { YamlLibrary } from "./yaml-library.ts";

/** The deepest setting has four levels; the parser recurses, so a hostile file could end the process. */
const MAX_LEVELS = 32;
/** Each level of a block is indented by at least one space, so this bounds those levels too. */
const MAX_INDENT = 200;

/** The first line nested too deeply to be given to the parser. Reads tokens: texts and comments do not count. */
export function findDeepLine(yaml: YamlLibrary, text: string): number | undefined {
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
