import { expect, it } from "vitest";
import { describeAnswer } from "../../src/reports/answer-text.ts";

const answered = { answer: "approved", by: "person", reason: "" };
const via = { surface: "cli", socket: true, terminal: true, insideRun: false };

it.each([
  [{ ...answered, via }, "approved by person (command line, at a terminal)"],
  [
    { ...answered, reason: "fine", via: { ...via, terminal: false } },
    "approved by person (command line, no terminal): fine",
  ],
  [{ ...answered, via: { ...via, surface: "dashboard" } }, "approved by person (dashboard)"],
  [
    { ...answered, via: { ...via, insideRun: true } },
    "approved by person (command line, at a terminal, from inside a worker)",
  ],
  [{ ...answered, via: { surface: "later" } }, "approved by person (later)"],
  [answered, "approved by person"],
  [{}, ""],
  ["damaged", ""],
])("says who answered, from where and why: %j", (data, text) => {
  expect(describeAnswer(data)).toBe(text);
});
