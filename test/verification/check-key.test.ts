import { expect, it } from "vitest";
import type { CriterionCheck } from "../../src/contract/task.ts";
import { makeCheckKey, describeCheck } from "../../src/verification/criteria/check-key.ts";

const key = (check: CriterionCheck) => makeCheckKey(check);

it("gives equal checks the same key, and different checks different keys", () => {
  expect(key({ command: " npm test " })).toBe(key({ command: "npm test" }));
  expect(key({ file: " ./docs//x.md" })).toBe(key({ file: "docs/x.md" }));
  expect(key({ changed: " src/** " })).toBe(key({ changed: "src/**" }));
  const different: readonly CriterionCheck[] = [
    { command: "a" },
    { command: "b" },
    { command: "a  b" },
    { command: "a b" },
    { command: "a", timeoutSeconds: 5 },
    { command: "a", retries: 0 },
    { file: "a" },
    { file: "b" },
    { changed: "a" },
    { changed: "b" },
  ];
  expect(new Set(different.map(key)).size).toBe(different.length);
});

it("has no key for a check that no program can run", () => {
  expect(key({ manual: true })).toBeUndefined();
  expect(makeCheckKey(undefined)).toBeUndefined();
});

it("describes a check in words", () => {
  expect(describeCheck({ command: " npm test " })).toBe("`npm test` exits with code 0");
  expect(describeCheck({ command: "npm test", timeoutSeconds: 90, retries: 1 })).toBe(
    "`npm test` exits with code 0 within 90 s with 1 retry",
  );
  expect(describeCheck({ file: " a.md " })).toBe("file a.md exists");
  expect(describeCheck({ changed: " src/** " })).toBe("changes src/**");
  expect(describeCheck({ manual: true })).toBe("decided by the manager or a person");
});
