const MOST_ALTERNATIVES = 64;
const LONGEST_PATTERN = 300;
/** Comparing costs length times length; scopes that would cost more count as overlapping. */
const MOST_STEPS = 2_000_000;

type Pattern = { readonly text: string; readonly segments: readonly string[] };

/**
 * The pattern that shows where two scopes meet, or undefined when no path can lie in both. Patterns read as in a
 * delegation's scope: `**`, `*`, `?`, `{a,b}`, and a folder covers all below it. In doubt it says they meet: exclusions
 * (`!`) are left out of account, and patterns too long or too many to compare meet everything.
 */
export function findOverlap(one: readonly string[], other: readonly string[]): string | undefined {
  let steps = 0;
  for (const mine of compiled(one)) {
    for (const theirs of compiled(other)) {
      steps += mine.text.length * theirs.text.length;
      if (steps > MOST_STEPS || meet(mine.segments, theirs.segments)) return narrower(mine, theirs);
    }
  }
  return undefined;
}

function narrower(mine: Pattern, theirs: Pattern): string {
  return theirs.text.length > mine.text.length ? theirs.text : mine.text;
}

const compiledScopes = new WeakMap<readonly string[], readonly Pattern[]>();

/** Kept with the scope itself, as a waiting job is compared many times. */
function compiled(scope: readonly string[]): readonly Pattern[] {
  const kept = compiledScopes.get(scope);
  if (kept !== undefined) return kept;
  const patterns = scope.filter((text) => !text.startsWith("!")).flatMap(compile);
  compiledScopes.set(scope, patterns);
  return patterns;
}

function compile(text: string): readonly Pattern[] {
  const alternatives = text.length > LONGEST_PATTERN ? ["**"] : expandBraces(text);
  return alternatives.map((alternative) => ({ text, segments: splitPath(alternative) }));
}

function splitPath(text: string): readonly string[] {
  return text.split("/").filter((segment) => segment !== "" && segment !== ".");
}

/** Inner braces first; one that never closes makes the pattern match anything. */
function expandBraces(text: string): readonly string[] {
  let open = [text];
  while (open.some((pattern) => pattern.includes("{"))) {
    if (open.length > MOST_ALTERNATIVES) return ["**"];
    open = open.flatMap(expandOne);
  }
  return open;
}

function expandOne(pattern: string): readonly string[] {
  const start = pattern.lastIndexOf("{");
  if (start === -1) return [pattern];
  const end = pattern.indexOf("}", start);
  if (end === -1) return ["**"];
  const bodies = pattern.slice(start + 1, end).split(",");
  return bodies.map((body) => pattern.slice(0, start) + body + pattern.slice(end + 1));
}

/** Whether some path lies in or below both. */
function meet(one: readonly string[], other: readonly string[]): boolean {
  let same = 0;
  while (isPlain(one[same]) && one[same] === other[same]) same += 1;
  // Most scopes part at a plain folder name, and then there is nothing to search.
  if (isPlain(one[same]) && isPlain(other[same])) return false;
  return search(one.slice(same), other.slice(same), {
    isAny: (segment) => segment === "**",
    agree: namesMeet,
  });
}

function isPlain(segment: string | undefined): segment is string {
  return segment !== undefined && !segment.includes("*") && !segment.includes("?");
}

interface Rules<Item> {
  /** Stands for any number of items, none included. */
  readonly isAny: (item: Item) => boolean;
  readonly agree: (one: Item, other: Item) => boolean;
  /** Both must come to their end together; otherwise the first to end covers what the other goes on with. */
  readonly whole?: true;
}

/** Row by row from the ends: `row[j]` says whether `one` from the row's index and `other` from `j` can agree. */
function search<Item>(one: readonly Item[], other: readonly Item[], rules: Rules<Item>): boolean {
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
function namesMeet(one: string, other: string): boolean {
  if (one === other) return true;
  if (isPlain(one) && isPlain(other)) return false;
  return search(Array.from(one), Array.from(other), {
    isAny: (letter) => letter === "*",
    agree: (mine, theirs) => mine === theirs || mine === "?" || theirs === "?",
    whole: true,
  });
}
