import { mayEndName, rateName } from "../rules/secret-names.ts";
import { findNameStart, skipBack, skipCharacters, type Span } from "./characters.ts";
import { isSecretValue, trimClosing } from "./secret-value.ts";

const QUOTES = "\"'`";
const BLANKS = " \t\r\n";

/** The value in `password=x`, `"api_key": "x y"`, `secret : x` or `{\"token\":\"x\"}`; `sign` is where `=` or `:` is. */
export function findAssignedValue(text: string, sign: number): Span | undefined {
  const nameEnd = skipBack(text, skipBack(text, sign, " \t"), `${QUOTES}\\]`);
  if (!mayEndName(text.charCodeAt(nameEnd - 2), text.charCodeAt(nameEnd - 1))) return undefined;
  const nameStart = findNameStart(text, nameEnd);
  const strength = rateName(text.slice(Math.max(nameStart, nameEnd - MAX_NAME_LENGTH), nameEnd));
  if (strength === undefined || text.startsWith("://", sign)) return undefined;
  const value = readValue(text, skipSigns(text, sign));
  const name = text.slice(nameStart, nameEnd);
  const isTight = nameEnd === sign && value.start === sign + 1 && text.charAt(sign) === "=";
  const plain = {
    text: text.slice(value.start, value.end),
    name,
    strength,
    isTight,
    isQuoted: value.isQuoted,
  };
  if (!isSecretValue(plain)) return undefined;
  return { start: value.start, end: value.isQuoted ? value.end : trimClosing(text, value) };
}

const MAX_NAME_LENGTH = 101;

/** `:=`, `=>` and `==` are one sign. */
function skipSigns(text: string, sign: number): number {
  return skipCharacters(text, sign + 1, "=>");
}

interface ReadValue extends Span {
  readonly isQuoted: boolean;
}

function readValue(text: string, from: number): ReadValue {
  const start = skipCharacters(text, from, BLANKS);
  const opening = skipCharacters(text, start, "\\");
  const quote = text.charAt(opening);
  if (quote !== "" && QUOTES.includes(quote)) return { ...readQuoted(text, opening, quote), isQuoted: true };
  return { start, end: findStop(text, start, /^[^"'`\s&;\\<]*/), isQuoted: false };
}

/** A quote after a backslash ends the value only if it also began with one. */
function readQuoted(text: string, opening: number, quote: string): Span {
  const isEscaped = text.charAt(opening - 1) === "\\";
  const last = Math.min(text.length, opening + MAX_VALUE_LENGTH);
  let end = opening + 1;
  while (end < last && text.charAt(end) !== quote) end += !isEscaped && text.charAt(end) === "\\" ? 2 : 1;
  end = Math.min(end, last);
  return { start: opening + 1, end: isEscaped ? skipBack(text, end, "\\") : end };
}

/** Bounds what one name costs, so that a text of nothing but names is still read in proportion to its length. */
const MAX_VALUE_LENGTH = 4096;

/** `kept` matches what belongs to a value, from its beginning. */
function findStop(text: string, from: number, kept: RegExp): number {
  return from + (kept.exec(text.slice(from, from + MAX_VALUE_LENGTH))?.[0].length ?? 0);
}

/** The value in `--password x`; `at` is where the flag begins. */
export function findFlagValue(text: string, at: number): Span | undefined {
  let end = at + 2;
  while (end < text.length && /[\w-]/.test(text.charAt(end))) end += 1;
  const name = text.slice(at + 2, end);
  if (text.charAt(end) !== " " || name.length > MAX_NAME_LENGTH || rateName(name) !== "strong")
    return undefined;
  const value = readValue(text, end);
  const plain = {
    text: text.slice(value.start, value.end),
    name,
    strength: "strong",
    isTight: true,
  } as const;
  if (text.charAt(value.start) === "-" || !isSecretValue({ ...plain, isQuoted: value.isQuoted }))
    return undefined;
  return { start: value.start, end: value.end };
}

/** The value in `<password>x</password>`; `sign` is where `>` is. */
export function findElementText(text: string, sign: number): Span | undefined {
  const nameStart = findNameStart(text, sign);
  if (text.charAt(nameStart - 1) !== "<" || rateName(text.slice(nameStart, sign)) !== "strong")
    return undefined;
  const end = findStop(text, sign + 1, /^[^<]*/);
  const value = { text: text.slice(sign + 1, end), name: text.slice(nameStart, sign) };
  if (text.charAt(end) !== "<") return undefined;
  return isSecretValue({ ...value, strength: "strong", isTight: false, isQuoted: true })
    ? { start: sign + 1, end }
    : undefined;
}

/** The cookies after `Cookie: name=` up to the end of the line, or the one after `Set-Cookie: name=`. */
export function findCookies(text: string, sign: number): Span | undefined {
  if ((text.charCodeAt(sign - 1) | 0x20) !== LOWER_E) return undefined;
  const name = text.slice(Math.max(0, sign - "set-cookie".length), sign).toLowerCase();
  if (!name.endsWith("cookie")) return undefined;
  const first = /^[ \t]*[\w.-]{1,100}=(?=[^[\s])/.exec(
    text.slice(sign + 1, sign + 1 + MAX_VALUE_LENGTH),
  )?.[0];
  if (first === undefined) return undefined;
  const start = sign + 1 + first.length;
  const kept = name.endsWith("set-cookie") ? /^[^"'`\r\n\\;]*/ : /^[^"'`\r\n\\]*/;
  const end = findStop(text, start, kept);
  return end - start < MIN_COOKIE_LENGTH ? undefined : { start, end };
}

const MIN_COOKIE_LENGTH = 8;
const LOWER_E = 0x65;
