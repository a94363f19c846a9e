import { describe, expect, it } from "vitest";
import { checkOne, makeCheckout } from "./check-for-test.ts";

const failed = async (
  output: string,
): Promise<{ readonly names: readonly string[]; readonly shown: string }> => {
  const result = await checkOne(makeCheckout(), `cat <<'END'\n${output}\nEND\nexit 1`);
  const proof = result.proof?.kind === "command" ? result.proof : undefined;
  return { names: proof?.failing ?? [], shown: proof?.output ?? "" };
};

describe("the tests that failed", () => {
  it.each([
    [
      "pytest",
      "tests/a.py .F\nFAILED tests/a.py::test_add - assert 1 == 2\n1 failed",
      ["tests/a.py::test_add"],
    ],
    [
      "go test",
      "--- FAIL: TestAdd (0.00s)\n    --- FAIL: TestAdd/two (0.00s)\nFAIL",
      ["TestAdd", "TestAdd/two"],
    ],
    ["cargo test", "test a::ok ... ok\ntest a::adds ... FAILED", ["a::adds"]],
    ["TAP", "ok 1 - fine\nnot ok 2 - adds two numbers", ["adds two numbers"]],
    ["node --test", "✔ fine (0.5ms)\n✖ adds two numbers (1.234ms)\n✖ failing tests:\n", ["adds two numbers"]],
    ["Vitest", " FAIL  test/a.test.ts > sum > adds", ["test/a.test.ts > sum > adds"]],
    ["Jest", "  ● sum › adds\n\n    expect(received)", ["sum › adds"]],
    ["Mocha", "  2 passing\n  1 failing\n\n  1) adds two numbers", ["adds two numbers"]],
    ["unittest", "FAIL: test_add (tests.Sum)\n----", ["test_add (tests.Sum)"]],
    ["another program", "something went wrong", []],
  ])("are read from the output of %s", async (_, output, names) => {
    expect((await failed(output)).names).toStrictEqual(names);
  });

  it("are not read from a check that passed", async () => {
    const { proof } = await checkOne(makeCheckout(), "echo 'not ok 1 - adds'");
    expect(proof).not.toHaveProperty("failing");
  });
});

describe("the evidence of a failed check", () => {
  it("shows the failing assertion, however much is written after it", async () => {
    const noise = Array.from({ length: 400 }, (_, at) => `PASS src/other-${String(at)}.test.js`).join("\n");
    const { shown } = await failed(`● sum › adds\n\n    expected 3, got 4\n\n${noise}\n1 failed, 400 passed`);
    expect(shown).toContain("expected 3, got 4");
    expect(shown).toContain("1 failed, 400 passed");
    expect(shown.length).toBeLessThanOrEqual(2000);
  });

  it("shows the words of a line, not its colours", async () => {
    const { names, shown } = await failed("\u{1b}[31m✖\u{1b}[39m adds");
    expect([names, shown]).toStrictEqual([["adds"], "✖ adds"]);
  });
});
