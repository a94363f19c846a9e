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

/** It takes half a minute where nothing else runs. */
const MAX_MS = 280_000;

const demo = async (...words: string[]) => {
  const environment = { TMPDIR: temporary };
  const run = await runCli(["demo", "--json", ...words], {
    directory: "/",
    home,
    environment,
    timeoutMs: MAX_MS,
  });
  return { ...run, document: JSON.parse(run.stdout) };
};
const evidenceOf = (
  document: { promises: { promise: string; evidence: string }[] },
  promise: string,
): string => document.promises.find((one) => one.promise === promise)?.evidence ?? "";

describe("ambit demo", { timeout: 300_000 }, () => {
  it("runs a whole story with an empty home: all five promises hold, and the tests turn green (R194)", async () => {
    const { status, document } = await demo();
    expect(document).toMatchObject({
      ok: true,
      outcome: "completed",
      simulated: true,
      tests: { before: false, after: true },
    });
    expect(status).toBe(0);
    expect(evidenceOf(document, "Nothing hangs")).toMatch(
      /TILL-1-DEL-003-DEL-002 hung and was ended \(TIMEOUT\); its process \d+ is gone/,
    );
    const money = evidenceOf(document, "Nothing overspends");
    expect(money).toMatch(/DEL-003-DEL-003 was stopped at \$0\.06 of \$0\.05 \(COST_LIMIT_EXCEEDED\)/);
    expect(money).toContain("MAX_DEPTH_EXCEEDED");
    const kept = evidenceOf(document, "Nothing is lost");
    expect(kept).toMatch(/^supervisor \d+ was killed with SIGKILL after event \d+;/);
    expect(kept).toContain("delegation/TILL-1-DEL-003-DEL-002");
    // A turn that the kill cut off is repeated, with its red check or its invalid return.
    const proof = evidenceOf(document, "Nothing is merged unproven");
    expect(proof).toMatch(
      /^5 merges.*; [1-9] red checks?, [1-9] conflicts? and [1-9] invalid returns? were held back/,
    );
    expect(proof).toMatch(/DEL-002 said ".+", its check said: failed/);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each([
    [
      "crash",
      "completed",
      /SIGKILL.*SIGKILL/,
      /SIGKILL in the middle of the work twice;.* 0 merges made twice/,
    ],
    [
      "liar",
      "partial",
      /unfinished work is on .*\bdelegation\/TILL-1-DEL-002(,|$)/,
      /TILL-1-DEL-002 ended partial \(CRITERION_FAILED\)/,
    ],
  ])("with --fail %s ends %s and loses no work (R196)", async (fail, outcome, kept, trial) => {
    const { status, document } = await demo("--fail", fail);
    expect([status, document.ok, document.outcome]).toEqual([0, true, outcome]);
    expect(evidenceOf(document, "Nothing is lost")).toMatch(kept);
    expect(document.trial).toMatch(trial);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("with --fail conflict fits 80 columns and names the conflict that stopped it (R196)", async () => {
    const environment = { TMPDIR: temporary, COLUMNS: "80" };
    const { status, stdout, stderr } = await runCli(["demo", "--fail", "conflict"], {
      directory: "/",
      home,
      environment,
      timeoutMs: MAX_MS,
    });
    expect(status).toBe(0);
    // Lines with a time are events for logs. All other lines are for people.
    const told = stderr
      .split("\n")
      .filter((line) => !/^\d\d:\d\d:\d\d /.test(line) && !line.includes(temporary));
    expect([...stdout.split("\n"), ...told].filter((line) => line.length > 80)).toStrictEqual([]);
    // Lines are wrapped wherever they reach 80 columns.
    const wrapped = stdout.replaceAll(/\s+/g, " ");
    expect(wrapped).toMatch(
      /TILL-1-DEL-\d+ ended partial \(MERGE_CONFLICT\), and its work is kept, not merged\./,
    );
    // The last return of the manager was not checked again, because no file had changed.
    expect(stdout).toContain("TILL-1: 4 of 5 required criteria are met");
    expect(stdout).toContain("main has nothing of it: the tests fail as before");
  });

  it("refuses an unknown word after --fail", async () => {
    const { status, document } = await demo("--fail", "everything");
    expect([status, document.error.code]).toEqual([2, "USAGE"]);
  });
});
