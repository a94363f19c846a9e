import { beforeEach, describe, expect, it } from "vitest";
import { paint } from "../../../src/cli/terminal/paint.ts";
import { renderTree } from "../../../src/cli/render/story-tree.ts";
import { textWidth } from "../../../src/cli/terminal/text-width.ts";
import { TreeReporter } from "../../../src/cli/reporters/tree.ts";
import type { StoryView } from "../../../src/reports/story-view.ts";
import { busyStory, idOf, STORY, StoryTape, timeOf } from "../../reports/story-tape.ts";
import { FakeTime } from "../../scheduler/fake-time.ts";
import { ended, play } from "./recorder.ts";
import { VirtualTerminal } from "./virtual-terminal.ts";

let time: FakeTime;
let terminal: VirtualTerminal;
beforeEach(() => {
  time = new FakeTime();
  terminal = new VirtualTerminal(100, 30);
  terminal.write("$ ambit run\n");
  terminal.writes.length = 0;
});

/** Wall time of the story, moved by the same clock as the frames. */
const clock = {
  wallMs: () => timeOf("12:04:12") + time.monotonicMs() - 1000,
  monotonicMs: () => time.monotonicMs(),
};

interface Wishes {
  readonly isTty?: boolean;
  readonly colors?: boolean;
  readonly hint?: string;
  readonly notify?: "desktop" | "bell" | "off";
}

function begin({ isTty = true, colors = false, hint, notify = "off" }: Wishes = {}): TreeReporter {
  return new TreeReporter({
    story: STORY,
    screen: terminal,
    isTty,
    clock,
    setTimer: time.setTimer,
    ascii: false,
    paint: paint(colors),
    hint,
    notify,
  });
}

function picture(view: StoryView, rows: number, width = 99): string {
  return renderTree(view, { width, rows, nowMs: clock.wallMs(), ascii: false, paint: paint(false) });
}

describe("a live tree", () => {
  it("is drawn below earlier output, and then over itself", () => {
    const reporter = begin();
    play(reporter, busyStory());
    time.advance(0);
    expect(terminal.screen()).toBe(`$ ambit run\n${picture(busyStory().view(), 29)}`);
    const more = busyStory().close("2.2").close("3").close("4").close("2").close("");
    for (const event of more.events.slice(busyStory().events.length)) reporter.event(event);
    time.advance(100);
    expect(terminal.screen()).toBe(`$ ambit run\n${picture(more.view(), 29)}`);
  });

  it("is drawn at most ten times a second however much happens", () => {
    const reporter = begin();
    play(reporter, busyStory());
    time.advance(0);
    for (let step = 0; step < 1000; step += 1) {
      reporter.output(idOf("2"), `step ${step}\n`);
      time.advance(1);
    }
    expect(terminal.writes.length).toBeLessThanOrEqual(12);
    expect(terminal.writes.length).toBeGreaterThanOrEqual(9);
    time.advance(100);
    expect(terminal.screen()).toContain("step 999");
  });

  it("updates its times by itself, and is not redrawn if it would look the same", () => {
    const reporter = begin();
    play(reporter, new StoryTape().at("12:04:12").open("Story"));
    time.advance(0);
    expect(terminal.screen()).toContain("00:00 of 30:00");
    time.advance(3000);
    expect(terminal.screen()).toContain("00:03 of 30:00");
    expect(terminal.writes).toHaveLength(4);
    for (let step = 0; step < 5; step += 1) {
      reporter.output("nobody", "x");
      time.advance(100);
    }
    expect(terminal.writes).toHaveLength(4);
  });

  it("leaves a visible cursor and a wrapping terminal after every write", () => {
    const reporter = begin({ colors: true });
    for (const event of busyStory().events) {
      reporter.event(event);
      time.advance(100);
      expect([terminal.isCursorVisible, terminal.isWrapping, terminal.isInFrame]).toStrictEqual([
        true,
        true,
        false,
      ]);
    }
    reporter.end();
    expect([terminal.isCursorVisible, terminal.isWrapping]).toStrictEqual([true, true]);
    expect(terminal.writes.filter((text) => !text.endsWith("\n"))).toStrictEqual([]);
  });

  it("fits the terminal after a resize, and never overwrites lines that are not its own", () => {
    const reporter = begin();
    play(reporter, busyStory());
    time.advance(0);
    for (const [columns, rows] of [
      [60, 30],
      [41, 8],
      [30, 30],
      [100, 40],
    ] as const) {
      terminal.resize(columns, rows);
      time.advance(100);
      expect(terminal.screen()).toBe(`$ ambit run\n${picture(busyStory().view(), rows - 1, columns - 1)}`);
    }
  });

  it("is never higher than the terminal, and shows the hint while it lives", () => {
    terminal = new VirtualTerminal(100, 9);
    const reporter = begin({ hint: "Ctrl-C detaches" });
    play(reporter, busyStory());
    time.advance(0);
    expect(terminal.screen().split("\n")).toHaveLength(8);
    expect(terminal.screen()).toContain("\nCtrl-C detaches");
    reporter.end();
    expect(terminal.screen()).toBe(picture(busyStory().view(), Number.POSITIVE_INFINITY));
  });
});

describe("the frames of a live tree", () => {
  it("contain only the changed lines, between the marks of one frame", () => {
    const reporter = begin();
    play(reporter, busyStory());
    time.advance(0);
    terminal.writes.length = 0;
    reporter.output(idOf("2"), "compiling the parser\n");
    time.advance(100);
    const [frame = ""] = terminal.writes;
    expect(terminal.writes).toHaveLength(1);
    expect(frame.startsWith("\u001b[?2026h")).toBe(true);
    expect(frame.endsWith("\u001b[?2026l\n")).toBe(true);
    const written = frame.split("\n").filter((line) => /[a-z]{3}/.test(line));
    expect(written).toHaveLength(2);
    expect(written[0]).toContain("compiling the parser");
    expect(terminal.screen()).toContain("compiling the parser");
  });

  it("stay small with 500 workers, and show work that needs a person on a terminal of any size", () => {
    const tape = new StoryTape().at("12:00:00").open("Many");
    for (let number = 1; number <= 500; number += 1) {
      tape.start(String(number), `Part ${number} 日本語`);
      if (number % 3 === 0) tape.close(String(number));
    }
    const question = { approvalId: "a-1", kind: "merge", question: "May I?", details: [] };
    tape.add("approval-requested", "499", question);
    for (const [columns, rows] of [
      [24, 6],
      [80, 24],
      [240, 60],
    ] as const) {
      terminal = new VirtualTerminal(columns, rows);
      const reporter = begin();
      play(reporter, tape);
      time.advance(0);
      const lines = terminal.screen().split("\n");
      expect(lines.length).toBeLessThan(rows);
      expect(Math.max(...lines.map(textWidth))).toBeLessThan(columns);
      expect(terminal.screen()).toContain("499");
      expect(terminal.screen()).toMatch(/… \d+ more/);
      terminal.writes.length = 0;
      reporter.output(idOf("1"), "one more line\n");
      time.advance(100);
      expect(terminal.writes.length).toBeLessThanOrEqual(1);
      expect(terminal.writes.join("").length).toBeLessThan(4 * columns + 200);
      reporter.close();
    }
  });

  it("are drawn completely after the terminal has changed its width", () => {
    const reporter = begin();
    play(reporter, busyStory());
    time.advance(0);
    terminal.writes.length = 0;
    terminal.resize(90, 30);
    time.advance(100);
    const lines = picture(busyStory().view(), 29, 89).split("\n");
    for (const line of lines) expect(terminal.writes.join("")).toContain(line);
  });
});

describe("a request that waits for a person", () => {
  const ask = (label: string, id: string, question: string) => ({
    seq: 1000 + Number(id.slice(-1)),
    at: "2026-01-20T12:04:12Z",
    type: "approval-requested",
    story: STORY,
    delegation: idOf(label),
    attempt: 1,
    data: { approvalId: id, kind: "merge", question, details: [] },
  });

  it("is shown once, by a notification and the bell, without control codes of the question", () => {
    const reporter = begin({ notify: "desktop" });
    play(reporter, new StoryTape().at("12:04:12").open("Story").start("1", "Work"));
    time.advance(0);
    expect([terminal.bells, terminal.notices]).toStrictEqual([0, []]);
    reporter.event(ask("1", "a-1", "May I\u0007\u001b]0;owned\u0007 delete it?"));
    time.advance(5000);
    expect([terminal.bells, terminal.notices]).toStrictEqual([
      1,
      [`ambit: ${STORY} needs you: May I delete it?`],
    ]);
    reporter.event(ask("1", "a-2", "And this?"));
    time.advance(100);
    expect([terminal.bells, terminal.notices.length]).toStrictEqual([2, 2]);
  });

  it.each([
    ["bell", true, 1],
    ["off", true, 0],
    ["desktop", false, 0],
  ] as const)("is announced as the setting %s says (terminal: %s)", (notify, isTty, bells) => {
    const reporter = begin({ notify, isTty });
    play(reporter, new StoryTape().at("12:04:12").open("Story").start("1", "Work"));
    reporter.event(ask("1", "a-1", "May I?"));
    time.advance(1000);
    reporter.end();
    expect([terminal.bells, terminal.notices]).toStrictEqual([bells, []]);
  });
});

describe("a live tree that gets a note or ends", () => {
  it("shows the note above itself", () => {
    const reporter = begin();
    play(reporter, busyStory());
    time.advance(0);
    reporter.note("US-1 keeps working.\u001b[2J");
    expect(terminal.screen()).toBe(
      `$ ambit run\nUS-1 keeps working.\\u{1b}[2J\n${picture(busyStory().view(), 29)}`,
    );
    reporter.close();
    reporter.note("bye");
    expect(terminal.screen().endsWith("\nbye")).toBe(true);
  });

  it("leaves its last picture, but no timer and no listener, even if it is closed twice or before its end", () => {
    const reporter = begin();
    play(reporter, busyStory());
    time.advance(0);
    expect([time.timers(), terminal.listeners()]).toStrictEqual([1, 1]);
    reporter.close();
    reporter.close();
    reporter.output(idOf("2"), "late");
    reporter.end();
    time.advance(5000);
    expect([time.timers(), terminal.listeners(), terminal.writes.length]).toStrictEqual([0, 0, 1]);
  });

  it("draws the pending picture when it ends", () => {
    const reporter = begin();
    play(reporter, busyStory());
    reporter.end();
    expect(terminal.screen()).toBe(`$ ambit run\n${picture(busyStory().view(), 99)}`);
    expect(time.timers()).toBe(0);
  });

  it("writes one picture and no cursor code where there is no terminal", () => {
    const reporter = begin({ isTty: false, hint: "Ctrl-C detaches" });
    play(reporter, busyStory());
    time.advance(5000);
    expect([terminal.writes, terminal.listeners(), time.timers()]).toStrictEqual([[], 0, 0]);
    reporter.note("a note");
    reporter.end();
    expect(terminal.writes).toStrictEqual(["a note\n", `${picture(busyStory().view(), 99)}\n`]);
    expect(reporter.answers).toBe(false);
    expect(ended.story).toBe(STORY);
  });
});
