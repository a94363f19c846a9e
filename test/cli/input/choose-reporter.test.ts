import { describe, expect, it } from "vitest";
import { chooseReporter, reporterNames, type ReporterFacts } from "../../../src/cli/input/choose-reporter.ts";

const terminal: ReporterFacts = {
  requested: "auto",
  json: false,
  isAgent: false,
  isCi: false,
  isTty: true,
  environment: {},
};

describe("chooseReporter", () => {
  it.each(reporterNames)("obeys --reporter %s wherever it runs", (name) => {
    const facts = { ...terminal, requested: name, isAgent: true, environment: { GITHUB_ACTIONS: "true" } };
    expect(chooseReporter(facts)).toBe(name);
  });

  it.each([
    ["tree on a terminal", {}, "tree"],
    ["plain in a pipe, never silently JSON", { isTty: false }, "plain"],
    ["json only when asked for", { json: true }, "json"],
    ["agent when an agent calls, terminal or not", { isAgent: true }, "agent"],
    ["agent before github", { isAgent: true, environment: { GITHUB_ACTIONS: "true" } }, "agent"],
    ["github under GitHub Actions", { isCi: true, environment: { GITHUB_ACTIONS: "true" } }, "github"],
    ["plain on a terminal that cannot redraw", { environment: { TERM: "dumb" } }, "plain"],
    ["plain in CI even with a terminal", { isCi: true }, "plain"],
    ["tree where GITHUB_ACTIONS says no", { environment: { GITHUB_ACTIONS: "false" } }, "tree"],
  ] as const)("chooses %s", (_, change, expected) => {
    expect(chooseReporter({ ...terminal, ...change })).toBe(expected);
  });
});
