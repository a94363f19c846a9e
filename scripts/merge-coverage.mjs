// Adds what child processes ran to what the tests ran themselves, and holds the sum against the thresholds.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { convert } from "ast-v8-to-istanbul";
import { parseAstAsync } from "vite";
import { COVERAGE_FOLDER } from "./coverage-folder.mjs";

const require = createRequire(import.meta.url);
const { mergeProcessCovs } = require("@bcoe/v8-coverage");
const { createCoverageMap } = require("istanbul-lib-coverage");
// The two builds place statements and branches differently, so that only lines can be added up.
const THRESHOLDS = { lines: 90 };
const BATCH = 20;
const APP = resolve("src/dashboard/app/");

const ownRun = JSON.parse(readFileSync("coverage/coverage-final.json", "utf8"));
const map = createCoverageMap(ownRun);
const known = new Set(map.files());
for (const script of mergeReports()) await addScript(script);
report();

/** All processes together, one entry per script. Reports are merged a few at a time: together they would not fit. */
function mergeReports() {
  if (!existsSync(COVERAGE_FOLDER)) return [];
  const files = readdirSync(COVERAGE_FOLDER).map((name) => join(COVERAGE_FOLDER, name));
  let merged = { result: [] };
  for (let at = 0; at < files.length; at += BATCH) {
    const reports = files.slice(at, at + BATCH).map((file) => JSON.parse(readFileSync(file, "utf8")));
    merged = mergeProcessCovs([merged, ...reports]);
  }
  console.log(`${files.length} reports of child processes and pages`);
  return merged.result;
}

async function addScript(coverage) {
  const file = fileURLToPath(coverage.url);
  if (!existsSync(file) || !existsSync(`${file}.map`)) return;
  const code = readFileSync(file, "utf8");
  const sourceMap = JSON.parse(readFileSync(`${file}.map`, "utf8"));
  const data = await convert({ ast: parseAstAsync(code), code, wrapperLength: 0, coverage, sourceMap });
  for (const [path, entry] of Object.entries(data)) {
    // Maps are written where the build happens, not where it is moved to.
    const source = resolve(path.slice(Math.max(0, path.lastIndexOf("/src/") + 1)));
    // The browser app is counted where it runs.
    if (known.has(source) || source.startsWith(APP))
      map.addFileCoverage(Object.assign({}, entry, { path: source }));
  }
}

function report() {
  const summary = map.getCoverageSummary();
  writeFileSync("coverage/coverage-summary.json", `${JSON.stringify(summary)}\n`);
  const low = Object.entries(THRESHOLDS).filter(([name, least]) => summary[name].pct < least);
  for (const name of Object.keys(THRESHOLDS)) console.log(`${name.padEnd(12)} ${summary[name].pct} %`);
  if (process.argv.includes("--files")) printFiles();
  if (low.length === 0) return;
  console.error(`Too little is tested: ${low.map(([name, least]) => `${name} below ${least} %`).join(", ")}`);
  process.exitCode = 1;
}

function printFiles() {
  const rows = map.files().map((file) => {
    const { lines } = map.fileCoverageFor(file).toSummary();
    return { file: relative(".", file), missing: lines.total - lines.covered };
  });
  for (const { file, missing } of rows.toSorted((one, other) => other.missing - one.missing).slice(0, 60))
    console.log(`${String(missing).padStart(5)} lines not run in ${file}`);
}
