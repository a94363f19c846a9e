import type { Span } from "./characters.ts";

/** A text as a reader would take it, with the place of each of its characters in the text it was made from. */
export interface TextView {
  readonly text: string;
  /** The place of the character at this index; one more entry says where the text ends. */
  readonly places: Uint32Array;
}

const INVISIBLE_RANGES: readonly string[] = [
  String.raw`\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F`,
  String.raw`\u3164\uFE00-\uFE0F\uFEFF\uFFA0`,
];
/** One class, because an expression with several is many times slower. */
const INVISIBLE = new RegExp(`[${INVISIBLE_RANGES.join("")}]`);
const PERCENT = /%[\da-fA-F]{2}/;

/** Without characters that are not shown, which would split a token. */
export function hideInvisible(text: string): TextView | undefined {
  if (!hasBeyondAscii(text) || !INVISIBLE.test(text)) return undefined;
  return buildView(text, (at) => (INVISIBLE.test(text.charAt(at)) ? { shown: "", length: 1 } : undefined));
}

/** Cheaper than the expression, and enough for most texts. */
function hasBeyondAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return true;
  return false;
}

/** With `%3D` read as `=`. Only ASCII matters: no credential has anything else. */
export function decodePercent(text: string): TextView | undefined {
  if (!text.includes("%") || !PERCENT.test(text)) return undefined;
  return buildView(text, (at) => {
    if (text.charAt(at) !== "%") return undefined;
    const code = PERCENT.test(text.slice(at, at + 3))
      ? Number.parseInt(text.slice(at + 1, at + 3), 16)
      : 0x80;
    return code < 0x80 ? { shown: String.fromCharCode(code), length: 3 } : undefined;
  });
}

export function mapSpan({ places }: TextView, { start, end }: Span): Span {
  return { start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1 };
}

type Replace = (at: number) => { readonly shown: string; readonly length: number } | undefined;

function buildView(text: string, replace: Replace): TextView {
  const pieces: string[] = [];
  const places = new Uint32Array(text.length + 1);
  let count = 0;
  for (let at = 0; at < text.length;) {
    const { shown, length } = replace(at) ?? { shown: text.charAt(at), length: 1 };
    at += length;
    if (shown === "") continue;
    pieces.push(shown);
    // The last character of what was replaced, so that a span that ends here takes all of it.
    places[count] = at - 1;
    count += 1;
  }
  places[count] = text.length;
  return { text: pieces.join(""), places };
}
