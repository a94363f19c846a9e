// Prints the closing line of .ci/run, `N passed, M failed`, from the JSON reports of the suites that ran.
// A suite that could not load, and a gate step that failed outside the tests, each count as one failure.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const REPORTS = "reports/tests";
const FAILED_STEP = "reports/gate-failure.txt";

const suites = existsSync(REPORTS) ? readdirSync(REPORTS).filter((file) => file.endsWith(".json")) : [];
const reports = suites.map((file) => JSON.parse(readFileSync(`${REPORTS}/${file}`, "utf8")));

for (const name of reports.flatMap(skippedTests)) console.error(`not run: ${name}`);
const passed = sum(reports.map(({ numPassedTests }) => numPassedTests));
const testFailures = sum(reports.map(failures));
console.log(`${passed} passed, ${testFailures + gateFailures()} failed`);

function failures({ numFailedTests, success, testResults }) {
  const unloaded = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((result) => result.status !== "failed"),
  );
  const counted = numFailedTests + unloaded.length;
  return counted === 0 && !success ? 1 : counted;
}

function gateFailures() {
  if (!existsSync(FAILED_STEP)) return suites.length === 0 ? 1 : 0;
  const step = readFileSync(FAILED_STEP, "utf8").trim();
  return step.startsWith("test:") && testFailures > 0 ? 0 : 1;
}

function skippedTests({ testResults }) {
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== "passed" && status !== "failed")
      .map(({ fullName }) => fullName),
  );
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
