import type { Span } from "../markdown/lines.ts";

/** An object of a JSON text by offsets, one level deep; a key that stands twice counts where it stands last. */
export interface JsonObject extends Span {
  readonly members: ReadonlyMap<string, JsonMember>;
}

export interface JsonMember {
  readonly keyStart: number;
  readonly value: Span;
}

export interface JsonArray extends Span {
  readonly elements: readonly Span[];
}

/** Reads the object that begins at `at` or after white space. The text has passed a JSON parser before. */
export function readObject(text: string, at: number): JsonObject {
  const start = skipSpace(text, at);
  const members = new Map<string, JsonMember>();
  let position = skipSpace(text, start + 1);
  while (text.charAt(position) === '"') {
    const keyStart = position;
    const keyEnd = skipString(text, position);
    const value = readValue(text, skipSpace(text, skipSpace(text, keyEnd) + 1));
    members.set(keyOf(text.slice(keyStart, keyEnd)), { keyStart, value });
    position = afterComma(text, value.end);
  }
  return { start, end: position + 1, members };
}

export function readArray(text: string, at: number): JsonArray {
  const start = skipSpace(text, at);
  const elements: Span[] = [];
  let position = skipSpace(text, start + 1);
  while (position < text.length && text.charAt(position) !== "]") {
    const value = readValue(text, position);
    elements.push(value);
    position = afterComma(text, value.end);
  }
  return { start, end: position + 1, elements };
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

function readValue(text: string, start: number): Span {
  const first = text.charAt(start);
  if (first === '"') return { start, end: skipString(text, start) };
  if (first === "{" || first === "[") return { start, end: skipContainer(text, start) };
  let end = start;
  while (end < text.length && !",]} \t\r\n".includes(text.charAt(end))) end += 1;
  return { start, end };
}

function skipContainer(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') index = skipString(text, index) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

function skipString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x5c) index += 1;
    else if (code === 0x22) return index + 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let position = start;
  while (position < text.length && " \t\r\n\u{feff}".includes(text.charAt(position))) position += 1;
  return position;
}

function afterComma(text: string, end: number): number {
  const position = skipSpace(text, end);
  return text.charAt(position) === "," ? skipSpace(text, position + 1) : position;
}

function keyOf(text: string): string {
  const key: unknown = JSON.parse(text);
  return typeof key === "string" ? key : text;
}
