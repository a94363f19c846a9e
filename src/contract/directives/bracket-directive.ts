import { isLineBreak } from "./markdown-line.ts";
import { maskMarkdownCode } from "./markdown-mask.ts";

const LEFT_BRACKET = 91;
const BACKSLASH = 92;
const RIGHT_BRACKET = 93;

/** The place of a directive. It ends after its closing bracket or, when that is missing, with its line. */
export interface BracketDirective {
  readonly start: number;
  readonly end: number;
  readonly isClosed: boolean;
}

/**
 * Finds `opening … ]` outside Markdown code, each on one line, with balanced inner brackets. A bracket after a
 * backslash is text. Text inside a closed directive is its content, never a second directive. Brackets where `mask`
 * is 1 do not count; without a mask, those in Markdown code do not.
 */
export function findBracketDirectives(
  text: string,
  opening: string,
  mask?: Uint8Array,
): readonly BracketDirective[] {
  if (!text.includes(opening)) return [];
  const directives: BracketDirective[] = [];
  let free = 0;
  for (const directive of matchBrackets(text, opening, mask ?? maskMarkdownCode(text))) {
    if (directive.start < free) continue;
    directives.push(directive);
    free = directive.isClosed ? directive.end : directive.start + opening.length;
  }
  return directives;
}

/** Every opening with its partner. One stack per line, so that open brackets are never searched twice. */
function matchBrackets(text: string, opening: string, mask: Uint8Array): readonly BracketDirective[] {
  const found: BracketDirective[] = [];
  const open: number[] = [];
  const end = (start: number, position: number, isClosed: boolean): void => {
    if (text.startsWith(opening, start)) found.push({ start, end: position, isClosed });
  };
  for (let index = 0; index <= text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (index === text.length || isLineBreak(code)) {
      for (const start of open) end(start, index, false);
      open.length = 0;
    }
    if (mask[index] === 1) continue;
    if (code === BACKSLASH && isEscapable(text.charCodeAt(index + 1))) index += 1;
    if (code === LEFT_BRACKET) open.push(index);
    const partner = code === RIGHT_BRACKET ? open.pop() : undefined;
    if (partner !== undefined) end(partner, index + 1, true);
  }
  return found.sort((one, other) => one.start - other.start);
}

function isEscapable(code: number): boolean {
  return code === LEFT_BRACKET || code === BACKSLASH || code === RIGHT_BRACKET;
}
