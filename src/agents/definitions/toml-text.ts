const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["t", "\t"],
  ["n", "\n"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\u001b"],
  ['"', '"'],
  ["\\", "\\"],
]);
const DEEPEST = 8;

/** A text that is read from front to back, one entry at a time. */
export class TomlText {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
    this.#text = plain.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  position(): number {
    return this.#at;
  }

  /** Counted from 1. */
  lineAt(position: number): number {
    return this.#text.slice(0, position).split("\n").length;
  }

  /** White space, line ends and comments. */
  skipBlank(): void {
    for (; !this.isAtEnd(); this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (character === "#") this.#skipLine();
      else if (!/\s/.test(character)) return;
    }
  }

  /** `[name]` or `[[name]]`; answers the name. */
  takeTable(): string | undefined {
    if (this.#text.charAt(this.#at) !== "[") return undefined;
    const line = this.#restOfLine();
    const end = line.indexOf("]");
    if (end === -1) return undefined;
    this.#skipLine();
    return line.slice(0, end).replaceAll("[", "").replaceAll('"', "").trim();
  }

  /** `key = value`; after one that cannot be read it stands on the next line. */
  takeEntry(): { readonly key: string; readonly value: unknown } | undefined {
    const line = this.#restOfLine();
    const sign = line.indexOf("=");
    const key = line.slice(0, Math.max(sign, 0)).replaceAll(/["'\s]/g, "");
    if (!/^[\w.-]{1,200}$/.test(key)) {
      this.#skipLine();
      return undefined;
    }
    this.#at += sign + 1;
    const value = this.#takeValue(0);
    this.#skipLine();
    return value === undefined ? undefined : { key, value };
  }

  #takeValue(depth: number): unknown {
    while (this.#text.charAt(this.#at) === " " || this.#text.charAt(this.#at) === "\t") this.#at += 1;
    const rest = this.#text.slice(this.#at, this.#at + 3);
    if (rest === '"""' || rest === "'''") return this.#takeLongText(rest);
    const first = rest.charAt(0);
    if (first === '"' || first === "'") return this.#takeText(first);
    if (first === "[") return depth > DEEPEST ? undefined : this.#takeList(depth);
    if (first === "{") return this.#takeInlineTable();
    return this.#takeWord();
  }

  #takeLongText(mark: string): string | undefined {
    const start = this.#at + mark.length;
    const end = findClosing(this.#text, mark, start);
    if (end === -1) return undefined;
    this.#at = end + mark.length;
    const text = this.#text.slice(start, end).replace(/^\n/, "");
    return mark === '"""' ? unescape(text) : text;
  }

  #takeText(mark: string): string | undefined {
    const line = this.#restOfLine();
    const end = findClosing(line, mark, 1);
    if (end === -1) return undefined;
    this.#at += end + 1;
    return mark === '"' ? unescape(line.slice(1, end)) : line.slice(1, end);
  }

  #takeList(depth: number): readonly unknown[] | undefined {
    const items: unknown[] = [];
    this.#at += 1;
    for (this.skipBlank(); !this.isAtEnd(); this.skipBlank()) {
      if (this.#text.charAt(this.#at) === "]") {
        this.#at += 1;
        return items;
      }
      const item = this.#takeValue(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      this.skipBlank();
      if (this.#text.charAt(this.#at) === ",") this.#at += 1;
    }
    return undefined;
  }

  /** Its content means nothing here. */
  #takeInlineTable(): object {
    this.#skipLine();
    return {};
  }

  #takeWord(): boolean | number | string | undefined {
    const word = /^[\w.:+-]{1,100}/.exec(this.#text.slice(this.#at, this.#at + 100))?.[0];
    if (word === undefined) return undefined;
    this.#at += word.length;
    if (word === "true" || word === "false") return word === "true";
    const number = Number(word.replaceAll("_", ""));
    return Number.isNaN(number) ? word : number;
  }

  #restOfLine(): string {
    const end = this.#text.indexOf("\n", this.#at);
    return this.#text.slice(this.#at, end === -1 ? undefined : end);
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }
}

/** Between single quotation marks a backslash is one. */
function findClosing(text: string, mark: string, start: number): number {
  let end = text.indexOf(mark, start);
  if (mark.startsWith("'")) return end;
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf(mark, end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - 1 - backslashes) === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

/** A backslash before a line end takes it and the white space after it away. */
function unescape(text: string): string {
  return text.replaceAll(/\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\n\s*|.)/g, (whole, escaped: string) => {
    if (escaped.startsWith("\n")) return "";
    if (escaped.length > 1) return readCode(Number.parseInt(escaped.slice(1), 16)) ?? whole;
    return ESCAPES.get(escaped) ?? whole;
  });
}

function readCode(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
