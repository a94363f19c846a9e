import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const SCRIPT = resolve("scripts/count-tests.mjs");
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ambit-count-"));
  mkdirSync(join(folder, "reports/tests"), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("adds up the suites that ran", () => {
  writeReport("unit", { numPassedTests: 40 });
  writeReport("kill", { numPassedTests: 2, numFailedTests: 1, success: false });
  expect(closingLine()).toBe("42 passed, 1 failed");
});

it("counts a file that could not be loaded as one failure", () => {
  const testResults = [{ status: "failed", assertionResults: [] }];
  writeReport("unit", { numPassedTests: 3, success: false, testResults });
  expect(closingLine()).toBe("3 passed, 1 failed");
});

it("counts an error outside every test as one failure", () => {
  writeReport("unit", { numPassedTests: 3, success: false });
  expect(closingLine()).toBe("3 passed, 1 failed");
});

it("counts one failure when no test ran", () => {
  expect(closingLine()).toBe("0 passed, 1 failed");
});

it("counts a gate step that failed outside the tests, and not a failed test twice", () => {
  writeReport("unit", { numPassedTests: 3 });
  writeFileSync(join(folder, "reports/gate-failure.txt"), "package:check\n");
  expect(closingLine()).toBe("3 passed, 1 failed");
  writeReport("unit", { numPassedTests: 3, numFailedTests: 2, success: false });
  writeFileSync(join(folder, "reports/gate-failure.txt"), "test:unit\n");
  expect(closingLine()).toBe("3 passed, 2 failed");
});

it("counts a coverage threshold that was missed although every test passed", () => {
  writeReport("unit", { numPassedTests: 3 });
  writeFileSync(join(folder, "reports/gate-failure.txt"), "test:unit\n");
  expect(closingLine()).toBe("3 passed, 1 failed");
});

it("names the tests that were not run", () => {
  const assertionResults = [{ status: "skipped", fullName: "needs a moon" }];
  writeReport("unit", { testResults: [{ status: "passed", assertionResults }] });
  expect(run().stderr).toBe("not run: needs a moon\n");
});

function writeReport(name: string, facts: Readonly<Record<string, unknown>>): void {
  const report = { numPassedTests: 0, numFailedTests: 0, success: true, testResults: [], ...facts };
  writeFileSync(join(folder, `reports/tests/${name}.json`), JSON.stringify(report));
}

function closingLine(): string | undefined {
  return run().stdout.trimEnd().split("\n").at(-1);
}

function run(): { readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [SCRIPT], { cwd: folder, encoding: "utf8" });
}
