import { beforeEach, describe, expect, it } from "vitest";
import { paint } from "../../../src/cli/render/paint.ts";
import { renderTree } from "../../../src/cli/render/story-tree.ts";
import { TreeReporter } from "../../../src/cli/reporters/tree.ts";
import type { StoryView } from "../../../src/reports/story-node.ts";
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

function begin(more: { isTty?: boolean; colors?: boolean; hint?: string } = {}): TreeReporter {
  const { isTty = true, colors = false, hint } = more;
  return new TreeReporter({
    story: STORY,
    screen: terminal,
    isTty,
    clock,
    setTimer: time.setTimer,
    ascii: false,
    paint: paint(colors),
    hint,
  });
}

function picture(view: StoryView, rows: number, width = 99): string {
  return renderTree(view, { width, rows, nowMs: clock.wallMs(), ascii: false, paint: paint(false) });
}

describe("a live tree", () => {
  it("is drawn below what was there, and over itself", () => {
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

  it("counts time by itself, and is not drawn again when it would look the same", () => {
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

  it("leaves after every single write a visible cursor and a terminal that wraps", () => {
    const reporter = begin({ colors: true });
    for (const event of busyStory().events) {
      reporter.event(event);
      time.advance(100);
      expect([terminal.isCursorVisible, terminal.isWrapping]).toStrictEqual([true, true]);
    }
    reporter.end();
    expect([terminal.isCursorVisible, terminal.isWrapping]).toStrictEqual([true, true]);
    expect(terminal.writes.filter((text) => !text.endsWith("\n"))).toStrictEqual([]);
  });

  it("fits the terminal when that is made smaller or larger, and never takes lines that are not its own", () => {
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

describe("notes and the end", () => {
  it("puts a note above the tree", () => {
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

  it("leaves the last picture, no timer and no listener, also when closed twice or in between", () => {
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

  it("draws what was not drawn yet when it ends", () => {
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
