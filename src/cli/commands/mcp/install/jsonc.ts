import { BrokenText, readOrExplain, type BrokenFacts } from "./broken-text.ts";

/** A value of a JSON text that may have comments and trailing commas, with its place in the text. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** Undefined for everything but objects. */
  readonly members: readonly JsonMember[] | undefined;
}

export interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly node: JsonNode;
  /** Where the comma after it is. */
  readonly commaAt: number | undefined;
}

interface Walk {
  readonly text: string;
  at: number;
  depth: number;
}

const DEEPEST = 200;

/** Reads one document in a single pass; nothing of it is evaluated. */
export function readJsonc(text: string): JsonNode | BrokenFacts {
  const walk: Walk = { text, at: text.startsWith("\uFEFF") ? 1 : 0, depth: 0 };
  return readOrExplain(() => {
    skipTrivia(walk);
    const node = readValue(walk);
    skipTrivia(walk);
    if (walk.at < text.length) throw broken(walk, "there is more after the end");
    return node;
  });
}

function readValue(walk: Walk): JsonNode {
  const first = walk.text[walk.at];
  if (first === "{" || first === "[") {
    walk.depth += 1;
    if (walk.depth > DEEPEST) throw broken(walk, "it is nested too deeply");
    const node = first === "{" ? readObject(walk) : readArray(walk);
    walk.depth -= 1;
    return node;
  }
  const start = walk.at;
  const value = first === '"' ? readString(walk) : readWord(walk);
  return { start, end: walk.at, value, members: undefined };
}

function readObject(walk: Walk): JsonNode {
  const start = walk.at;
  const members: JsonMember[] = [];
  walk.at += 1;
  for (skipTrivia(walk); walk.text[walk.at] !== "}"; skipTrivia(walk)) {
    const memberStart = walk.at;
    if (walk.text[walk.at] !== '"') throw broken(walk, "a name in quotes is missing");
    const key = readString(walk);
    skipTrivia(walk);
    pass(walk, ":");
    skipTrivia(walk);
    const node = readValue(walk);
    members.push({ key, start: memberStart, node, commaAt: passComma(walk, "}") });
  }
  walk.at += 1;
  const value = Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
  return { start, end: walk.at, value, members };
}

function readArray(walk: Walk): JsonNode {
  const start = walk.at;
  const value: unknown[] = [];
  walk.at += 1;
  for (skipTrivia(walk); walk.text[walk.at] !== "]"; skipTrivia(walk)) {
    value.push(readValue(walk).value);
    passComma(walk, "]");
  }
  walk.at += 1;
  return { start, end: walk.at, value, members: undefined };
}

/** Between two elements there must be one; after the last there may. */
function passComma(walk: Walk, close: "}" | "]"): number | undefined {
  skipTrivia(walk);
  if (walk.text[walk.at] === close) return undefined;
  const at = walk.at;
  pass(walk, ",");
  return at;
}

function pass(walk: Walk, expected: ":" | ","): void {
  if (walk.text[walk.at] !== expected) throw broken(walk, `"${expected}" is missing`);
  walk.at += 1;
}

function readString(walk: Walk): string {
  const start = walk.at;
  let at = start + 1;
  for (; walk.text[at] !== '"'; at += walk.text[at] === "\\" ? 2 : 1)
    if (at >= walk.text.length || walk.text[at] === "\n") throw broken(walk, "a text in quotes does not end");
  const parsed = parsePlain(walk.text.slice(start, at + 1));
  if (typeof parsed !== "string") throw broken(walk, "a text in quotes is not valid");
  walk.at = at + 1;
  return parsed;
}

function readWord(walk: Walk): unknown {
  const start = walk.at;
  let at = start;
  while (at < walk.text.length && !' \t\r\n,:{}[]"/'.includes(walk.text.charAt(at))) at += 1;
  const parsed = parsePlain(walk.text.slice(start, at));
  if (parsed === undefined) throw broken(walk, at === start ? "a value is missing" : "this is no value");
  walk.at = at;
  return parsed;
}

function parsePlain(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says where and what.
    return undefined;
  }
}

function skipTrivia(walk: Walk): void {
  for (;;) {
    while (walk.at < walk.text.length && " \t\r\n".includes(walk.text.charAt(walk.at))) walk.at += 1;
    const isLine = walk.text.startsWith("//", walk.at);
    if (!isLine && !walk.text.startsWith("/*", walk.at)) break;
    const end = isLine ? walk.text.indexOf("\n", walk.at) : walk.text.indexOf("*/", walk.at + 2);
    if (end === -1 && !isLine) throw broken(walk, "a comment does not end");
    walk.at = end === -1 ? walk.text.length : end + (isLine ? 1 : 2);
  }
}

function broken(walk: Walk, why: string): BrokenText {
  return new BrokenText(walk.at, why);
}
