const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** A name that is safe as a file name, as a word of a command line and in a path of agents. */
export function isAgentName(text: string): boolean {
  return NAME.test(text);
}

/** A text, or a value that YAML turned into another type: the version 4.5 becomes a number. */
export function readText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

export function readFlag(value: unknown): boolean {
  return value === true || value === "true";
}

const MAX_WORDS = 1000;

/** A list of words; one text is a program without arguments. */
export function readCommandWords(value: unknown): readonly string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  return Array.isArray(value)
    ? value.slice(0, MAX_WORDS).flatMap((item: unknown) => readText(item) ?? [])
    : [];
}

const MAX_ITEMS = 200;

/** `a, b(c, d)`, `[a, b]` or a list of lines; commas inside parentheses belong to their item. */
export function readItemList(value: unknown): readonly string[] {
  const items = Array.isArray(value)
    ? value.flatMap((item: unknown) => readText(item) ?? [])
    : splitOutside(readText(value) ?? "");
  return items
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .slice(0, MAX_ITEMS);
}

function splitOutside(text: string): readonly string[] {
  const items: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === "(") depth += 1;
    if (character === ")") depth = Math.max(0, depth - 1);
    if ((character === "," && depth === 0) || character === "\n") {
      items.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...items, text.slice(start)];
}
