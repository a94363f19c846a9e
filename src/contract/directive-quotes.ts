import { maskQuotedLines } from "./directive-quotes/lines.ts";
import { maskElements } from "./directive-quotes/elements.ts";
import { maskQuotations } from "./directive-quotes/quotations.ts";
import { maskMarkdownCode } from "./markdown-mask.ts";

/**
 * 1 for every character that a message only repeats: code, block quotes, indented text, diffs, search hits, comments,
 * elements such as `<file>…</file>` and what stands in quotation marks, JSON strings included. Each rule only adds,
 * so that what one of them takes for quoted stays so whatever the others make of it.
 */
export function maskQuotedText(text: string): Uint8Array {
  const mask = maskMarkdownCode(text);
  const code = mask.slice();
  maskQuotedLines(text, mask);
  maskElements(text, { code, mask });
  maskQuotations(text, { code, mask });
  return mask;
}
