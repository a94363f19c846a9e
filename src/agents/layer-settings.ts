import { type Fields, readFields, isFields, readList } from "./stream-json/read-line.ts";

/** The user's choice of a login wins over ours. */
const CHOICES: ReadonlySet<string> = new Set(["selectedType"]);

/**
 * Merges our JSON settings into the user's: objects and lists are merged, any other value of ours replaces theirs.
 * If theirs cannot be read, ours alone are used, which is enough to start the agent.
 */
export function layerSettings(theirs: string, ours: string): string {
  const merged = joinFields(readLenientJson(theirs), readFields(JSON.parse(ours)));
  return `${JSON.stringify(merged, null, 2)}\n`;
}

function joinFields(theirs: Fields, ours: Fields): Fields {
  const merged = Object.entries(ours)
    .filter(([name]) => !CHOICES.has(name) || !Object.hasOwn(theirs, name))
    .map(
      ([name, value]) =>
        [name, joinValues(Object.hasOwn(theirs, name) ? theirs[name] : undefined, value)] as const,
    );
  return Object.fromEntries<unknown>([...Object.entries(theirs), ...merged]);
}

function joinValues(theirs: unknown, ours: unknown): unknown {
  if (isFields(theirs) && isFields(ours)) return joinFields(theirs, ours);
  if (Array.isArray(theirs) && Array.isArray(ours))
    return [...new Set([...readList(theirs), ...readList(ours)])];
  return ours;
}

function readLenientJson(text: string): Fields {
  try {
    return readFields(JSON.parse(withoutComments(text)));
  } catch {
    // We do not repair the user's settings.
    return {};
  }
}

/** Removes comments in one pass and leaves strings alone. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = findCommentEnd(text, at) ?? findStringEnd(text, at);
    if (end.keep) kept.push(text.slice(at, end.at));
    at = end.at;
  }
  return kept.join("");
}

interface Piece {
  readonly at: number;
  readonly keep: boolean;
}

function findCommentEnd(text: string, at: number): Piece | undefined {
  const mark = text.slice(at, at + 2);
  if (mark !== "//" && mark !== "/*") return undefined;
  const close = mark === "//" ? "\n" : "*/";
  const end = text.indexOf(close, at + 2);
  if (end < 0) return { at: text.length, keep: false };
  return { at: mark === "//" ? end : end + close.length, keep: false };
}

/** A whole string, or one character. */
function findStringEnd(text: string, at: number): Piece {
  if (text.charAt(at) !== '"') return { at: at + 1, keep: true };
  let end = at + 1;
  while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === "\\" ? 2 : 1;
  return { at: end + 1, keep: true };
}
