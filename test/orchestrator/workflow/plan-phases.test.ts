import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNextPhase, readPhases } from "../../../src/orchestrator/workflow/plan-phases.ts";

const plan = `# Plan

## Overview
Phase 1 is not a heading here.

### Phase 1: Storage [COMPLETED]
- [ ] this box does not count, the marker does

### Phase 2: Commands
- **Status**: [IMPLEMENTING]

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
      { number: 1, title: "Storage", isDone: true },
      { number: 2, title: "Commands", isDone: false },
      { number: 3, title: "Tests", isDone: true },
      { number: 4, title: "Docs", isDone: false },
    ]);
  });

  it("give the first unfinished one, and null if all are done (R74)", () => {
    expect(findNextPhase(readPhases(plan))).toBe(2);
    expect(findNextPhase(readPhases("## Phase 1 [COMPLETED]\n## Phase 2 [COMPLETED]\n"))).toBeNull();
    expect(findNextPhase(readPhases("## Phase 1 [PARTIAL]\r\n## Phase 2\r\n"))).toBe(1);
    expect(findNextPhase([])).toBeNull();
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
