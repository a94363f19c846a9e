import { BrokenText, readOrExplain, type BrokenFacts } from "./broken-text.ts";

/** One line of meaning of a TOML text: a table's head, or a key with its value. */
export interface TomlStatement {
  readonly kind: "table" | "list-table" | "pair";
  /** From the root, the table it stands in included. */
  readonly path: readonly string[];
  readonly start: number;
  /** After its last character; a comment behind it is not part of it. */
  readonly end: number;
  /** As it is written; empty for a table. */
  readonly value: string;
}

interface Walk {
  readonly text: string;
  at: number;
  depth: number;
}

const DEEPEST = 100;

/** Reads the statements of a TOML text in one pass: enough to change one table and to see that the rest is whole. */
export function readToml(text: string): readonly TomlStatement[] | BrokenFacts {
  return readOrExplain(() => readStatements({ text, at: text.startsWith("\uFEFF") ? 1 : 0, depth: 0 }));
}

function readStatements(walk: Walk): readonly TomlStatement[] {
  const statements: TomlStatement[] = [];
  const known = new Set<string>();
  let table: readonly string[] = [];
  for (skipBlank(walk); walk.at < walk.text.length; skipBlank(walk)) {
    const statement = walk.text[walk.at] === "[" ? readHead(walk) : readPair(walk, table);
    if (statement.kind !== "pair") table = statement.path;
    // What follows a list's head belongs to a new element of it each time.
    if (statement.kind === "list-table") known.clear();
    const name = JSON.stringify([statement.kind === "pair", ...statement.path]);
    if (statement.kind !== "list-table" && known.has(name))
      throw new BrokenText(statement.start, `${statement.path.join(".")} is there twice`);
    known.add(name);
    statements.push(statement);
    endLine(walk);
  }
  return statements;
}

function readHead(walk: Walk): TomlStatement {
  const start = walk.at;
  const isList = walk.text.startsWith("[[", start);
  walk.at += isList ? 2 : 1;
  const path = readKey(walk);
  const close = isList ? "]]" : "]";
  if (!walk.text.startsWith(close, walk.at)) throw broken(walk, `"${close}" is missing`);
  walk.at += close.length;
  return { kind: isList ? "list-table" : "table", path, start, end: walk.at, value: "" };
}

function readPair(walk: Walk, table: readonly string[]): TomlStatement {
  const start = walk.at;
  const key = readKey(walk);
  if (walk.text[walk.at] !== "=") throw broken(walk, '"=" is missing');
  walk.at += 1;
  skipSpace(walk);
  const valueStart = walk.at;
  passValue(walk);
  const value = walk.text.slice(valueStart, walk.at);
  return { kind: "pair", path: [...table, ...key], start, end: walk.at, value };
}

function readKey(walk: Walk): readonly string[] {
  const parts: string[] = [];
  for (;;) {
    skipSpace(walk);
    parts.push(readKeyPart(walk));
    skipSpace(walk);
    if (walk.text[walk.at] !== ".") return parts;
    walk.at += 1;
  }
}

function readKeyPart(walk: Walk): string {
  const start = walk.at;
  const first = walk.text[start];
  if (first === '"' || first === "'") {
    passLineString(walk, first);
    const inner = walk.text.slice(start + 1, walk.at - 1);
    return first === "'" ? inner : unescape(walk, inner);
  }
  while (/[A-Za-z0-9_-]/.test(walk.text.charAt(walk.at))) walk.at += 1;
  if (walk.at === start) throw broken(walk, "a key is missing");
  return walk.text.slice(start, walk.at);
}

function unescape(walk: Walk, inner: string): string {
  try {
    const parsed: unknown = JSON.parse(`"${inner}"`);
    return String(parsed);
  } catch {
    throw broken(walk, "a key in quotes is not valid");
  }
}

function passValue(walk: Walk): void {
  const { text, at } = walk;
  if (text.startsWith('"""', at)) return passLongString(walk, '"');
  if (text.startsWith("'''", at)) return passLongString(walk, "'");
  const first = text.charAt(at);
  if (first === '"' || first === "'") return passLineString(walk, first);
  if (first === "[" || first === "{") return passGroup(walk, first === "[" ? "]" : "}");
  passWord(walk);
}

function passLineString(walk: Walk, quote: '"' | "'"): void {
  let at = walk.at + 1;
  for (; walk.text[at] !== quote; at += quote === '"' && walk.text[at] === "\\" ? 2 : 1)
    if (at >= walk.text.length || walk.text[at] === "\n") throw broken(walk, "a text in quotes does not end");
  walk.at = at + 1;
}

function passLongString(walk: Walk, quote: '"' | "'"): void {
  const close = quote.repeat(3);
  let at = walk.at + 3;
  for (; !walk.text.startsWith(close, at); at += quote === '"' && walk.text[at] === "\\" ? 2 : 1)
    if (at >= walk.text.length) throw broken(walk, "a text in quotes does not end");
  at += 3;
  // Up to two quotes may stand right before the closing three.
  for (let extra = 0; extra < 2 && walk.text[at] === quote; extra += 1) at += 1;
  walk.at = at;
}

function passGroup(walk: Walk, close: "]" | "}"): void {
  walk.at += 1;
  walk.depth += 1;
  if (walk.depth > DEEPEST) throw broken(walk, "it is nested too deeply");
  for (skipBlank(walk); walk.text[walk.at] !== close; skipBlank(walk)) {
    if (walk.at >= walk.text.length) throw broken(walk, `"${close}" is missing`);
    if (close === "}") readPair(walk, []);
    else passValue(walk);
    skipBlank(walk);
    if (walk.text[walk.at] === ",") walk.at += 1;
    else if (walk.text[walk.at] !== close) throw broken(walk, `"," or "${close}" is missing`);
  }
  walk.at += 1;
  walk.depth -= 1;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const WORD = /^(?:true|false|[+-]?(?:inf|nan|\d[0-9A-Za-z_.:+-]*))$/;

function passWord(walk: Walk): void {
  const start = walk.at;
  const pass = (): void => {
    while (/[A-Za-z0-9_.:+-]/.test(walk.text.charAt(walk.at))) walk.at += 1;
  };
  pass();
  const isDate = DATE.test(walk.text.slice(start, walk.at));
  if (isDate && /^ \d\d:/.test(walk.text.slice(walk.at, walk.at + 4))) {
    walk.at += 1;
    pass();
  }
  const word = walk.text.slice(start, walk.at).replace(" ", "T");
  if (!WORD.test(word)) throw new BrokenText(start, "this is no value");
}

function endLine(walk: Walk): void {
  skipSpace(walk);
  if (walk.text[walk.at] === "#") skipComment(walk);
  if (walk.at < walk.text.length && !/[\r\n]/.test(walk.text.charAt(walk.at)))
    throw broken(walk, "there is more on the line");
}

function skipSpace(walk: Walk): void {
  while (walk.text[walk.at] === " " || walk.text[walk.at] === "\t") walk.at += 1;
}

function skipBlank(walk: Walk): void {
  for (;;) {
    while (walk.at < walk.text.length && " \t\r\n".includes(walk.text.charAt(walk.at))) walk.at += 1;
    if (walk.text[walk.at] !== "#") return;
    skipComment(walk);
  }
}

function skipComment(walk: Walk): void {
  const end = walk.text.indexOf("\n", walk.at);
  walk.at = end === -1 ? walk.text.length : end;
}

function broken(walk: Walk, why: string): BrokenText {
  return new BrokenText(walk.at, why);
}
