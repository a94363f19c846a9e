import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { removeFolder } from "./remove-folder.ts";

let home: string;
let temporary: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "ambit-e2e-home-"));
  temporary = mkdtempSync(join(tmpdir(), "ambit-e2e-demo-"));
});
afterEach(() => {
  removeFolder(home);
  removeFolder(temporary);
});

const demo = async (...words: string[]) => {
  const environment = { TMPDIR: temporary };
  const run = await runCli(["demo", "--json", ...words], { directory: "/", home, environment });
  return { ...run, document: JSON.parse(run.stdout) };
};
const evidenceOf = (
  document: { promises: { promise: string; evidence: string }[] },
  promise: string,
): string => document.promises.find((one) => one.promise === promise)?.evidence ?? "";

describe("ambit demo", () => {
  it("runs a whole story with an empty home: all five promises hold, and the tests turn green (R194)", async () => {
    const { status, document } = await demo();
    expect(document).toMatchObject({
      ok: true,
      outcome: "completed",
      simulated: true,
      tests: { before: false, after: true },
    });
    expect(status).toBe(0);
    expect(evidenceOf(document, "Nothing hangs")).toContain(
      "TILL-1-DEL-003-DEL-002 hung and was ended (TIMEOUT)",
    );
    expect(evidenceOf(document, "Nothing overspends")).toContain("MAX_DEPTH_EXCEEDED");
    expect(evidenceOf(document, "Nothing is lost")).toContain("delegation/TILL-1-DEL-003-DEL-002");
    expect(evidenceOf(document, "Nothing is merged unproven")).toMatch(
      /^5 merges.*1 red check.*[1-9] conflict.*2 invalid/,
    );
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each([
    ["crash", "completed", /were resumed/, /SIGKILL.* 0 merge\(s\) were made twice/],
    [
      "liar",
      "partial",
      /unfinished work is on .*\bdelegation\/TILL-1-DEL-002(,|$)/,
      /TILL-1-DEL-002 ended partial \(CRITERION_FAILED\)/,
    ],
  ])("with --fail %s ends %s and keeps its promise (R196)", async (fail, outcome, kept, trial) => {
    const { status, document } = await demo("--fail", fail);
    expect([status, document.ok, document.outcome]).toEqual([0, true, outcome]);
    expect(evidenceOf(document, "Nothing is lost")).toMatch(kept);
    expect(document.trial).toMatch(trial);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("refuses an unknown way to fail", async () => {
    const { status, document } = await demo("--fail", "everything");
    expect([status, document.error.code]).toEqual([2, "USAGE"]);
  });
});
