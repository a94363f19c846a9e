import { expect, it } from "vitest";
import { renderTrial } from "../../../src/cli/render/trial.ts";

const settings = { include: [], setup: null, pass: [] };
const passed = {
  verdict: "passed" as const,
  exit_code: 0,
  tests: null,
  failing: [],
  duration_ms: 9,
  evidence: "",
};
const trial = { status: "equal" as const, reason: null, tried: [], settings };

it("quotes why the tests fail, also where a fresh workspace is not the reason", () => {
  const evidence = "`pnpm test` ended with exit code 127 (a program was not found).\npnpm: not found";
  const run = { ...passed, verdict: "failed" as const, exit_code: 127, evidence };
  expect(renderTrial({ ...trial, home: run, workspace: run }, false)).toBe(
    [
      "tests here            failed: exit code 127, 9ms",
      "in a fresh workspace  failed: exit code 127, 9ms",
      "",
      "  `pnpm test` ended with exit code 127 (a program was not found).",
      "  pnpm: not found",
      "",
      "The tests fail in a fresh workspace as they do here.",
    ].join("\n"),
  );
});

it("does not take a command that ran no test for one that shows something", () => {
  const none = { ...passed, tests: { passed: 0, failed: 0, skipped: 0 } };
  expect(renderTrial({ ...trial, home: none, workspace: none }, false)).toMatch(
    /\n\nNo test ran, so this proves nothing\. .* ambit config set verification\.test '<command>'$/,
  );
  expect(renderTrial({ ...trial, home: passed, workspace: passed }, false)).toContain(
    "has what the tests need",
  );
});
