import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { taskStatuses } from "../../src/contract/task.ts";
import { parseMarker, renderMarker } from "../../src/tasks/task.ts";

describe("parseMarker", () => {
  it.each([
    ["[NOT STARTED]", "not_started"],
    ["[not started]", "not_started"],
    ["Not Started", "not_started"],
    ["not_started", "not_started"],
    ["[ON HOLD]", "on_hold"],
    ["[ PLANNED ]", "planned"],
    ["[ON  HOLD]", "on_hold"],
    ["### 244. Implement feature X [PLANNED]", "planned"],
    ["### 244. Fix the [BLOCKED] label [PARTIAL]", "partial"],
    ["### 244. Title [PLANNED] `[x]`", "planned"],
    ["- **Status**: [RESEARCHED]", "researched"],
    ["- **Status**: researching", "researching"],
    ["  - **Status**:  On Hold  ", "on_hold"],
    ["## Phase 2: Core [COMPLETED]", "completed"],
    ["[[EXPANDED]]", "expanded"],
  ])("reads %j as %s (R135)", (text, status) => {
    expect(parseMarker(text)).toBe(status);
  });

  it.each(["[IN PROGRESS]", "in progress", "### 5. Title [In Progress]", "in_progress"])(
    "reads %j as implementing (C20)",
    (text) => {
      expect(parseMarker(text)).toBe("implementing");
    },
  );

  it.each([
    "",
    "[]",
    "[x] planned",
    "planned work",
    "### 244. Planned",
    "- [ ] item",
    "- **Plan**: [PLANNED](plans/plan.md)",
    "- **Status**: soon",
    "[DONE]",
    "PLANNED]",
    "[PLANNED",
    "[NOTSTARTED]",
    "[constructor]",
  ])("finds no marker in %j", (text) => {
    expect(parseMarker(text)).toBeUndefined();
  });

  it("reads lines of a million characters", () => {
    expect(parseMarker(`${"[".repeat(1_000_000)}PLANNED]`)).toBe("planned");
    expect(parseMarker(`[${"x".repeat(1_000_000)}]`)).toBeUndefined();
  });
});

describe("renderMarker", () => {
  it("writes what parseMarker reads, for every status, case and surrounding title (R135)", () => {
    const title = fc.string().map((text) => text.replaceAll(/[[\]]/g, ""));
    fc.assert(
      fc.property(fc.constantFrom(...taskStatuses), title, (status, words) => {
        const marker = renderMarker(status);
        expect(marker).toMatch(/^\[[A-Z ]+\]$/);
        expect(parseMarker(marker)).toBe(status);
        expect(parseMarker(marker.toLowerCase())).toBe(status);
        expect(parseMarker(marker.slice(1, -1))).toBe(status);
        expect(parseMarker(`### 7. ${words} ${marker}`)).toBe(status);
      }),
    );
  });

  it("writes spaces for underscores", () => {
    expect(renderMarker("not_started")).toBe("[NOT STARTED]");
    expect(renderMarker("implementing")).toBe("[IMPLEMENTING]");
  });
});
