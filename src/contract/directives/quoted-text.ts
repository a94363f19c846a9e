import { maskQuotedLines } from "./quoted-lines.ts";
import { maskElements } from "./elements.ts";
import { maskQuotations } from "./quotations.ts";
import { maskMarkdownCode } from "./markdown-mask.ts";

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
