import { messageOf } from "../../base/delegation-error.ts";

/** The library walks into what it reads; a hostile file could end the process. */
const MOST_LEVELS = 32;
const MOST_INDENT = 200;
const MOST_ALIASES = 20;

export type YamlReading = { readonly value: unknown } | { readonly problem: string };

/** One YAML document as plain data; a file made to hurt the parser is refused before it sees it. */
export async function readYaml(text: string): Promise<YamlReading> {
  if (isNestedTooDeeply(text)) return { problem: "it is nested too deeply" };
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, { uniqueKeys: true, logLevel: "silent", prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) return { problem: `it is no valid YAML: ${error.message}` };
    return { value: document.toJS({ maxAliasCount: MOST_ALIASES }) };
  } catch (error) {
    return { problem: `it is no usable YAML: ${messageOf(error)}` };
  }
}

/** Counts brackets and signs of nesting per line without regard to quotes: in doubt it refuses. */
function isNestedTooDeeply(text: string): boolean {
  let brackets = 0;
  for (const line of text.split("\n")) {
    const indent = line.length - line.trimStart().length;
    if (indent > MOST_INDENT) return true;
    let dashes = 0;
    for (const character of line) {
      if (character === "[" || character === "{") brackets += 1;
      if (character === "]" || character === "}") brackets = Math.max(0, brackets - 1);
      if (brackets > MOST_LEVELS) return true;
    }
    for (const word of line.split(" ")) dashes += word === "-" || word === "?" ? 1 : 0;
    if (dashes > MOST_LEVELS) return true;
  }
  return false;
}
