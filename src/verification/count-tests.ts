/** How many tests a run had, by its own words. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

type Kind = keyof TestCounts;

const kinds: ReadonlyMap<string, Kind> = new Map([
  ["passed", "passed"],
  ["passing", "passed"],
  ["pass", "passed"],
  ["failed", "failed"],
  ["failing", "failed"],
  ["fail", "failed"],
  ["error", "failed"],
  ["errors", "failed"],
  ["skipped", "skipped"],
  ["pending", "skipped"],
  ["ignored", "skipped"],
  ["todo", "skipped"],
]);

/** Lines in which test runners sum up, with the count before its word. Every pattern takes linear time. */
const summaries: readonly RegExp[] = [
  // Jest: Tests:       1 failed, 22 passed, 23 total
  /^Tests:\s/,
  // Vitest:       Tests  1 failed | 22 passed (23)
  /^\s+Tests\s\s/,
  // pytest: ==== 1 failed, 22 passed in 0.10s ====
  /^=*\s?\d+ (?:passed|failed|skipped|errors?)\b.* in \d/,
  // Mocha:   22 passing (20ms)
  /^\s+\d+ (?:passing|failing|pending)\b/,
  // AVA:   22 tests passed
  /^\s+\d+ tests? (?:passed|failed|skipped)/,
  // cargo: test result: ok. 22 passed; 0 failed; 1 ignored; …
  /^test result: /,
];

/** Counts the tests of a run in the output of its test runner; undefined if the format is not known. */
export function countTests(output: string): TestCounts | undefined {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let isKnown = false;
  for (const line of output.split("\n")) {
    const found = line.length <= 1000 ? readLine(line) : [];
    for (const [kind, count] of found) {
      counts[kind] += count;
      isKnown = true;
    }
  }
  return isKnown ? counts : undefined;
}

type Found = readonly (readonly [Kind, number])[];

function readLine(line: string): Found {
  if (summaries.some((pattern) => pattern.test(line))) return readPairs(line);
  return readNamedCount(line) ?? readMaven(line) ?? readUnittest(line) ?? readGo(line) ?? [];
}

/** `1 failed`, `22 tests passed` */
function readPairs(line: string): Found {
  const words = line.split(/[\s,;|()]+/);
  return words.flatMap((word, index) => {
    if (!/^\d{1,9}$/.test(word)) return [];
    const next = words[index + 1] ?? "";
    const kind = kinds.get(/^tests?$/.test(next) ? (words[index + 2] ?? "") : next);
    return kind === undefined ? [] : [[kind, Number(word)] as const];
  });
}

/** TAP and `node --test`: `# pass 22`, `ℹ fail 1`. */
function readNamedCount(line: string): Found | undefined {
  const [, word = "", count = ""] = /^[#ℹ] (pass|fail|skipped|todo)\s+(\d{1,9})$/.exec(line) ?? [];
  const kind = kinds.get(word);
  return kind === undefined ? undefined : [[kind, Number(count)]];
}

/** `Tests run: 5, Failures: 1, Errors: 0, Skipped: 0`; lines about one class say how long it took. */
function readMaven(line: string): Found | undefined {
  const at = line.indexOf("Tests run: ");
  if (at < 0 || line.includes("Time elapsed")) return undefined;
  const [run = 0, failures = 0, errors = 0, skipped = 0] = line
    .slice(at)
    .split(",")
    .map((part) => Number(part.split(":")[1]));
  const failed = failures + errors;
  return [
    ["passed", run - failed - skipped],
    ["failed", failed],
    ["skipped", skipped],
  ];
}

/** `Ran 5 tests in 0.001s`, then `FAILED (failures=1, errors=1)` */
function readUnittest(line: string): Found | undefined {
  const [, ran] = /^Ran (\d{1,9}) tests? in \d/.exec(line) ?? [];
  if (ran !== undefined) return [["passed", Number(ran)]];
  const [, parts] = /^(?:FAILED|OK) \(([^)]+)\)$/.exec(line) ?? [];
  if (parts === undefined) return undefined;
  return parts.split(", ").flatMap((part) => {
    const [word = "", count = ""] = part.split("=");
    const kind = word === "failures" ? "failed" : kinds.get(word);
    if (kind === undefined || !/^\d{1,9}$/.test(count)) return [];
    return [[kind, Number(count)] as const, ["passed", -Number(count)] as const];
  });
}

/** Go sums up by package, with tabs: `ok  pkg 0.1s`, `FAIL pkg 0.1s`. */
function readGo(line: string): Found | undefined {
  if (/^ok {2}\t\S/.test(line)) return [["passed", 1]];
  return /^FAIL\t\S+/.test(line) ? [["failed", 1]] : undefined;
}
