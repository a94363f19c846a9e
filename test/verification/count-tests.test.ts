import { describe, expect, it } from "vitest";
import { countTests } from "../../src/verification/count-tests.ts";

describe("the number of tests in an output", () => {
  it.each([
    ["Jest", "Tests:       1 failed, 2 skipped, 22 passed, 25 total\nTime: 1 s", [22, 1, 2]],
    ["Vitest", " Test Files  2 passed (2)\n      Tests  1 failed | 22 passed (23)\n", [22, 1, 0]],
    ["pytest", "==== 1 failed, 22 passed, 1 error, 2 skipped in 0.10s ====", [22, 2, 2]],
    ["pytest -q", "3 passed in 0.01s", [3, 0, 0]],
    ["Mocha", "\n  22 passing (20ms)\n  1 pending\n  2 failing\n", [22, 2, 1]],
    ["node --test", "ok 1 - a\n# tests 3\n# pass 2\n# fail 1\n# skipped 0\n# todo 0\n", [2, 1, 0]],
    ["node's spec reporter", "✔ a (1ms)\nℹ tests 3\nℹ pass 3\nℹ fail 0\n", [3, 0, 0]],
    ["AVA", "\n  ─\n\n  1 test failed\n  22 tests passed\n", [22, 1, 0]],
    [
      "cargo",
      "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\ntest result: FAILED. 1 passed; 1 failed; 0 ignored",
      [4, 1, 1],
    ],
    [
      "Maven",
      "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in A\n[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n",
      [2, 2, 1],
    ],
    ["unittest", "Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)", [2, 2, 1]],
    [
      "Go",
      "ok  \texample.org/a\t0.1s\nFAIL\texample.org/b\t0.1s\n?   \texample.org/c\t[no test files]",
      [1, 1, 0],
    ],
  ] as const)("is read from %s", (_runner, output, [passed, failed, skipped]) => {
    expect(countTests(output)).toStrictEqual({ passed, failed, skipped });
  });

  it.each(["", "all is well", "ok 1 - a\nok 2 - b", "5 files copied", "x".repeat(100_000)])(
    "is not guessed from %.20j",
    (output) => {
      expect(countTests(output)).toBeUndefined();
    },
  );
});
