import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lintCriteria } from "../../src/contract/criteria-lint.ts";

describe("lintCriteria", () => {
  it.each([
    "Works correctly",
    "Looks good",
    "looks GOOD!",
    "The login works as expected.",
    "Everything works",
    "done",
    "It works!",
    "Page is user-friendly",
    "  ",
  ])("warns about %j (R177)", (text) => {
    const warning = lintCriteria(text);
    expect(warning?.code).toBe("VAGUE_CRITERION");
    expect(warning?.message).toContain(`"${text.trim()}"`);
    expect(warning?.message).toContain("npm test exits with code 0");
  });

  it.each([
    "npm test exits with code 0",
    "All unit tests pass (npm test)",
    "Code coverage > 80%",
    "No breaking changes to public API",
    "Documentation updated",
    "All 127 tests passing",
    "No test skipped or pending",
    "Migration script created in migrations/",
    "Backup integrity verified (checksum matches)",
    "All tests pass",
    "Code meets quality standards",
    "`npm run e2e` works as expected",
    "Search works correctly for 10000 rows",
    "Networks correctly listed",
  ])("accepts %j (R177)", (text) => {
    expect(lintCriteria(text)).toBeUndefined();
  });

  it.each([
    "works",
    "it works",
    "everything works",
    "done",
    "is done",
    "complete",
    "completed",
    "finished",
    "fixed",
    "good",
    "ok",
    "fast",
    "improved",
    "better",
    "no issues",
    "no problems",
    "no bugs",
  ])("warns about %j if the criterion says nothing else (R177)", (text) => {
    expect(lintCriteria(text)?.message).toBe(
      `Criterion "${text}" cannot be measured. Name a command, a file or a number, for example "npm test exits with code 0".`,
    );
    expect(lintCriteria(`${text} in the parser module`)).toBeUndefined();
  });

  it("judges words, not letter case or punctuation (R177)", () => {
    const spacing = fc.constantFrom(" ", "  ", "-", ", ", "\n");
    const cased = fc
      .mixedCase(fc.constantFrom("works", "looks"))
      .chain((verb) => fc.tuple(fc.constant(verb), spacing, fc.mixedCase(fc.constantFrom("fine"))));
    fc.assert(
      fc.property(cased, (parts) => {
        expect(lintCriteria(parts.join(""))).toBeDefined();
      }),
    );
  });
});
