const MAX_NAMES = 200;
const MAX_NAME_LENGTH = 200;

/** How test runners name a test that failed, one line each. Every pattern takes linear time. */
const patterns: readonly RegExp[] = [
  // pytest: FAILED tests/test_a.py::test_b - assert …
  /^(?:FAILED|ERROR) (\S+::\S+)/,
  // Go: --- FAIL: TestName (0.00s)
  /^\s*--- FAIL: (\S+)/,
  // cargo: test name ... FAILED
  /^test (\S+) \.\.\. FAILED/,
  // TAP: not ok 3 - name
  /^\s*not ok \d+ -? ?(\S.*)$/,
  // unittest: FAIL: test_a (module.Class)
  /^(?:FAIL|ERROR): (test\S* \([^)]*\))/,
  // Vitest and Jest: FAIL  file > suite > name, ● suite › name
  /^\s*(?:FAIL|×|✗)\s+(\S.* > \S.*)$/,
  /^\s*● (\S.* › \S.*)$/,
  // node --test, AVA, Mocha's spec reporter: ✖ name (1.2ms)
  /^\s*[✖✘×✗] (\S.*)$/,
  // Mocha: 1) name
  /^\s+\d+\) (\S.*)$/,
];
/** Times and counts differ from run to run. */
const CHANGING_END = /(?:\(?\d+(?:\.\d+)? ?m?s\)?|# (?:TODO|SKIP).*)$/;
const headings: ReadonlySet<string> = new Set(["failing tests:", "failed tests:"]);

/** The names of failed tests in the output of a test runner, each once, in order; none if the format is not known. */
export function listFailingTests(output: string): readonly string[] {
  const found = new Set<string>();
  for (const line of output.split("\n")) {
    const name = found.size < MAX_NAMES ? readTestName(line) : undefined;
    if (name !== undefined) found.add(name);
  }
  return [...found];
}

function readTestName(line: string): string | undefined {
  if (line.length > 1000) return undefined;
  const match = patterns.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined);
  const name = match?.trimEnd().replace(CHANGING_END, "").trim().slice(0, MAX_NAME_LENGTH);
  return name === undefined || name === "" || headings.has(name.toLowerCase()) ? undefined : name;
}

const FAILURE_SIGN =
  /(?:^|\s)(?:not ok\b|FAIL\b|FAILED\b|--- FAIL|✖|✘|✗|×|●|AssertionError|AssertionFailedError|panicked at|Traceback|error(?:\[\w+\])?:|Error:|E {3})/;
const LINES_BEFORE = 1;
const LINES_AFTER = 14;

/** The part of an output that shows the first failure; undefined if no line looks like one. */
export function findFailure(output: string): string | undefined {
  const lines = output.split("\n");
  const at = lines.findIndex((line) => line.length <= 1000 && FAILURE_SIGN.test(line));
  if (at === -1) return undefined;
  return lines.slice(Math.max(0, at - LINES_BEFORE), at + LINES_AFTER).join("\n");
}
