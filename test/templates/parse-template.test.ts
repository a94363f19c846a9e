import fc from "fast-check";
import { expect, it } from "vitest";
import { parseTemplate } from "../../src/templates/parsing/parse-template.ts";

const GOOD = `---
title: Release
summary: Each release
parts:
  - {name: notes, description: Write notes, hours: "2"}
  - {description: Publish, after: notes}
---
Do it in order. [delegate:Write notes:2]
`;

it("reads Markdown with front matter, and the same as YAML (R181)", async () => {
  const markdown = await parseTemplate(GOOD, "markdown");
  expect(markdown.template).toMatchObject({
    title: "Release",
    guidance: "Do it in order. [delegate:Write notes:2]",
    parts: [{ hours: 2 }, { after: ["notes"] }],
  });
  const yaml = await parseTemplate("title: A\nsummary: B\nguidance: C\n", "yaml");
  expect(yaml.template).toMatchObject({ title: "A", guidance: "C", parts: [] });
});

it.each([
  ["no front matter", "# Release\n", "front matter"],
  ["unknown fields", GOOD.replace("summary:", "sumary: x\nsummary:"), "sumary"],
  [
    "a part that waits for a later one",
    GOOD.replace('hours: "2"', "after: publish"),
    'no earlier part is "publish"',
  ],
  [
    "two parts with one name",
    GOOD.replace("description: Publish", "name: notes, description: P"),
    '"notes" is taken',
  ],
  ["a scope that leads out of the project", GOOD.replace("after: notes", "scope: ../other"), "without '..'"],
  [
    "a malformed directive",
    GOOD.replace("[delegate:Write notes:2]", "[delegate:Write notes]"),
    "INVALID_SYNTAX",
  ],
  ["an empty template", "---\ntitle: A\nsummary: B\n---\n", "names no part"],
  ["hours below zero", GOOD.replace('"2"', "-1"), "hours"],
  ["a document of many levels", `---\na: ${"[".repeat(5000)}\n---\n`, "nested too deeply"],
  ["aliases that multiply", `---\n${bomb()}\n---\n`, "YAML"],
  [
    "an example that is to be handed out",
    GOOD.replace("parts:", "example: E\nhandout: runtime\nparts:"),
    "runtime",
  ],
])("says what is wrong with %s", async (_what, text, problem) => {
  const reading = await parseTemplate(text, "markdown");
  expect(reading.template).toBeUndefined();
  expect(reading.problem).toContain(problem);
});

it("never throws, for any input", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ maxLength: 300 }),
      fc.constantFrom("markdown", "yaml"),
      async (text, kind) => {
        const reading = await parseTemplate(kind === "yaml" ? text : `---\n${text}\n---\n`, kind);
        expect((reading.template === undefined) !== (reading.problem === undefined)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

function bomb(): string {
  const rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let row = 1; row < 9; row += 1)
    rows.push(`a${row}: &a${row} [${Array.from({ length: 9 }, () => `*a${row - 1}`).join(", ")}]`);
  return rows.join("\n");
}
