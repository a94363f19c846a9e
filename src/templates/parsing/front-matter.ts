const FENCE = "---";
const BYTE_ORDER_MARK = "\uFEFF";

export interface Split {
  /** Undefined when the text does not begin with a fence that is closed again. */
  readonly head: string | undefined;
  readonly body: string;
}

/** What stands between the fences of a Markdown file, and what follows. */
export function splitFrontMatter(text: string): Split {
  const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const lines = plain.replaceAll("\r\n", "\n").split("\n");
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === FENCE);
  if (lines[0]?.trimEnd() !== FENCE || end < 0) return { head: undefined, body: lines.join("\n").trim() };
  const body = lines.slice(end + 1).join("\n");
  return { head: lines.slice(1, end).join("\n"), body: body.trim() };
}
