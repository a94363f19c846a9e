import { expect, it, onTestFinished, vi } from "vitest";
import { plainReporter } from "../../../src/cli/reporters/plain.ts";
import { dayAndMinute, timeOfDay } from "../../../src/cli/render/time-of-day.ts";
import { busyStory, idOf, STORY, StoryTape } from "../../reports/story-tape.ts";
import { ended, now, play, Recorder } from "./recorder.ts";

function linesOf(tape: StoryTape, more: { ascii?: boolean; verbose?: boolean } = {}): readonly string[] {
  const { output, lines } = new Recorder();
  play(plainReporter({ story: STORY, output, ascii: false, verbose: false, ...now, ...more }), tape);
  return lines;
}

it("writes one line per change of state: time, task, from, to, and nothing that moves a cursor", () => {
  expect(linesOf(busyStory())).toStrictEqual([
    "12:00:00 US-1 → queued Add OAuth login (claude)",
    "12:00:00 US-1 queued → running",
    "12:00:00 1 → queued token service (claude)",
    "12:00:00 1 queued → running",
    "12:01:40 1 running → returned",
    "12:01:40 1 returned → verified",
    "12:01:40 1 verified → merged",
    "12:01:40 1 merged → done $0.31",
    "12:02:10 2 → queued login routes (codex)",
    "12:02:10 2 queued → running",
    "12:02:30 2.1 → queued validators (claude)",
    "12:02:30 2.1 queued → running",
    "12:03:11 2.1 running → done $0.04",
    "12:03:50 2.2 → queued rate limit (claude)",
    "12:03:50 2.2 queued → running",
    "12:03:50 2.2 refused MAX_DEPTH_EXCEEDED: even deeper",
    "12:04:00 3 → queued db migration (claude)",
    "12:04:00 3 queued → running",
    '12:04:00 3 running → needs you "uuid or bigint ids?" → ambit reply US-1-DEL-003 "..."',
    "12:04:00 4 → queued e2e tests (claude)",
    "12:04:00 US-1 running → waiting",
  ]);
});

it("names what a failed check found on one line, without the lines that show it", () => {
  const summary = "`npm test` ended with exit code 1.\n  Failure:\n    not ok 1";
  const tape = new StoryTape().open("Story").start("1", "work").close("1", "partial", { summary });
  expect(linesOf(tape).at(-1)).toMatch(/partial - `npm test` ended with exit code 1\.$/);
});

it("names the code, the cost and the reason if work did not complete", () => {
  const tape = new StoryTape().at("12:04:31").open("Story").start("1", "work").spend("1", 5);
  tape.close("1", "partial", { code: "COST_LIMIT_EXCEEDED", summary: "Stopped at its budget." });
  expect(linesOf(tape).at(-1)).toBe(
    "12:04:31 1 running → partial COST_LIMIT_EXCEEDED $5.00 - Stopped at its budget.",
  );
  expect(linesOf(tape, { ascii: true }).at(-1)).toContain("running -> partial");
});

it("reports attempts, rejected returns, failed and flaky criteria, warnings and refused merges", () => {
  const tape = new StoryTape().at("12:00:00").open("Story").start("1", "work");
  const before = linesOf(tape).length;
  tape.add("return-rejected", "1", { codes: ["NOT_JSON"], repair: 1 });
  tape.add("attempt-retried", "1", { reason: "no JSON", kind: "repair" }).add("attempt-started", "1", {}, 2);
  tape.add("limit-warned", "1", { code: "TIMEOUT", message: "90 % of its time is used" });
  tape.add("delegation-returned", "1", { summary: "Wrote it." });
  tape.add("criterion-checked", "1", { criterionId: "a", text: "npm test", verdict: "failed" });
  tape.add("criterion-checked", "1", { criterionId: "b", text: "builds", verdict: "passed" });
  tape.add("criterion-checked", "1", { criterionId: "c", text: "sometimes", verdict: "passed", flaky: true });
  tape.add("merge-refused", "1", { code: "MERGE_CONFLICT", message: "no", files: ["a.ts", "b.ts"] });
  expect(linesOf(tape).slice(before)).toStrictEqual([
    "12:00:00 1 return rejected: NOT_JSON",
    "12:00:00 1 running → queued",
    "12:00:00 1 queued → running attempt 2",
    "12:00:00 1 TIMEOUT: 90 % of its time is used",
    "12:00:00 1 running → returned",
    "12:00:00 1 returned → checking",
    "12:00:00 1 criterion failed: npm test",
    "12:00:00 1 criterion flaky: sometimes",
    "12:00:00 1 merge refused MERGE_CONFLICT: a.ts, b.ts",
  ]);
});

it("shows the output of one worker, of several only on request, and lets no control code reach the terminal", () => {
  const { output, lines } = new Recorder();
  const alone = plainReporter({ story: STORY, output, ascii: false, verbose: false, ...now });
  play(alone, new StoryTape().open("Story"));
  lines.length = 0;
  alone.output(STORY, "one\n\n  two\u001b[2J \r\n");
  alone.output("somebody", "x");
  expect(lines).toStrictEqual(["12:04:31 US-1 | one", "12:04:31 US-1 |   two", "12:04:31 somebody | x"]);
  play(alone, busyStory());
  lines.length = 0;
  alone.output(idOf("2.2"), "npm test");
  expect(lines).toStrictEqual([]);
  const verbose = plainReporter({ story: STORY, output, ascii: false, verbose: true, ...now });
  play(verbose, busyStory());
  lines.length = 0;
  verbose.output(idOf("2.2"), "npm test");
  expect(lines).toStrictEqual(["12:04:31 2.2 | npm test"]);
});

it("shows a part of a flood of output, with its last lines, and says where all of it is", () => {
  const { output, lines } = new Recorder();
  let seconds = 0;
  const nowMs = (): number => now.nowMs() + seconds * 1000;
  const reporter = plainReporter({ story: STORY, output, ascii: false, verbose: false, ...now, nowMs });
  play(reporter, new StoryTape().open("Story"));
  lines.length = 0;
  for (let line = 1; line <= 100_000; line += 1) {
    if (line % 20_000 === 0) seconds += 1;
    reporter.output(STORY, `line ${String(line)} ${"x".repeat(5000)}\n`);
  }
  reporter.end(ended);
  const told = lines.map((line) => line.replace(/^\S+ US-1 \| /, "").replace(/ x+…$/, ""));
  expect(told.slice(0, 2)).toStrictEqual(["line 1", "line 2"]);
  expect(told.slice(-7)).toStrictEqual([
    "line 200",
    "(99,795 lines not shown; all of them: ambit logs US-1)",
    ...[99_996, 99_997, 99_998, 99_999, 100_000].map((line) => `line ${String(line)}`),
  ]);
  expect(lines.length).toBeLessThan(250);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(330);
});

it("shows every line of a worker that writes no more than one each second", () => {
  const { output, lines } = new Recorder();
  let seconds = 0;
  const nowMs = (): number => now.nowMs() + seconds * 1000;
  const reporter = plainReporter({ story: STORY, output, ascii: false, verbose: false, ...now, nowMs });
  for (seconds = 0; seconds < 1000; seconds += 1) reporter.output(STORY, `line ${String(seconds)}`);
  expect(lines).toHaveLength(1000);
});

it("leaves the ending to the command, and passes notes on", () => {
  const { output, lines, answers } = new Recorder();
  const reporter = plainReporter({ story: STORY, output, ascii: false, verbose: false, ...now });
  reporter.note("Stopping; the work is kept…");
  reporter.end(ended);
  reporter.close();
  expect([lines, answers, reporter.answers]).toStrictEqual([["Stopping; the work is kept…"], [], false]);
});

it("shows times in the machine's time zone, and nothing for an invalid time", () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(timeOfDay("2026-01-20T15:04:05Z")).toBe("00:04:05");
  expect(dayAndMinute("2026-01-31T15:04:05Z")).toBe("2026-02-01 00:04");
  expect(timeOfDay("yesterday")).toBe("--:--:--");
});
