import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readLineTimes } from "../../src/containment/read-line-times.ts";
import { LineTimes } from "../../src/containment/watch/line-times.ts";

function makeLog(): string {
  const folder = mkdtempSync(join(tmpdir(), "ambit-times-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "stdout");
}

const all = { first: 1, last: 1000 };

it("notes a time for lines that come close together, and reads those of a range", () => {
  const log = makeLog();
  let nowMs = 5000;
  const times = new LineTimes(log, () => nowMs);
  for (let line = 1; line <= 10; line += 1) {
    times.noteLine();
    nowMs += 400;
  }
  times.close();
  expect(readLineTimes(log, all)).toStrictEqual([
    { line: 1, atMs: 5000 },
    { line: 4, atMs: 6200 },
    { line: 7, atMs: 7400 },
    { line: 10, atMs: 8600 },
  ]);
  expect(readLineTimes(log, { first: 5, last: 8 })).toStrictEqual([
    { line: 4, atMs: 6200 },
    { line: 7, atMs: 7400 },
  ]);
});

it("starts again with a log that was emptied, and notes a clock that was set back", () => {
  const log = makeLog();
  let nowMs = 90_000;
  const times = new LineTimes(log, () => nowMs);
  times.noteLine();
  times.restart();
  times.noteLine();
  nowMs = 20_000;
  times.noteLine();
  times.close();
  expect(readLineTimes(log, all)).toStrictEqual([
    { line: 1, atMs: 90_000 },
    { line: 2, atMs: 20_000 },
  ]);
});

it("follows no link that a worker put in its place, and continues without times", () => {
  const log = makeLog();
  writeFileSync(`${log}.mine`, "precious\n");
  symlinkSync(`${log}.mine`, `${log}.times`);
  const times = new LineTimes(log, () => 1);
  times.noteLine();
  times.noteLine();
  times.close();
  expect(readFileSync(`${log}.mine`, "utf8")).toBe("precious\n");
  expect(readLineTimes(log, all)).toStrictEqual([]);
});

it("reads only the valid entries of a file of times that a worker has changed", () => {
  const log = makeLog();
  writeFileSync(`${log}.times`, "x y\n1\n-3 4\n2 7\n\u0000");
  expect(readLineTimes(log, all)).toStrictEqual([{ line: 2, atMs: 7 }]);
});
