import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markPhases, readPhases } from "../../../src/orchestrator/workflow/plan-phases.ts";

const plan = `# Plan

## Overview
Phase 1 is not a heading here.

### Phase 1: Storage [COMPLETED]
- [ ] this box does not count, the marker does

### Phase 2: Commands
- **Status**: [IMPLEMENTING]
- **Check**: \`npm test\` passes

### Phase 3 - Tests
- [x] one
- [X] two

### Phase 4: Docs
- [x] one
- [ ] two

\`\`\`
### Phase 9: an example [COMPLETED]
\`\`\`

## Risks
- [x] not part of a phase
`;

describe("phases of a plan", () => {
  it("are read from headings with markers, status lines or check boxes (R155)", () => {
    expect(readPhases(plan)).toStrictEqual([
      { number: 1, title: "Storage", isDone: true, checks: [] },
      { number: 2, title: "Commands", isDone: false, checks: ["`npm test` passes"] },
      { number: 3, title: "Tests", isDone: true, checks: [] },
      { number: 4, title: "Docs", isDone: false, checks: [] },
    ]);
  });

  it("are read as done or not done, with the line ends of every system (R74)", () => {
    const listDone = (text: string) => readPhases(text).map(({ isDone }) => isDone);
    expect(listDone("## Phase 1 [COMPLETED]\n## Phase 2 [COMPLETED]\n")).toEqual([true, true]);
    expect(listDone("## Phase 1 [PARTIAL]\r\n## Phase 2\r\n")).toEqual([false, false]);
  });

  it("are marked by what is proven, whatever they say, and nothing else changes (R155)", () => {
    const done = [
      { number: 2, title: "Commands" },
      { number: 4, title: "Docs" },
    ];
    const marked = markPhases(plan.replaceAll("\n", "\r\n"), done);
    expect(readPhases(marked).map(({ isDone }) => isDone)).toEqual([false, true, false, true]);
    const changed = marked.split("\r\n").filter((line) => !plan.split("\n").includes(line));
    expect(changed).toEqual([
      "### Phase 1: Storage [NOT STARTED]",
      "- **Status**: [COMPLETED]",
      "### Phase 3 - Tests [NOT STARTED]",
      "### Phase 4: Docs [COMPLETED]",
    ]);
    expect(markPhases(marked, done)).toBe(marked);
  });

  it("can be marked in any text, which keeps its number of lines", () => {
    const line = fc.oneof(
      fc.constantFrom("### Phase 1: A", "## Phase 2 [PLANNED]", "```", "- **Status**: [x](y)", "- [x] b"),
      fc.string({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.boolean(), (lines, isDone) => {
        const text = lines.join("\n");
        const names = isDone ? readPhases(text) : [];
        const marked = markPhases(text, names);
        expect(readPhases(marked).every((phase) => phase.isDone === isDone)).toBe(true);
        expect(marked.split("\n")).toHaveLength(text.split("\n").length);
      }),
    );
  });

  it("end at the next heading that is not below them", () => {
    const text = [
      "# Plan",
      "- **Check**: `before` passes",
      "## Phase 1: A",
      "### Details",
      "- **Check**: `own` passes",
      "#not a heading",
      "## Phases of the moon",
      "- **Check**: `other` passes",
      "## Phase 2: B",
      "# Annex",
      "- [x] a box of the annex",
      "#### Phase 3: C",
    ].join("\n");
    expect(readPhases(text)).toStrictEqual([
      { number: 1, title: "A", isDone: false, checks: ["`own` passes"] },
      { number: 2, title: "B", isDone: false, checks: [] },
      { number: 3, title: "C", isDone: false, checks: [] },
    ]);
  });

  it.each([
    ["## Phase 12", 12, ""],
    ["###### **PHASE 3:** Storage", 3, "Storage"],
    ["## phase 4. Tests", 4, "Tests"],
    ["## Phase 5 – Docs [PLANNED]", 5, "Docs"],
    ["## Phase 6 Release", 6, "Release"],
    ["## Phase 7: A [b] c [COMPLETED]", 7, "A [b] c"],
  ])("have number and title in the heading: %s", (heading, number, title) => {
    expect(readPhases(heading)).toMatchObject([{ number, title }]);
  });

  it.each(["## Phase one", "##Phase 1", "####### Phase 1", "text ## Phase 1", "## The phase 1"])(
    "are not read from %s",
    (line) => {
      expect(readPhases(line)).toEqual([]);
    },
  );

  it("are known by number and title together", () => {
    const text = "## Phase 1: A\n## Phase 1: B\n## Phase 2: A\n";
    const marked = markPhases(text, [{ number: 1, title: "B" }]);
    expect(marked).toBe("## Phase 1: A\n## Phase 1: B [COMPLETED]\n## Phase 2: A\n");
  });

  it("keep everything on their line but the marker", () => {
    const done = [{ number: 1, title: "A" }];
    const mark = (text: string): string => markPhases(text, done);
    expect(mark("## Phase 1: A  \n")).toBe("## Phase 1: A [COMPLETED]\n");
    expect(mark("  - x\n## Phase 1: A [PARTIAL] (note)\r\n")).toBe(
      "  - x\n## Phase 1: A [COMPLETED] (note)\r\n",
    );
    expect(mark("## Phase 1: A\n  **Status**: see [x]  \n")).toBe(
      "## Phase 1: A\n  **Status**: see [x] [COMPLETED]\n",
    );
    expect(mark("## Phase 1: A\n[NOT STARTED] **Status**:\n")).toBe(
      "## Phase 1: A\n[COMPLETED] **Status**:\n",
    );
  });

  it("have at most twenty checks, none of them empty or too long, in their first 400 lines", () => {
    const check = (text: string): string => `- **Check**: ${text}`;
    const checksOf = (...lines: readonly string[]): readonly string[] | undefined =>
      readPhases(["## Phase 1", ...lines].join("\n"))[0]?.checks;
    const long = "x".repeat(2000);
    expect(checksOf(check(" "), check(`${long}y`), check(long), "text **Check**: inline ")).toEqual([
      long,
      "inline",
    ]);
    expect(checksOf(...Array.from({ length: 21 }, (_, index) => check(`c${index}`)))).toHaveLength(20);
    const filler = Array.from({ length: 399 }, () => "");
    expect(checksOf(...filler, check("last"), check("too late"))).toEqual(["last"]);
    const boxes = ["## Phase 1", ...filler, "- [x] done", "- [ ] too late"].join("\n");
    expect(readPhases(boxes)).toMatchObject([{ isDone: true }]);
    const title = readPhases(`## Phase 1: ${"t".repeat(600)}`)[0]?.title;
    expect(title).toHaveLength(500);
  });

  it("are not hidden by an unclosed fence, nor by a fence with a language inside another", () => {
    expect(readPhases("## Phase 1\n```\n## Phase 2\n").map(({ number }) => number)).toEqual([1, 2]);
    const nested = "## Phase 1\n  ```md\n  ```js\n## Phase 8\n  ```\n## Phase 2\n";
    expect(readPhases(nested).map(({ number }) => number)).toEqual([1, 2]);
  });

  it("are read from any text without failing", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const phases = readPhases(text);
        expect(phases.every(({ number }) => number >= 0)).toBe(true);
      }),
    );
  });
});
