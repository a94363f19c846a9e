const MAX_ALTERNATIVES = 64;
const MAX_PATTERN_LENGTH = 300;
/** Comparing costs length times length; scopes above this cost count as overlapping. */
const MAX_STEPS = 2_000_000;

type Pattern = { readonly text: string; readonly segments: readonly string[] };

/**
 * The pattern that shows where two scopes overlap, or undefined when no path can be in both. Patterns are those of a
 * delegation's scope: `**`, `*`, `?`, `{a,b}`, and a folder covers everything below it. In doubt they overlap: exclusions
 * (`!`) are ignored, and patterns too long or too many to compare overlap with everything.
 */
export function findOverlap(one: readonly string[], other: readonly string[]): string | undefined {
  let steps = 0;
  for (const mine of compileScope(one)) {
    for (const theirs of compileScope(other)) {
      steps += mine.text.length * theirs.text.length;
      if (steps > MAX_STEPS || patternsOverlap(mine.segments, theirs.segments))
        return chooseNarrower(mine, theirs);
    }
  }
  return undefined;
}

function chooseNarrower(mine: Pattern, theirs: Pattern): string {
  return theirs.text.length > mine.text.length ? theirs.text : mine.text;
}

const compiledScopes = new WeakMap<readonly string[], readonly Pattern[]>();

/** Cached per scope, because a waiting job is compared many times. */
function compileScope(scope: readonly string[]): readonly Pattern[] {
  const kept = compiledScopes.get(scope);
  if (kept !== undefined) return kept;
  const patterns = scope.filter((text) => !text.startsWith("!")).flatMap(compilePattern);
  compiledScopes.set(scope, patterns);
  return patterns;
}

function compilePattern(text: string): readonly Pattern[] {
  const alternatives = text.length > MAX_PATTERN_LENGTH ? ["**"] : expandBraces(text);
  return alternatives.map((alternative) => ({ text, segments: splitPath(alternative) }));
}

function splitPath(text: string): readonly string[] {
  return text.split("/").filter((segment) => segment !== "" && segment !== ".");
}

/** Inner braces first; an unclosed brace makes the pattern match anything. */
function expandBraces(text: string): readonly string[] {
  let open = [text];
  while (open.some((pattern) => pattern.includes("{"))) {
    if (open.length > MAX_ALTERNATIVES) return ["**"];
    open = open.flatMap(expandInnermost);
  }
  return open;
}

function expandInnermost(pattern: string): readonly string[] {
  const start = pattern.lastIndexOf("{");
  if (start === -1) return [pattern];
  const end = pattern.indexOf("}", start);
  if (end === -1) return ["**"];
  const bodies = pattern.slice(start + 1, end).split(",");
  return bodies.map((body) => pattern.slice(0, start) + body + pattern.slice(end + 1));
}

/** Whether some path is in or below both. */
function patternsOverlap(one: readonly string[], other: readonly string[]): boolean {
  let same = 0;
  while (isPlainSegment(one[same]) && one[same] === other[same]) same += 1;
  // Most scopes differ in a plain folder name, which needs no search.
  if (isPlainSegment(one[same]) && isPlainSegment(other[same])) return false;
  return searchAgreement(one.slice(same), other.slice(same), {
    isAny: (segment) => segment === "**",
    agree: namesOverlap,
  });
}

function isPlainSegment(segment: string | undefined): segment is string {
  return segment !== undefined && !segment.includes("*") && !segment.includes("?");
}

interface Rules<Item> {
  /** Stands for any number of items, none included. */
  readonly isAny: (item: Item) => boolean;
  readonly agree: (one: Item, other: Item) => boolean;
  /** Both must end together; otherwise the one that ends first covers the rest of the other. */
  readonly whole?: true;
}

/** Row by row from the ends: `row[j]` says whether `one` from the row's index and `other` from `j` can agree. */
function searchAgreement<Item>(one: readonly Item[], other: readonly Item[], rules: Rules<Item>): boolean {
  const canEnd = (rest: readonly Item[]): boolean => rules.whole !== true || rest.every(rules.isAny);
  let below = [...Array.from(other, (_item, index) => canEnd(other.slice(index))), true];
  for (let index = one.length - 1; index >= 0; index -= 1) {
    const row: boolean[] = [];
    row[other.length] = canEnd(one.slice(index));
    const mine = one[index];
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const theirs = other[column];
      if (mine === undefined || theirs === undefined) continue;
      const skip = rules.isAny(mine) || rules.isAny(theirs);
      row[column] = skip
        ? below[column] === true || row[column + 1] === true
        : below[column + 1] === true && rules.agree(mine, theirs);
    }
    below = row;
  }
  return below[0] === true;
}

/** Whether one name can match both. */
function namesOverlap(one: string, other: string): boolean {
  if (one === other) return true;
  if (isPlainSegment(one) && isPlainSegment(other)) return false;
  return searchAgreement(Array.from(one), Array.from(other), {
    isAny: (letter) => letter === "*",
    agree: (mine, theirs) => mine === theirs || mine === "?" || theirs === "?",
    whole: true,
  });
}
