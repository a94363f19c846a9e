/** Expanding `{a,b}{c,d}…` doubles with each pair; beyond this a pattern is taken literally. */
const MAX_ALTERNATIVES = 256;
const MAX_PATTERN_LENGTH = 1000;

export type PathMatcher = (path: string) => boolean;

/**
 * Compiles path patterns: `**` matches any folders, `*` and `?` match within one name, `{a,b}` matches either, and a
 * leading `!` excludes paths again. A pattern that names a folder covers everything below it. Square brackets are
 * literal, because folder names such as `[slug]` are common. Each test costs at most pattern length times path
 * length.
 */
export function compileGlobs(patterns: readonly string[]): PathMatcher {
  const taken = patterns.filter((pattern) => !pattern.startsWith("!")).flatMap(compilePattern);
  const without = patterns
    .filter((pattern) => pattern.startsWith("!"))
    .flatMap((pattern) => compilePattern(pattern.slice(1)));
  return (path) => {
    const segments = path.split("/");
    return (
      taken.some((glob) => coversPath(glob, segments)) && !without.some((glob) => coversPath(glob, segments))
    );
  };
}

function compilePattern(pattern: string): readonly (readonly string[])[] {
  return expandBraces(pattern).map((text) => {
    const segments = text.split("/").filter((segment) => segment !== "" && segment !== ".");
    // Repeated `**` match the same as one and would only cost time.
    return segments.filter((segment, index) => segment !== "**" || segments[index - 1] !== "**");
  });
}

/** Whether the pattern matches the path or one of the folders above it. */
function coversPath(glob: readonly string[], segments: readonly string[]): boolean {
  if (glob.length === 0) return true;
  // reached[p]: the first p parts of the pattern match the segments so far.
  let reached = glob.map(() => false);
  let start = true;
  for (const segment of segments) {
    reached = advanceMatch(glob, segment, { reached, start });
    start = false;
    if (reached.at(-1) === true) return true;
  }
  return false;
}

interface Progress {
  /** At index p: parts 0…p of the pattern have matched. */
  readonly reached: readonly boolean[];
  /** No segment has been read yet. */
  readonly start: boolean;
}

function advanceMatch(glob: readonly string[], segment: string, progress: Progress): boolean[] {
  const next: boolean[] = [];
  for (const [index, part] of glob.entries()) {
    const before = index === 0 ? progress.start : beforeReached(glob, progress, index - 1);
    const isAny = part === "**";
    const stays = isAny && progress.reached[index] === true;
    next.push(stays || (before && (isAny || matchSegment(part, segment))));
  }
  return next;
}

/** `**` may also match no folder at all. */
function beforeReached(glob: readonly string[], progress: Progress, index: number): boolean {
  if (progress.reached[index] === true) return true;
  if (glob[index] !== "**") return false;
  return index === 0 ? progress.start : beforeReached(glob, progress, index - 1);
}

/**
 * Matches one name against `*` and `?`: on a mismatch the last star takes one more character, so nothing is tried
 * twice.
 */
export function matchSegment(pattern: string, name: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const character = pattern[inPattern];
    if (character === "*") {
      star = inPattern;
      starAt = at;
      inPattern += 1;
    } else if (character !== undefined && (character === "?" || character === name[at])) {
      inPattern += 1;
      at += 1;
    } else if (star === -1) {
      return false;
    } else {
      starAt += 1;
      at = starAt;
      inPattern = star + 1;
    }
  }
  while (pattern[inPattern] === "*") inPattern += 1;
  return inPattern === pattern.length;
}

function expandBraces(pattern: string): readonly string[] {
  if (pattern.length > MAX_PATTERN_LENGTH) return [pattern];
  let done = [""];
  let rest = pattern;
  while (rest !== "") {
    const group = firstGroup(rest);
    if (group === undefined) return done.map((text) => text + rest);
    const alternatives = group.body.flatMap(expandBraces);
    if (done.length * alternatives.length > MAX_ALTERNATIVES) return [pattern];
    done = done.flatMap((text) => alternatives.map((body) => text + group.before + body));
    rest = group.after;
  }
  return done;
}

interface Group {
  readonly before: string;
  readonly body: readonly string[];
  readonly after: string;
}

/** Finds the first balanced `{…,…}`; braces may be nested. */
function firstGroup(text: string): Group | undefined {
  const open = text.indexOf("{");
  if (open === -1) return undefined;
  let depth = 0;
  let from = open + 1;
  const body: string[] = [];
  for (let at = open; at < text.length; at += 1) {
    const character = text[at];
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth === 0 || (depth === 1 && character === ",")) {
      body.push(text.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return { before: text.slice(0, open), body, after: text.slice(at + 1) };
  }
  return undefined;
}
